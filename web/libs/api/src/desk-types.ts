/** What the school tells, and what people write to it. */

interface Page<Row> {
  count: number;
  next: string | null;
  previous: string | null;
  results: Row[];
}

export interface NoticeSummary {
  id: number;
  /** お知らせ, 講座, イベント or メンテナンス. */
  category: string;
  title: string;
  summary: string;
  /** RFC 3339. */
  published_at: string;
  is_pinned: boolean;
}
export interface Notice extends NoticeSummary {
  body: string;
  /** RFC 3339. */
  modified_at: string;
}
export type NoticePage = Page<NoticeSummary>;

export interface FaqSummary {
  id: number;
  category: string;
  question: string;
  answer: string;
  helpful_count: number;
}
export interface Faq extends FaqSummary {
  related: { id: number; question: string }[];
}
export type FaqPage = Page<FaqSummary>;

export interface SuccessYear {
  year: number;
  /** A day: `2025-05-31`. */
  as_of: string;
  figures: { label: string; count: number; of: number; unit: string }[];
  schools: { name: string; kind: string; count: number }[];
  voices: Voice[];
}
export interface Voice {
  name: string;
  school: string;
  school_year: string;
  text: string;
  course_ids: number[];
}

/** Days are like `2027-02-21`. */
export interface EntryExam {
  id: number;
  prefecture: string;
  kind: string;
  name: string;
  apply_from: string;
  apply_until: string;
  exam_on: string;
  result_on: string;
  subjects: string[];
  note: string;
}

export interface ContactMessage {
  kind: string;
  name: string;
  email: string;
  text: string;
  picture: string | null;
  website: string;
}
