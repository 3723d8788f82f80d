import type { Faq, SuccessYear } from "@konomana/api";
import {
  type Crumb,
  paths,
  type ScreenHandle,
  screens,
  type SuccessYearNumber,
  successYears,
} from "@konomana/paths";
import { type ComponentType } from "react";
import { data, type LoaderFunctionArgs, type RouteObject } from "react-router";
import { questionAndAnswer } from "./answer/structured";
import { type NoticeData, readAnswerFilters, readNoticeFilters } from "./data/lists";
import { deskSource } from "./data/source";

const notices: Crumb = { label: "お知らせ", to: paths.notices() };
const answers: Crumb = { label: "よくある質問", to: paths.answers() };
const contact: Crumb = { label: "お問い合わせ", to: paths.contact() };
const complete: Crumb = { label: "送信完了", to: paths.contactComplete() };

/** A screen that is fetched when somebody opens it. */
function screen<Data>(
  { pattern }: { pattern: string },
  load: () => Promise<{ Component: ComponentType }>,
  handle: ScreenHandle<Data>,
): RouteObject {
  return { path: pattern, lazy: { Component: async () => (await load()).Component }, handle };
}

/** What an address asks a list for; an address that no link of the site writes is not found. */
function readOf<Filters>(read: (search: URLSearchParams) => Filters | null, request: Request) {
  const { pathname, search, searchParams } = new URL(request.url);
  const filters = read(searchParams);
  if (filters === null) throw data(`Page not found: ${pathname}${search}`, { status: 404 });
  return filters;
}

function successScreen(year: SuccessYearNumber): RouteObject {
  return {
    ...screen(screens[`success${year}`], () => import("./success/SuccessScreen"), {
      module: "libs/desk/src/success/SuccessScreen.tsx",
      modified: ({ as_of }: SuccessYear) => as_of,
      crumbs: () => [{ label: `${year}年 合格実績`, to: paths.success(year) }],
    }),
    loader: ({ context, request }) => context.get(deskSource).success(year, request.signal),
  };
}

export const routes: RouteObject[] = [
  {
    ...screen(screens.notices, () => import("./notice/NoticeListScreen"), {
      module: "libs/desk/src/notice/NoticeListScreen.tsx",
      readsQuery: true,
      crumbs: () => [notices],
    }),
    loader: ({ context, request }) =>
      context.get(deskSource).notices(readOf(readNoticeFilters, request), request.signal),
  },
  {
    ...screen(screens.notice, () => import("./notice/NoticeScreen"), {
      module: "libs/desk/src/notice/NoticeScreen.tsx",
      modified: ({ notice }: NoticeData) => notice.modified_at,
      crumbs: ({ notice: { id, title } }: NoticeData) => [
        notices,
        { label: title, to: paths.notice(id) },
      ],
    }),
    loader: ({ context, request, params }) =>
      context.get(deskSource).notice(Number(params["id"]), request.signal),
  },
  {
    ...screen(screens.answers, () => import("./answer/AnswerListScreen"), {
      module: "libs/desk/src/answer/AnswerListScreen.tsx",
      readsQuery: true,
      crumbs: () => [answers],
    }),
    loader: ({ context, request }: LoaderFunctionArgs) =>
      context.get(deskSource).answers(readOf(readAnswerFilters, request), request.signal),
  },
  {
    ...screen(screens.answer, () => import("./answer/AnswerScreen"), {
      module: "libs/desk/src/answer/AnswerScreen.tsx",
      crumbs: ({ id, question }: Faq) => [answers, { label: question, to: paths.answer(id) }],
      // Left out of what a browser loads: the prerender alone asks for it.
      ...(import.meta.env.SSR && { structured: (faq: Faq) => [questionAndAnswer(faq)] }),
    }),
    loader: ({ context, request, params }) =>
      context.get(deskSource).answer(Number(params["id"]), request.signal),
  },
  screen(screens.contact, () => import("./contact/ContactScreen"), {
    module: "libs/desk/src/contact/ContactScreen.tsx",
    crumbs: () => [contact],
  }),
  screen(screens.contactComplete, () => import("./contact/CompleteScreen"), {
    module: "libs/desk/src/contact/CompleteScreen.tsx",
    crumbs: () => [contact, complete],
  }),
  {
    ...screen(screens.entryExam, () => import("./exam/EntryExamScreen"), {
      module: "libs/desk/src/exam/EntryExamScreen.tsx",
      readsQuery: true,
      crumbs: () => [{ label: "入試カレンダー", to: paths.entryExam() }],
    }),
    loader: ({ context, request }) => context.get(deskSource).entryExams(request.signal),
  },
  ...successYears.map(successScreen),
];
