import { applicationKeys } from "@konomana/exam-card";
import { ApiError, call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import type { BasicInfo, DesiredSchoolBody, DeviceCheckBody } from "./examTypes";

/** What is filled in for an exam, call by call. Failures are `ApiError`s. */
export const applications = {
  saveBasicInfo: (exam: number, body: BasicInfo) =>
    call("PUT", "/api/exam/application/{id}/basic-info/", { params: { id: exam }, body }),

  /** Puts a school at a rank, in place of the one that is there. */
  saveDesiredSchool: (exam: number, rank: number, body: DesiredSchoolBody) =>
    call("PUT", "/api/exam/application/{id}/desired-school/{rank}/", {
      params: { id: exam, rank },
      body,
    }),

  /** Those behind it move up by one. */
  removeDesiredSchool: (exam: number, rank: number) =>
    call("DELETE", "/api/exam/application/{id}/desired-school/{rank}/", {
      params: { id: exam, rank },
    }),

  /** Says whether the exam can be sat on the device. */
  saveDeviceCheck: (exam: number, device: string, body: DeviceCheckBody) =>
    call("PUT", "/api/exam/application/{id}/device-check/{device}/", {
      params: { id: exam, device },
      body,
    }),
};

/**
 * Puts the schools from a rank on into a new order: takes them out from the last one, then puts them in again. After a
 * failure the same call goes on where that one stopped.
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

/** An application with its exam. Another device may fill it in: always asked anew. */
export const sheetQuery = (exam: number) =>
  queryOptions({
    queryKey: applicationKeys.one(exam),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/application/{id}/", { params: { id: exam }, signal }),
  });
