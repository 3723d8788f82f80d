import type { FaqSummary, Notice, NoticeSummary } from "../api";
import type { AnswerFilters, NoticeFilters } from "@konomana/paths";

/** The number of rows per page. It must equal the API's. */
export const PAGE_SIZE = 20;

/** The categories of notices, as in the API. */
export const noticeCategories = ["お知らせ", "講座", "イベント", "メンテナンス"] as const;

/** One page of the notices. */
export interface NoticeList {
  readonly filters: NoticeFilters;
  /** At least 1, also for an empty list. */
  readonly pages: number;
  readonly notices: readonly NoticeSummary[];
}

/** The previous or the next notice. */
export interface Neighbour {
  readonly id: number;
  readonly title: string;
}

/** A notice with its neighbours. */
export interface NoticeData {
  readonly notice: Notice;
  readonly newer: Neighbour | null;
  readonly older: Neighbour | null;
}

/** A question in a list. */
export type AnswerRow = Pick<FaqSummary, "id" | "category" | "question" | "helpful_count">;

/** One page of the questions. */
export interface AnswerList {
  readonly filters: AnswerFilters;
  readonly count: number;
  readonly pages: number;
  /** All categories of questions, in order. */
  readonly categories: readonly string[];
  readonly answers: readonly AnswerRow[];
}

export function pagesOf(count: number): number {
  return Math.max(1, Math.ceil(count / PAGE_SIZE));
}

/** Drops the fields that a list does not show, because a page contains the data of all its rows. */
export function toNoticeRow(notice: NoticeSummary): NoticeSummary {
  const { id, category, title, summary, published_at, is_pinned } = notice;
  return { id, category, title, summary, published_at, is_pinned };
}

export function toAnswerRow({ id, category, question, helpful_count }: FaqSummary): AnswerRow {
  return { id, category, question, helpful_count };
}

export function categoriesOf(rows: readonly { readonly category: string }[]): string[] {
  return [...new Set(rows.map(({ category }) => category))];
}

/**
 * A notice with its neighbours by the day of publication. Pinned notices are sorted like others.
 */
export function withNeighbours(notice: Notice, others: readonly NoticeSummary[]): NoticeData {
  const byDay = others.toSorted(
    (one, other) =>
      Date.parse(other.published_at) - Date.parse(one.published_at) || other.id - one.id,
  );
  const at = byDay.findIndex(({ id }) => id === notice.id);
  const neighbour = (index: number): Neighbour | null => {
    const found = at < 0 ? undefined : byDay[index];
    return found === undefined ? null : { id: found.id, title: found.title };
  };
  return { notice, newer: neighbour(at - 1), older: neighbour(at + 1) };
}
