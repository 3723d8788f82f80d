import { applicationKeys } from "@konomana/exam-card";
import { ApiError, call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import type { BasicInfo, DesiredSchoolBody, DeviceCheckBody } from "./examTypes";

/** The API calls that fill in an application for an exam. Failures are `ApiError`s. */
export const applications = {
  saveBasicInfo: (exam: number, body: BasicInfo) =>
    call("PUT", "/api/exam/application/{id}/basic-info/", { params: { id: exam }, body }),

  /** Saves a school at a rank and replaces the one that is there. */
  saveDesiredSchool: (exam: number, rank: number, body: DesiredSchoolBody) =>
    call("PUT", "/api/exam/application/{id}/desired-school/{rank}/", {
      params: { id: exam, rank },
      body,
    }),

  /** Removes the school at a rank. The schools at lower ranks move up by one. */
  removeDesiredSchool: (exam: number, rank: number) =>
    call("DELETE", "/api/exam/application/{id}/desired-school/{rank}/", {
      params: { id: exam, rank },
    }),

  /** Saves the result of a device check. */
  saveDeviceCheck: (exam: number, device: string, body: DeviceCheckBody) =>
    call("PUT", "/api/exam/application/{id}/device-check/{device}/", {
      params: { id: exam, device },
      body,
    }),
};

/**
 * Reorders the schools from a rank on: removes them, last first, then adds them in the new order.
 * After a failure, a repeated call continues where the failed one stopped.
 */
export async function reorderDesiredSchools(
  exam: number,
  from: number,
  order: readonly DesiredSchoolBody[],
): Promise<void> {
  for (const rank of order.map((_, index) => from + index).toReversed())
    await applications.removeDesiredSchool(exam, rank).catch(ignoreNotFound);
  for (const [index, body] of order.entries())
    await applications.saveDesiredSchool(exam, from + index, body);
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

export function findSheet(exam: number, signal: AbortSignal) {
  return call("GET", "/api/exam/application/{id}/", { params: { id: exam }, signal });
}

/** An application with its exam. Refetched on every use, because another device may change it. */
export const sheetQuery = (exam: number) =>
  queryOptions({
    queryKey: applicationKeys.one(exam),
    queryFn: ({ signal }) => findSheet(exam, signal),
  });
