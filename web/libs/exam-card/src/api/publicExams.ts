import { callPublic } from "@konomana/http";
import type { ExamCard, ListedCheck } from "./examCardTypes";

/** The exams that have not ended, soonest first. */
export async function loadExams(signal?: AbortSignal): Promise<ExamCard[]> {
  return (await callPublic("GET", "/api/exam/exam/", { signal })).results;
}

/** The free checks, by school year and subject. */
export async function loadChecks(signal?: AbortSignal): Promise<ListedCheck[]> {
  return (await callPublic("GET", "/api/exam/check/", { signal })).results;
}
