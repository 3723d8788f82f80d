import { examKeys } from "@konomana/exam-card";
import { callPublic } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import type { CheckResult, GivenAnswer } from "./examTypes";

/** The questions of a check do not change while it is being answered. */
export const freeCheckQuery = (id: number) =>
  queryOptions({
    queryKey: examKeys.check(id),
    queryFn: ({ signal }) => callPublic("GET", "/api/exam/check/{id}/", { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Scores the answers. The server stores nothing. */
export function scoreCheck(
  id: number,
  answers: { question_id: number; answer: GivenAnswer | null }[],
): Promise<CheckResult> {
  return callPublic("POST", "/api/exam/check/{id}/result/", {
    params: { id },
    body: { answers },
  });
}
