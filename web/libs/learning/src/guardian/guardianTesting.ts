/** Test support for guardians: a guardian, a child, and what both see. */
import type { User } from "@konomana/session";
import { learner } from "@konomana/testing";
import type { Child, ChildCourse, ChildProgress, Overview } from "../api";

export const CHILD = "018f0000-0000-7000-8000-000000000009";

export const guardian: User = { ...learner, scope: ["guardian"], school_year: null };

export const aoi: Child = {
  id: CHILD,
  link_id: "l1",
  name: "木下 葵",
  school_year: "高1",
  since: "2026-11-01T00:00:00Z",
  guardian_consent: "given",
};

/** A child's progress as their guardian sees it. */
export const progressOf = (given: Partial<ChildProgress> = {}): ChildProgress => ({
  ...aoi,
  courses: [algebra],
  week_seconds: 5_400,
  next_lesson: { lesson: "頂点を求める", course: "高1数学" },
  due_count: 0,
  ...given,
});

const algebra: ChildCourse = {
  id: 1,
  name: "高1数学",
  lesson_count: 18,
  check_count: 9,
  completed_at: null,
  expire_at: "2027-03-31T15:00:00Z",
  last_watched_at: null,
};

/** What the guardian and the child see. */
export const overviewOf = (given: Partial<Overview> = {}): Overview => ({
  id: CHILD,
  name: aoi.name,
  school_year: aoi.school_year,
  learning: {
    days: Array.from({ length: 14 }, (_, index) => ({
      date: `2026-11-${String(index + 7).padStart(2, "0")}`,
      seconds: index * 60,
    })),
    courses: [algebra],
    next_lesson: { lesson: "頂点を求める", course: "高1数学" },
    due_count: 4,
    subjects: [{ subject: "数学", answer_count: 40, right_count: 30, last_date: "2026-11-20" }],
  },
  exams: { next: [], results: [], last_total: null },
  appointments: { interviews: [], events: [] },
  purchases: [],
  ...given,
});

export const OVERVIEW = "GET accounts/guardian/children/{id}/overview/";
export const OWN_OVERVIEW = "GET accounts/guardian/overview/";
export const LINKS = "GET accounts/guardian/links/";
export const CHILDREN = "GET accounts/guardian/children/";

/** A learner with something in every part. */
export const fullOverview = () =>
  overviewOf({
    exams: {
      next: [
        {
          exam_id: 2,
          name: "コノ模試 第2回",
          starts_at: "2026-12-20T00:00:00Z",
          ends_at: "2026-12-20T09:00:00Z",
          is_application_open: true,
        },
      ],
      results: [
        {
          exam_id: 1,
          exam_name: "コノ模試 第1回",
          ends_at: "2026-11-30T15:00:00Z",
          is_final: true,
        },
      ],
      last_total: { points: 312, full_points: 500, deviation_score_tenths: 548 },
    },
    appointments: {
      interviews: [
        {
          kind_name: "三者面談",
          teacher: "高瀬航",
          starts_at: "2026-12-01T09:00:00Z",
          ends_at: "2026-12-01T09:30:00Z",
        },
      ],
      events: [
        {
          event_id: 2,
          title: "入試説明会",
          place: "オンライン",
          starts_at: "2026-12-05T01:00:00Z",
          ends_at: "2026-12-05T03:00:00Z",
          has_place: false,
        },
      ],
    },
    purchases: [
      { name: "高1数学", placed_at: "2026-11-01T00:00:00Z", state: "fulfilled", amount: 18_800 },
    ],
  });
