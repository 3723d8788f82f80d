import { type Answer, call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { guardianKeys } from "./learningKeys";

export type Child = Answer<"GET", "/api/accounts/guardian/children/">["results"][number];
export type ChildProgress = Answer<"GET", "/api/accounts/guardian/children/{id}/">;
export type ChildCourse = ChildProgress["courses"][number];

/** Links the child whose code it is with the signed-in guardian. Failures are `ApiError`s. */
export function linkChild(code: string) {
  return call("POST", "/api/accounts/guardian/link/", { body: { code } });
}

/** Either side may end a link. */
export function unlinkChild(id: string) {
  return call("DELETE", "/api/accounts/guardian/links/{id}/", { params: { id } });
}

/** Withdraws the consent of a linked child's guardians. */
export function withdrawConsent(child: string) {
  return call("DELETE", "/api/accounts/guardian/children/{id}/consent/", {
    params: { id: child },
  });
}

/** The children of a guardian. */
export const childrenQuery = queryOptions({
  queryKey: guardianKeys.children,
  queryFn: async ({ signal }) =>
    (await call("GET", "/api/accounts/guardian/children/", { signal })).results,
});

/** One child's courses as their guardian sees them. */
export const childQuery = (id: string) =>
  queryOptions({
    queryKey: guardianKeys.child(id),
    queryFn: ({ signal }) =>
      call("GET", "/api/accounts/guardian/children/{id}/", { params: { id }, signal }),
  });

/** The mock exams of which a child has a result, newest first. */
export const childExamsQuery = (id: string) =>
  queryOptions({
    queryKey: guardianKeys.childExams(id),
    queryFn: async ({ signal }) =>
      (await call("GET", "/api/exam/children/{id}/result/", { params: { id }, signal })).results,
  });
