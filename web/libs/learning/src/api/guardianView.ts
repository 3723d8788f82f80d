import { type Answer, call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { guardianKeys } from "./learningKeys";

/** A guardian's view of the learner's data. */
export type GuardianView = Answer<"GET", "/api/accounts/guardian/links/">["views"][number];

/** What each linked guardian sees of the signed-in learner. */
export const ownOverviewQuery = queryOptions({
  queryKey: guardianKeys.ownOverview,
  queryFn: ({ signal }) => call("GET", "/api/accounts/guardian/overview/", { signal }),
});

/** When guardians viewed the signed-in learner's data, newest first. */
export const guardianViewsQuery = queryOptions({
  queryKey: guardianKeys.views,
  queryFn: async ({ signal }) =>
    (await call("GET", "/api/accounts/guardian/links/", { signal })).views,
});

/** The report about the learner's week from this Monday: the same PDF as each guardian gets. */
export const ownWeeklyReport = (week: string) =>
  call("GET", "/api/accounts/guardian/report/", { query: { week } });
