import { type Answer, call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { guardianKeys } from "./learningKeys";

export type Child = Answer<"GET", "/api/accounts/guardian/children/">["results"][number];
/** What each linked guardian sees of a learner. The learner gets the same body. */
export type Overview = Answer<"GET", "/api/accounts/guardian/overview/">;

/** The children of the signed-in guardian. */
export const childrenQuery = queryOptions({
  queryKey: guardianKeys.children,
  queryFn: async ({ signal }) =>
    (await call("GET", "/api/accounts/guardian/children/", { signal })).results,
});

/**
 * What a guardian sees of a linked child. The server records the view for the child. Refetched on
 * every use, because the child may have ended the link.
 */
export const childOverviewQuery = (id: string) =>
  queryOptions({
    staleTime: 0,
    queryKey: guardianKeys.childOverview(id),
    queryFn: ({ signal }) =>
      call("GET", "/api/accounts/guardian/children/{id}/overview/", { params: { id }, signal }),
  });

/** The report about a child's week from this Monday, as PDF. The server records the view for the child. */
export const childWeeklyReport = (id: string, week: string) =>
  call("GET", "/api/accounts/guardian/children/{id}/report/", { params: { id }, query: { week } });
