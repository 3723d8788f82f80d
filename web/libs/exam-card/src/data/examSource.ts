import { readPayload } from "@konomana/http";
import { paths } from "@konomana/paths";
import { createContext } from "react-router";
import type { ExamCard, ListedCheck } from "../api/examCardTypes";
import { loadChecks, loadExams } from "../api/publicExams";

/** The data source of the public exam pages. Every failure is an `ApiError`. */
export interface ExamSource {
  exams(signal: AbortSignal): Promise<readonly ExamCard[]>;
  checks(signal: AbortSignal): Promise<readonly ListedCheck[]>;
}

/** The source in a browser: the files of the build if there are any, else the API. */
const browserSource: ExamSource = {
  exams: async (signal) =>
    (await readPayload<readonly ExamCard[]>(paths.konomoshi(), signal)) ?? loadExams(signal),
  checks: async (signal) =>
    (await readPayload<readonly ListedCheck[]>(paths.freeCheck(), signal)) ?? loadChecks(signal),
};

/** Gives loaders their data source. The prerender replaces it by the snapshot. */
export const examSource = createContext<ExamSource>(browserSource);
