import { catalogueKeys } from "../api";
import { useStaleWhileRevalidate } from "@konomana/query";
import { type CourseSort, paths } from "@konomana/paths";
import { Pager, Stack, Group, Page, VisuallyHidden } from "@konomana/ui-base";
import { SelectField } from "@konomana/ui-kit";
import { useRef } from "react";
import { useLoaderData } from "react-router";
import { type CourseList, PAGE_SIZE } from "../data/courseData";
import { titleOf } from "../data/courseFilters";
import { isWhole } from "../data/isWhole";
import { newest } from "../data/catalogueSource";
import { BuyableCards } from "./BuyableCards";
import { Chips } from "./Chips";
import styles from "./CourseListScreen.module.css";
import { Filters } from "./Filters";
import { MonthlyServices } from "./MonthlyServices";
import { NothingFound } from "./NothingFound";
import { useNarrowing } from "./useNarrowing";

const orders: readonly { value: CourseSort; label: string }[] = [
  { value: "recommended", label: "おすすめ順" },
  { value: "new", label: "新しい順" },
  { value: "price", label: "値段の安い順" },
  { value: "-price", label: "値段の高い順" },
  { value: "duration", label: "短い順" },
];

/** The catalogue, filtered by the address. */
export function CourseListScreen() {
  const loaded = useLoaderData<CourseList>();
  // A filtered list already comes from the API.
  const list = useStaleWhileRevalidate(
    isWhole(loaded.filters) ? catalogueKeys.courses : null,
    loaded,
    (signal) => newest.list(loaded.filters, signal),
  );
  const narrowing = useNarrowing(list.filters);
  const counted = useRef<HTMLParagraphElement>(null);
  const title = titleOf(list.filters);
  return (
    <Page
      title={title}
      description="コノマナの講座一覧です。中学1年生から高校3年生まで、学年・教科・レベル・値段から講座をさがせます。"
    >
      <div className={`kn-columns ${styles.columns}`}>
        <Filters facets={list.facets} count={list.count} narrowing={narrowing} />
        <Stack>
          <Group gap="0.5rem 1rem" justify="space-between">
            <p ref={counted} role="status" tabIndex={-1}>
              <CountInWords list={list} />
            </p>
            <SelectField
              aria-label="並び順"
              value={narrowing.filters.sort ?? "recommended"}
              onChange={({ currentTarget }) =>
                narrowing.narrow({ sort: currentTarget.value as CourseSort })
              }
              data={orders}
            />
          </Group>
          <Chips narrowing={narrowing} onTake={() => counted.current?.focus()} />
          <div
            className={styles.results}
            aria-busy={narrowing.loading}
            data-loading={narrowing.loading || undefined}
          >
            {list.courses.length === 0 ? (
              <NothingFound filters={list.filters} />
            ) : (
              <>
                <VisuallyHidden as="h2">講座の一覧</VisuallyHidden>
                <BuyableCards courses={list.courses} min="15rem" />
              </>
            )}
          </div>
          <Pager
            page={list.filters.page ?? 1}
            pages={list.pages}
            hrefFor={(page) => paths.courses({ ...list.filters, page })}
          />
        </Stack>
      </div>
      <MonthlyServices />
    </Page>
  );
}

function CountInWords({ list: { count, pages, filters, courses } }: { list: CourseList }) {
  const first = ((filters.page ?? 1) - 1) * PAGE_SIZE + 1;
  return (
    <>
      <strong className="kn-figure">{count}</strong>講座
      {pages > 1 && courses.length > 0 && `（${first}〜${first + courses.length - 1}を表示）`}
    </>
  );
}
