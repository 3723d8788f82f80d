import { paths } from "@konomana/paths";
import { defineScreen, hasIdentifier, type Screen } from "@konomana/screens";
import type { QueryClient } from "@tanstack/react-query";
import { sheetQuery } from "../api";

const warm: Screen["warm"] = (queries, { params: { id = "" } }) => [
  queries.prefetchQuery(sheetQuery(Number(id))),
];

/**
 * Fetches the sheet of a running exam, which other screens do not need. A step to the next question
 * does not wait for the server, which may be unreachable.
 */
async function fetchSheet(queries: QueryClient, exam: number): Promise<void> {
  const { runningSheetQuery } = await import("./outage/sheetCopy");
  const query = runningSheetQuery(exam);
  if (queries.getQueryData(query.queryKey) === undefined) await queries.prefetchQuery(query);
}

const warmRunning: Screen["warm"] = (queries, { params: { id = "" } }) => [
  fetchSheet(queries, Number(id)),
];

const learner = { scope: "learner", serving: "client", valid: hasIdentifier, warm } as const;
/** A layout without links to other pages, and with the clock of the sitting. */
const sitting = {
  ...learner,
  warm: warmRunning,
  layout: "custom",
  beside: async () => (await import("./clock/SittingClock")).SittingClock,
} as const;

/** The screens of a running exam and of its handed-in papers. */
export const sittingScreens: readonly Screen[] = [
  defineScreen({
    ...sitting,
    pattern: paths.examSitting.pattern,
    component: async () => (await import("./ExamScreen")).ExamScreen,
  }),
  defineScreen({
    ...sitting,
    pattern: paths.examCheck.pattern,
    component: async () => (await import("./CheckPageScreen")).CheckPageScreen,
  }),
  defineScreen({
    ...learner,
    layout: "mypage",
    pattern: paths.examHandedIn.pattern,
    component: async () => (await import("./CheckResultScreen")).CheckResultScreen,
  }),
  defineScreen({
    ...learner,
    layout: "mypage",
    pattern: paths.examDone.pattern,
    component: async () => (await import("./SuccessScreen")).SuccessScreen,
  }),
];
