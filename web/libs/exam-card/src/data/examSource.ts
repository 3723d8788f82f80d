import { readPayload } from "@konomana/http";
import { paths } from "@konomana/paths";
import { createContext } from "react-router";
import type { ExamCard, ListedCheck } from "../api/examTypes";
import { loadChecks, loadExams } from "../api/publicExams";

/** Where the public pages get their exams; every failure is an `ApiError`. */
export interface ExamSource {
  exams(signal: AbortSignal): Promise<readonly ExamCard[]>;
  checks(signal: AbortSignal): Promise<readonly ListedCheck[]>;
}

/** The source in a browser: the files of the build where there are some, else the API. */
const browserSource: ExamSource = {
  exams: async (signal) =>
    (await readPayload<readonly ExamCard[]>(paths.konomoshi(), signal)) ?? loadExams(signal),
  checks: async (signal) =>
    (await readPayload<readonly ListedCheck[]>(paths.freeCheck(), signal)) ?? loadChecks(signal),
};

/** The loaders' way to their data; the prerender puts the snapshot's exams here. */
export const examSource = createContext<ExamSource>(browserSource);
