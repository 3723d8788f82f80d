import { type Answer, call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { guardianKeys } from "./learningKeys";

export type Child = Answer<"GET", "/api/accounts/guardian/children/">["results"][number];
export type ChildProgress = Answer<"GET", "/api/accounts/guardian/children/{id}/">;
export type ChildCourse = ChildProgress["courses"][number];
/** What each linked guardian sees of a learner. The learner gets the very same body. */
export type Overview = Answer<"GET", "/api/accounts/guardian/overview/">;
/** A guardian's view of the learner's data. */
export type GuardianView = Answer<"GET", "/api/accounts/guardian/links/">["views"][number];

/** Links the signed-in guardian with the child that has this code. Failures are `ApiError`s. */
export function linkChild(code: string) {
  return call("POST", "/api/accounts/guardian/link/", { body: { code } });
}

/** Ends a link. The child and the guardian can both do this. */
export function unlinkChild(id: string) {
  return call("DELETE", "/api/accounts/guardian/links/{id}/", { params: { id } });
}

/** Withdraws the consent of a linked child's guardians. */
export function withdrawConsent(child: string) {
  return call("DELETE", "/api/accounts/guardian/children/{id}/consent/", {
    params: { id: child },
  });
}

/** The children of the signed-in guardian. */
export const childrenQuery = queryOptions({
  queryKey: guardianKeys.children,
  queryFn: async ({ signal }) =>
    (await call("GET", "/api/accounts/guardian/children/", { signal })).results,
});

/** One child's progress in their courses, for their guardian. */
export const childQuery = (id: string) =>
  queryOptions({
    queryKey: guardianKeys.child(id),
    queryFn: ({ signal }) =>
      call("GET", "/api/accounts/guardian/children/{id}/", { params: { id }, signal }),
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
