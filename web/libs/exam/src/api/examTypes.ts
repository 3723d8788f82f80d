/** Exams, free checks and applications, as the API's document describes them. */

/** How a question is answered. */
export type QuestionKind = "single" | "multiple" | "number" | "text";

/** An answer as it is sent: the numbers of choices, a number as it was typed, or words. */
export type GivenAnswer = { choices: number[] } | { number: string } | { text: string };

/** A question without its key. */
export interface Question {
  id: number;
  /** From 1, in the order of the paper. */
  number: number;
  kind: QuestionKind;
  /** TeX stands between dollar signs. */
  prompt: string;
  figures: { url: string; alt: string }[];
  choices: { id: number; text: string }[];
  points: number;
}

/** An exam as it is listed. Times are RFC 3339. */
export interface ExamCard {
  id: number;
  name: string;
  school_year: string;
  subjects: string[];
  application_opens_at: string;
  application_closes_at: string;
  starts_at: string;
  ends_at: string;
  results_at: string;
  /** `null`: the exam is free. */
  product_id: number | null;
  /** Whole yen, tax included. */
  price: number | null;
  /** `null`: without a limit. */
  capacity: number | null;
  seats_left: number | null;
}

export interface ExamPaper {
  id: number;
  subject: string;
  minutes: number;
  question_count: number;
  points: number;
}

export interface Exam extends ExamCard {
  description: string;
  papers: ExamPaper[];
}

export interface ListedCheck {
  id: number;
  school_year: string;
  subject: string;
  title: string;
  question_count: number;
}

/** A free check with its questions. */
export interface Check extends Omit<ListedCheck, "question_count"> {
  questions: Question[];
}

/** A free check, scored. */
export interface CheckResult {
  score: number;
  question_count: number;
  questions: {
    question_id: number;
    is_right: boolean;
    answer: GivenAnswer | null;
    key: GivenAnswer;
    explanation: string;
  }[];
  /** Courses that teach what was asked. */
  courses: { id: number; name: string }[];
  /** The next exam. */
  exam: ExamCard | null;
}

/** The first step of an application that is not done. */
export type Stage =
  | "seat"
  | "basic_info"
  | "desired_schools"
  | "device_check"
  | "exam"
  | "handed_in";

export interface ListedApplication {
  exam: ExamCard;
  state: "open" | "mine" | "past";
  stage: Stage;
  has_seat: boolean;
}

export interface BasicInfo {
  last_name: string;
  first_name: string;
  last_kana: string;
  first_kana: string;
  school_year: string;
  school_name: string;
  prefecture: string;
}

export interface School {
  id: number;
  name: string;
  kana: string;
  prefecture: string;
  departments: { id: number; name: string }[];
  /** Whether the school counts 内申. */
  counts_school_marks: boolean;
}

export interface PaperState {
  paper_id: number;
  subject: string;
  minutes: number;
  state: "not_started" | "running" | "handed_in";
  sitting_id: string | null;
  handed_in_at: string | null;
}
