import { paths } from "@konomana/paths";
import { defineScreen, hasIdentifier, type Screen } from "@konomana/screens";
import { sheetQuery } from "../api";

const warm: Screen["warm"] = (queries, { params: { id = "" } }) => [
  queries.prefetchQuery(sheetQuery(Number(id))),
];
/** The sheet of a running exam, which other screens do not need. */
const warmRunning: Screen["warm"] = (queries, { params: { id = "" } }) => [
  import("./outage/sheetCopy").then(async ({ runningSheetQuery }) => {
    const query = runningSheetQuery(Number(id));
    // A step to the next question does not wait for the server, which may be unreachable.
    if (queries.getQueryData(query.queryKey) === undefined) await queries.prefetchQuery(query);
  }),
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
