import { applicationsQuery, examSource, type ListedCheck } from "@konomana/exam-card";
import { paths } from "@konomana/paths";
import {
  defineScreen,
  hasAccount,
  hasDesiredRank,
  hasIdentifier,
  hasResult,
  type Screen,
} from "@konomana/screens";
import {
  childExamResultQuery,
  childPaperResultQuery,
  examResultQuery,
  paperResultQuery,
  sheetQuery,
} from "./api";
import { sittingScreens } from "./sitting/sittingScreens";

const mypage = { layout: "mypage", scope: "learner", serving: "client" } as const;

const ofChild = { layout: "mypage", scope: "guardian", serving: "client" } as const;

/** Options of the screens of one exam. They preload the sheet, which lists the open steps. */
const ofExam = {
  ...mypage,
  valid: hasIdentifier,
  warm: (queries, { params: { id } }) => [queries.prefetchQuery(sheetQuery(Number(id)))],
} as const satisfies Partial<Screen>;

export const screens = [
  defineScreen<readonly ListedCheck[]>({
    pattern: paths.freeCheck.pattern,
    layout: "test",
    serving: "prerendered",
    readsQuery: true,
    load: ({ context, request }) => context.get(examSource).checks(request.signal),
    component: async () => (await import("./check/FreeCheckScreen")).FreeCheckScreen,
  }),
  defineScreen({
    pattern: paths.receiptCheck.pattern,
    layout: "default",
    serving: "prerendered",
    component: async () => (await import("./receipt/ReceiptCheckScreen")).ReceiptCheckScreen,
    crumbs: () => [
      { label: "コノ模試", to: paths.konomoshi() },
      { label: "提出証明を確かめる", to: paths.receiptCheck() },
    ],
  }),
  defineScreen({
    ...mypage,
    pattern: paths.mockExams.pattern,
    warm: (queries) => [queries.prefetchQuery(applicationsQuery)],
    component: async () => (await import("./application/list/ExamsScreen")).ExamsScreen,
  }),
  defineScreen({
    ...ofExam,
    pattern: paths.mockExam.pattern,
    component: async () => (await import("./application/sheet/ExamSheetScreen")).ExamSheetScreen,
  }),
  defineScreen({
    ...ofExam,
    pattern: paths.basicInfo.pattern,
    component: async () => (await import("./application/basic/BasicInfoScreen")).BasicInfoScreen,
  }),
  defineScreen({
    ...ofExam,
    pattern: paths.desiredSchools.pattern,
    component: async () =>
      (await import("./application/schools/DesiredSchoolsScreen")).DesiredSchoolsScreen,
  }),
  defineScreen({
    ...ofExam,
    pattern: paths.desiredSchool.pattern,
    valid: hasDesiredRank,
    component: async () =>
      (await import("./application/schools/DesiredSchoolScreen")).DesiredSchoolScreen,
  }),
  defineScreen({
    ...ofExam,
    pattern: paths.deviceCheck.pattern,
    component: async () =>
      (await import("./application/device/DeviceCheckScreen")).DeviceCheckScreen,
  }),
  ...sittingScreens,
  defineScreen({
    ...mypage,
    pattern: paths.examResult.pattern,
    valid: hasIdentifier,
    warm: (queries, { params: { id } }) => [queries.prefetchQuery(examResultQuery(Number(id)))],
    component: async () => (await import("./result/ExamResultScreen")).ExamResultScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.examPaperResult.pattern,
    valid: hasResult,
    warm: (queries, { params: { id, resultId } }) => [
      queries.prefetchQuery(paperResultQuery(Number(id), Number(resultId))),
    ],
    component: async () => (await import("./result/PaperResultScreen")).PaperResultScreen,
  }),
  defineScreen({
    ...ofChild,
    pattern: paths.childExamResult.pattern,
    valid: (params) => hasAccount(params) && hasIdentifier(params),
    warm: (queries, { params: { account = "", id } }) => [
      queries.prefetchQuery(childExamResultQuery(account, Number(id))),
    ],
    component: async () => (await import("./result/ChildExamResultScreen")).ChildExamResultScreen,
  }),
  defineScreen({
    ...ofChild,
    pattern: paths.childPaperResult.pattern,
    valid: (params) => hasAccount(params) && hasResult(params),
    warm: (queries, { params: { account = "", id, resultId } }) => [
      queries.prefetchQuery(childPaperResultQuery(account, Number(id), Number(resultId))),
    ],
    component: async () => (await import("./result/ChildPaperResultScreen")).ChildPaperResultScreen,
  }),
];
