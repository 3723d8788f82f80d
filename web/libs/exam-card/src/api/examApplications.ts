import { call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { applicationKeys } from "./examKeys";

/**
 * The learner's exams and those open for application. Refetched on every use, because another
 * device may apply.
 */
export const applicationsQuery = queryOptions({
  queryKey: applicationKeys.list,
  queryFn: async ({ signal }) => (await call("GET", "/api/exam/application/", { signal })).results,
});

/**
 * Takes a seat of a free exam. A learner with a seat keeps it. Fails with 409 `SEATS_GONE` if no
 * seat is left.
 */
export function takeSeat(exam: number): Promise<undefined> {
  return call("POST", "/api/exam/application/{id}/seat/", { params: { id: exam } });
}
