import { type Answer, call, pageKey, PERSONAL } from "@konomana/http";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

/** One page of the notices for the person. */
export type MemberNoticePage = Answer<"GET", "/api/desk/notice/mine/">;
export type MemberNoticeSummary = MemberNoticePage["results"][number];
export type MemberNotice = Answer<"GET", "/api/desk/notice/mine/{id}/">;

/** The prefix of every query of this library. */
const memberNoticeKey = [...PERSONAL, "member-notice"] as const;
const listKey = [...memberNoticeKey, "list"] as const;
const unreadKey = [...memberNoticeKey, "unread"] as const;

/** A count that is younger is not fetched again when another page opens. */
const FRESH_MS = 5_000;
/** How often a visible page asks again, because another device may have read a notice. */
const AGAIN_MS = 20_000;

/** The number of unread notices: at every page, at the return to the window, and every 20 s. */
export const unreadNoticesQuery = queryOptions({
  queryKey: unreadKey,
  queryFn: ({ signal }) => call("GET", "/api/desk/notice/mine/unread/", { signal }),
  select: ({ unread }) => unread,
  staleTime: FRESH_MS,
  refetchInterval: AGAIN_MS,
  refetchOnWindowFocus: true,
});

/** The notices for the person, unread ones first. */
export const memberNoticesQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: [...listKey, pageKey({ page }, link)],
    queryFn: ({ signal }) =>
      call("GET", "/api/desk/notice/mine/", { query: { page }, link, signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
  });

/** A notice. The server marks it as read, so the list and the count are fetched again. */
export const memberNoticeQuery = (id: number) =>
  queryOptions({
    queryKey: [...memberNoticeKey, "one", id],
    queryFn: async ({ client, signal }) => {
      const notice = await call("GET", "/api/desk/notice/mine/{id}/", { params: { id }, signal });
      for (const queryKey of [listKey, unreadKey]) {
        // An answer that was asked for before would show the notice as unread for 20 s.
        await client.cancelQueries({ queryKey });
        void client.invalidateQueries({ queryKey });
      }
      return notice;
    },
    staleTime: 0,
  });
