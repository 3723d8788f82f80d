import type { CourseSummary } from "./types";

/** How many courses there would be with this choice, under all other filters. */
export interface FacetValue {
  value: string;
  count: number;
}

export interface CourseFacets {
  school_year: FacetValue[];
  category: FacetValue[];
  level: FacetValue[];
}

interface Page<Result> {
  count: number;
  next: string | null;
  previous: string | null;
  results: Result[];
}

export type ListedCourses = Page<CourseSummary> & { facets: CourseFacets };

export interface TeacherSummary {
  id: number;
  name: string;
  kana: string;
  subjects: string[];
  message: string;
}

export type TeacherPage = Page<TeacherSummary>;
export type Teacher = TeacherSummary & { career: string; courses: CourseSummary[] };

export type HitKind = "course" | "lesson" | "teacher" | "notice" | "faq";

export interface Hit {
  kind: HitKind;
  id: number;
  title: string;
  summary: string;
  /** Of a lesson: the course that it is in. */
  course_id: number | null;
  course_name: string | null;
}

export type HitPage = Page<Hit> & { counts: Record<HitKind, number> };
export type Suggestion = Pick<Hit, "kind" | "id" | "title" | "course_id">;
