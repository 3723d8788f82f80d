/** Questions of lessons, their results, and what comes back for review, as the edge's API answers them. */

interface Named {
  id: number;
  name: string;
}

/** What one paged answer has beside its results. */
interface Paged<Row> {
  count: number;
  next: string | null;
  previous: string | null;
  results: Row[];
}

export type QuestionKind = "single" | "multiple" | "number" | "text";

/** A picture that belongs to a question, with what it shows in words. */
export interface QuestionPicture {
  url: string;
  alt: string;
}

export interface Choice {
  id: number;
  text: string;
}

/** What somebody answers: the choices, the number or the words. */
export type Given = { choices: number[] } | { number: string } | { text: string };

/** Which round a question belongs to, and how far that one is. */
export interface ResultProgress {
  id: number;
  answered: number;
  of: number;
  is_finished: boolean;
}

/** What became of an answer. Before the graded try nobody gets one. */
export interface Outcome {
  is_right: boolean;
  given: Given;
  key: Given;
  explanation: string;
  /** The second of the lesson's video that explains it. */
  watch_again_at: number | null;
  /** Null where the answer belongs to no round: in review. */
  result: ResultProgress | null;
}

/** A question as its lesson lists it. */
export interface QuestionSummary {
  id: number;
  /** Its place among the lesson's questions, from 1. */
  number: number;
  kind: QuestionKind;
  prompt: string;
  picture: QuestionPicture | null;
  choices: Choice[];
  is_required: boolean;
  /** Null before the graded try. */
  graded: { is_right: boolean } | null;
}

/** The questions of a lesson; `result` is the graded round once it has begun. */
export interface LessonQuestions {
  count: number;
  results: QuestionSummary[];
  result: number | null;
}

export interface Question {
  id: number;
  number: number;
  of: number;
  lesson: Named;
  course: Named;
  kind: QuestionKind;
  prompt: string;
  picture: QuestionPicture | null;
  choices: Choice[];
  hint: string | null;
  is_required: boolean;
  previous: number | null;
  next: number | null;
  /** Null before the graded try. */
  graded: Outcome | null;
}

/** How a result is listed: the graded round of a lesson, or one of practice. */
export interface ResultSummary {
  id: number;
  kind: "graded" | "practice";
  lesson: Named;
  course: Named;
  subject: string;
  question_count: number;
  answered_count: number;
  right_count: number;
  started_at: string;
  finished_at: string | null;
}

/** One question of a result; what reveals the answer is null until it is answered. */
export interface ResultAnswer {
  question: Pick<Question, "id" | "number" | "kind" | "prompt" | "picture" | "choices">;
  given: Given | null;
  is_right: boolean | null;
  key: Given | null;
  explanation: string | null;
  watch_again_at: number | null;
}

export interface Result extends ResultSummary {
  answers: ResultAnswer[];
}

export type ResultPage = Paged<ResultSummary>;

/** How a subject went, one point for each learning day with answers. */
export interface SubjectGrowth {
  subject: string;
  points: { date: string; right: number; of: number }[];
}

/** A question that is due again, because it was answered wrong. */
export interface ReviewItem {
  question_id: number;
  prompt: string;
  lesson: Named;
  course: Named;
  due_at: string;
  /** How often it has come back already. */
  step: number;
}

export type ReviewPage = Paged<ReviewItem>;
