import type { EntryExam, Faq, SuccessYear } from "./api";
import { type Crumb, paths, type ScreenHandle, screens, successYears } from "@konomana/paths";
import type { ComponentType } from "react";
import type { LoaderFunction, RouteObject } from "react-router";
import { questionAndAnswer } from "./answer/answerStructured";
import type { AnswerList, NoticeData, NoticeList } from "./data/lists";

const notices: Crumb = { label: "お知らせ", to: paths.notices() };
const answers: Crumb = { label: "よくある質問", to: paths.answers() };
const contact: Crumb = { label: "お問い合わせ", to: paths.contact() };

/** A screen that is fetched when somebody opens it. */
function still(
  { pattern }: { pattern: string },
  load: () => Promise<{ Component: ComponentType }>,
  handle: ScreenHandle,
): RouteObject {
  return { path: pattern, lazy: { Component: async () => (await load()).Component }, handle };
}

/** A screen with data; its loader is fetched with it, as every page of the site has these routes. */
function screen<Data>(
  { pattern }: { pattern: string },
  load: () => Promise<{ Component: ComponentType; loader: LoaderFunction }>,
  handle: ScreenHandle<Data>,
): RouteObject {
  return {
    path: pattern,
    lazy: {
      Component: async () => (await load()).Component,
      loader: async () => (await load()).loader,
    },
    handle,
  };
}

export const routes: RouteObject[] = [
  screen<NoticeList>(screens.notices, () => import("./notice/NoticeListScreen"), {
    module: "libs/desk/src/notice/NoticeListScreen.tsx",
    readsQuery: true,
    crumbs: () => [notices],
  }),
  screen<NoticeData>(screens.notice, () => import("./notice/NoticeScreen"), {
    module: "libs/desk/src/notice/NoticeScreen.tsx",
    modified: ({ notice }) => notice.modified_at,
    crumbs: ({ notice: { id, title } }) => [notices, { label: title, to: paths.notice(id) }],
  }),
  screen<AnswerList>(screens.answers, () => import("./answer/AnswerListScreen"), {
    module: "libs/desk/src/answer/AnswerListScreen.tsx",
    readsQuery: true,
    crumbs: () => [answers],
  }),
  screen<Faq>(screens.answer, () => import("./answer/AnswerScreen"), {
    module: "libs/desk/src/answer/AnswerScreen.tsx",
    crumbs: ({ id, question }) => [answers, { label: question, to: paths.answer(id) }],
    // Left out of what a browser loads: the prerender alone asks for it.
    ...(import.meta.env.SSR && { structured: (faq) => [questionAndAnswer(faq)] }),
  }),
  still(screens.contact, () => import("./contact/ContactScreen"), {
    module: "libs/desk/src/contact/ContactScreen.tsx",
    crumbs: () => [contact],
  }),
  still(screens.contactComplete, () => import("./contact/ContactCompleteScreen"), {
    module: "libs/desk/src/contact/ContactCompleteScreen.tsx",
    crumbs: () => [contact, { label: "送信完了", to: paths.contactComplete() }],
  }),
  screen<readonly EntryExam[]>(screens.entryExam, () => import("./exam/EntryExamScreen"), {
    module: "libs/desk/src/exam/EntryExamScreen.tsx",
    readsQuery: true,
    crumbs: () => [{ label: "入試カレンダー", to: paths.entryExam() }],
  }),
  ...successYears.map((year) =>
    screen<SuccessYear>(screens[`success${year}`], () => import("./success/SuccessScreen"), {
      module: "libs/desk/src/success/SuccessScreen.tsx",
      modified: ({ as_of }) => as_of,
      crumbs: () => [{ label: `${year}年 合格実績`, to: paths.success(year) }],
    }),
  ),
];
