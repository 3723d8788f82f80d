import type { Faq, SuccessYear } from "./api";
import { memberNoticeScreens } from "@konomana/member-notice";
import { type Crumb, paths, successYears } from "@konomana/paths";
import { schoolEventScreens } from "@konomana/school-event";
import { defineScreen, hasIdentifier } from "@konomana/screens";
import { questionAndAnswer } from "./answer/answerStructured";
import { supportSource } from "./data/supportSource";
import { filtersOf, readAnswerFilters, readNoticeFilters } from "./data/listFilters";
import type { NoticeData } from "./data/lists";

const notices: Crumb = { label: "お知らせ", to: paths.notices() };
const answers: Crumb = { label: "よくある質問", to: paths.answers() };
const contact: Crumb = { label: "お問い合わせ", to: paths.contact() };

export const screens = [
  ...memberNoticeScreens,
  ...schoolEventScreens,
  defineScreen({
    pattern: paths.notices.pattern,
    layout: "default",
    serving: "prerendered",
    readsQuery: true,
    load: ({ context, request }) =>
      context.get(supportSource).notices(filtersOf(readNoticeFilters, request), request.signal),
    component: async () => (await import("./notice/NoticeListScreen")).NoticeListScreen,
    crumbs: () => [notices],
  }),
  defineScreen<NoticeData>({
    pattern: paths.notice.pattern,
    layout: "default",
    serving: "per-notice",
    valid: hasIdentifier,
    load: ({ context, request, params }) =>
      context.get(supportSource).notice(Number(params["id"]), request.signal),
    component: async () => (await import("./notice/NoticeScreen")).NoticeScreen,
    modified: ({ notice }) => notice.modified_at,
    crumbs: ({ notice: { id, title } }) => [notices, { label: title, to: paths.notice(id) }],
  }),
  defineScreen({
    pattern: paths.answers.pattern,
    layout: "default",
    serving: "prerendered",
    readsQuery: true,
    load: ({ context, request }) =>
      context.get(supportSource).answers(filtersOf(readAnswerFilters, request), request.signal),
    component: async () => (await import("./answer/AnswerListScreen")).AnswerListScreen,
    crumbs: () => [answers],
  }),
  defineScreen<Faq>({
    pattern: paths.answer.pattern,
    layout: "default",
    serving: "per-answer",
    valid: hasIdentifier,
    load: ({ context, request, params }) =>
      context.get(supportSource).answer(Number(params["id"]), request.signal),
    component: async () => (await import("./answer/AnswerScreen")).AnswerScreen,
    crumbs: ({ id, question }) => [answers, { label: question, to: paths.answer(id) }],
    // Only the prerender uses it, so the browser bundle omits it.
    ...(import.meta.env.SSR && { structured: (faq: Faq) => [questionAndAnswer(faq)] }),
  }),
  defineScreen({
    pattern: paths.contact.pattern,
    layout: "default",
    serving: "prerendered",
    component: async () => (await import("./contact/ContactScreen")).ContactScreen,
    crumbs: () => [contact],
  }),
  defineScreen({
    pattern: paths.contactComplete.pattern,
    layout: "default",
    serving: "prerendered",
    hidden: true,
    component: async () => (await import("./contact/ContactCompleteScreen")).ContactCompleteScreen,
    crumbs: () => [contact, { label: "送信完了", to: paths.contactComplete() }],
  }),
  defineScreen({
    pattern: paths.entryExam.pattern,
    layout: "default",
    serving: "prerendered",
    readsQuery: true,
    load: ({ context, request }) => context.get(supportSource).entryExams(request.signal),
    component: async () => (await import("./exam/EntryExamScreen")).EntryExamScreen,
    crumbs: () => [{ label: "入試カレンダー", to: paths.entryExam() }],
  }),
  ...successYears.map((year) =>
    defineScreen<SuccessYear>({
      pattern: paths.success(year),
      layout: "default",
      serving: "prerendered",
      load: ({ context, request }) => context.get(supportSource).success(year, request.signal),
      component: async () => (await import("./success/SuccessRecordScreen")).SuccessRecordScreen,
      modified: ({ as_of }) => as_of,
      crumbs: () => [{ label: `${year}年 合格実績`, to: paths.success(year) }],
    }),
  ),
];
