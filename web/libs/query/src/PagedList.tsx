import { StepPager } from "@konomana/ui-base";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { QueryBoundary } from "./QueryBoundary";
import { shownPage, type usePaged } from "./usePaged";

/** The server's default page size, to compute the number of pages. */
const PAGE_SIZE = 20;

/** The fields of a paged answer that this component needs. */
interface Page {
  count: number;
  next: string | null;
  previous: string | null;
  /** The number of pages, in lists with a page size of their own. */
  max_page?: number;
}

interface PagedListProps<List extends Page> {
  paged: ReturnType<typeof usePaged>;
  query: UseQueryResult<List>;
  loading: ReactNode;
  children: (list: List) => ReactNode;
}

/** One page of a server list, with links to its other pages. */
export function PagedList<List extends Page>(props: PagedListProps<List>) {
  const { paged, query, loading, children } = props;
  return (
    <QueryBoundary query={query} loading={loading}>
      {(list) => (
        <>
          {children(list)}
          <StepPager
            page={shownPage(list)}
            pages={list.max_page ?? Math.ceil(list.count / PAGE_SIZE)}
            onPrevious={list.previous ? () => paged.toPrevious(list) : null}
            onNext={list.next ? () => paged.toNext(list) : null}
          />
        </>
      )}
    </QueryBoundary>
  );
}
