import { type Answer, call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { guardianKeys } from "./learningKeys";

export type ChildProgress = Answer<"GET", "/api/accounts/guardian/children/{id}/">;
export type ChildCourse = ChildProgress["courses"][number];

/** One child's progress in their courses, for their guardian. */
export const childQuery = (id: string) =>
  queryOptions({
    queryKey: guardianKeys.child(id),
    queryFn: ({ signal }) =>
      call("GET", "/api/accounts/guardian/children/{id}/", { params: { id }, signal }),
  });

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
