import { PERSONAL } from "@konomana/http";

type Id = number | string;

const note = [...PERSONAL, "note"] as const;
const question = [...PERSONAL, "question"] as const;
const result = [...PERSONAL, "result"] as const;
const review = [...PERSONAL, "review"] as const;

/** Query keys of my page. `all` is the prefix of every key of its group. */
export const noteKeys = {
  all: note,
  page: (page: string) => [...note, { page }] as const,
  ofLesson: (id: number) => [...note, { lesson: id }] as const,
};

export const weekKey = [...PERSONAL, "week"] as const;

export const questionKeys = {
  all: question,
  one: (id: Id) => [...question, String(id)] as const,
  ofLesson: (id: Id) => [...question, { lesson: String(id) }] as const,
};

export const resultKeys = {
  all: result,
  page: (page: string) => [...result, { page }] as const,
  one: (id: Id) => [...result, String(id)] as const,
  growth: [...result, "growth"] as const,
};

export const reviewKeys = {
  all: review,
  page: (page: string) => [...review, { page }] as const,
  /** Questions of mock exams. */
  exam: [...review, "exam"] as const,
  examQuestion: (id: number) => [...PERSONAL, "exam-question", id] as const,
};

export const guardianKeys = {
  children: [...PERSONAL, "children"] as const,
  child: (id: string) => [...PERSONAL, "child", id] as const,
  childOverview: (id: string) => [...PERSONAL, "child", id, "overview"] as const,
  ownOverview: [...PERSONAL, "overview"] as const,
  views: [...PERSONAL, "guardian-views"] as const,
};
