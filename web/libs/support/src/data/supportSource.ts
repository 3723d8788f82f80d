import { ApiError, readPayload } from "@konomana/http";
import { supportCalls, type EntryExam, type Faq, type SuccessYear } from "../api";
import {
  type AnswerFilters,
  type NoticeFilters,
  paths,
  type SuccessYearNumber,
} from "@konomana/paths";
import { createContext } from "react-router";
import {
  type AnswerList,
  categoriesOf,
  type NoticeData,
  type NoticeList,
  pagesOf,
  toAnswerRow,
  withNeighbours,
} from "./lists";

/** The data source of the support screens. Every failure is an `ApiError`. */
export interface SupportSource {
  notices(filters: NoticeFilters, signal: AbortSignal): Promise<NoticeList>;
  notice(id: number, signal: AbortSignal): Promise<NoticeData>;
  answers(filters: AnswerFilters, signal: AbortSignal): Promise<AnswerList>;
  answer(id: number, signal: AbortSignal): Promise<Faq>;
  success(year: SuccessYearNumber, signal: AbortSignal): Promise<SuccessYear>;
  entryExams(signal: AbortSignal): Promise<readonly EntryExam[]>;
}

/** The source that always asks the API. */
export const newest: SupportSource = {
  async notices(filters, signal) {
    const { count, results } = await supportCalls.notices(filters, signal);
    return { filters, pages: pagesOf(count), notices: results };
  },

  async notice(id, signal) {
    const [notice, { results }] = await Promise.all([
      supportCalls.notice(id, signal),
      supportCalls.notices({}, signal),
    ]);
    return withNeighbours(notice, results);
  },

  async answers(filters, signal) {
    const [{ count, results }, categories] = await Promise.all([
      supportCalls.faqs(filters, signal),
      everyCategory(filters, signal),
    ]);
    return {
      filters,
      count,
      pages: pagesOf(count),
      categories: categories ?? categoriesOf(results),
      answers: results.map(toAnswerRow),
    };
  },

  answer: (id, signal) => supportCalls.faq(id, signal),
  success: (year, signal) => supportCalls.success(year, signal),
  entryExams: async (signal) => (await supportCalls.entryExams(signal)).results,
};

export function isWholeList(filters: AnswerFilters): boolean {
  return paths.answers(filters) === paths.answers();
}

/** The categories of all answers, which a filtered list does not contain. */
async function everyCategory(filters: AnswerFilters, signal: AbortSignal) {
  if (isWholeList(filters)) return null;
  return (await readPayload<AnswerList>(paths.answers(), signal))?.categories ?? null;
}

/** The source in a browser: the files of the build if they have the data, else the API. */
export const browserSource: SupportSource = {
  async notices(filters, signal) {
    const whole = paths.notices(filters) === paths.notices();
    const payload = whole ? await readPayload<NoticeList>(paths.notices(), signal) : null;
    return payload ?? newest.notices(filters, signal);
  },

  notice: async (id, signal) =>
    (await readPayload<NoticeData>(paths.notice(id), signal)) ?? newest.notice(id, signal),

  async answers(filters, signal) {
    const payload = isWholeList(filters)
      ? await readPayload<AnswerList>(paths.answers(), signal)
      : null;
    return payload ?? newest.answers(filters, signal);
  },

  answer: async (id, signal) =>
    (await readPayload<Faq>(paths.answer(id), signal)) ?? newest.answer(id, signal),

  success: async (year, signal) =>
    (await readPayload<SuccessYear>(paths.success(year), signal)) ?? newest.success(year, signal),

  entryExams: async (signal) =>
    (await readPayload<readonly EntryExam[]>(paths.entryExam(), signal)) ??
    newest.entryExams(signal),
};

/** Gives loaders their data source. The prerender replaces it by the snapshot. */
export const supportSource = createContext<SupportSource>(browserSource);

/** The error for missing data. */
export function notThere(): ApiError {
  return new ApiError({ status: 404, code: "NOT_FOUND", traceId: "" });
}
