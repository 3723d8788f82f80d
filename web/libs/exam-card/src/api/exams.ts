import { call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { applicationKeys } from "./examKeys";

/** The learner's exams, and those that they can still apply for. Another device may apply: always asked anew. */
export const applicationsQuery = queryOptions({
  queryKey: applicationKeys.list,
  queryFn: async ({ signal }) => (await call("GET", "/api/exam/application/", { signal })).results,
});

/** Takes a seat of a free exam; who has one keeps it. Without a seat left it is a conflict, `SEATS_GONE`. */
export function takeSeat(exam: number): Promise<undefined> {
  return call("POST", "/api/exam/application/{id}/seat/", { params: { id: exam } });
}
