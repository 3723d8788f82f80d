import { useState } from "react";
import { useSearchParams } from "react-router";

/** The links of a paged answer. */
interface Links {
  next: string | null;
  previous: string | null;
}

/** The page number of an API link or an address; 1 if it has none. */
export function pageIn(params: URLSearchParams): number {
  const text = params.get("page") ?? "";
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}

/**
 * The page number of a list, from its own links. The address already names the next page while that
 * is loading.
 */
export function shownPage({ previous }: Links): number {
  return previous ? pageInLink(previous) + 1 : 1;
}

function pageInLink(link: string): number {
  return pageIn(new URL(link, location.origin).searchParams);
}

/**
 * A list paged by the server's `next` and `previous` links (the specification, §4). The page is in
 * the address, `link` is the link to follow, and a null link does nothing.
 */
export function usePaged() {
  const [params, setParams] = useSearchParams();
  const [followed, setFollowed] = useState<{ page: number; link: string } | null>(null);
  const page = pageIn(params);

  const move = (link: string | null) => {
    if (!link) return;
    const to = pageInLink(link);
    setFollowed({ page: to, link });
    setParams((current) => {
      const next = new URLSearchParams(current);
      if (to === 1) next.delete("page");
      else next.set("page", String(to));
      return next;
    });
  };

  return {
    page,
    link: followed?.page === page ? followed.link : null,
    toNext: ({ next }: Links) => move(next),
    toPrevious: ({ previous }: Links) => move(previous),
  };
}
