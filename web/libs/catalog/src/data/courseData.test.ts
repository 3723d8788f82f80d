import { expect, test } from "vitest";
import type { CourseSummary } from "../api";
import { homeOf } from "../catalogSnapshot";
import { facetsOf, pagesOf } from "./courseData";
import { isFresh, newsOf, shelvesOf } from "./home";

function course(id: number, school_year: string, category: string): CourseSummary {
  return {
    id,
    name: `${school_year}${category}`,
    category,
    school_year,
    level: "標準",
    summary: "",
    description: "",
    duration_sum: 600,
    lesson_count: 2,
    orientation: null,
    sample_video: null,
    thumbnail: null,
    textbook_bundle: null,
    whiteboard_bundle: null,
    created: "2025-03-10T00:00:00Z",
    modified: "2025-03-10T00:00:00Z",
    teacher: { id: 1, name: "佐倉みのり" },
    product: null,
  };
}

const courses = [
  course(1, "中1", "英語"),
  course(2, "中1", "英語"),
  course(3, "中1", "数学"),
  course(4, "高3", "社会"),
];

const shelves = shelvesOf(homeOf(courses, []));

test("the front page counts courses and lessons", () => {
  expect(shelves).toMatchObject({ count: 4, lesson_count: 8, duration_sum: 2400 });
});

test("the shelves have the years and subjects with courses, in order", () => {
  expect(shelves.shelves).toEqual([
    {
      school_year: "中1",
      categories: [
        { name: "英語", count: 2 },
        { name: "数学", count: 1 },
      ],
    },
    { school_year: "高3", categories: [{ name: "社会", count: 1 }] },
  ]);
});

test("every subject is featured once before any is featured twice", () => {
  expect(shelves.featured.map(({ id }) => id)).toEqual([1, 3, 4, 2]);
});

test("a front page is fresh for an hour", () => {
  const as_of = Date.parse("2026-11-24T09:00:00Z");
  expect(isFresh(as_of, as_of + 59 * 60_000)).toBe(true);
  expect(isFresh(as_of, as_of + 60 * 60_000)).toBe(false);
});

test.each([
  [0, 1],
  [24, 1],
  [25, 2],
])("%d courses fill %d pages", (count, pages) => {
  expect(pagesOf(count, 24)).toBe(pages);
});

test("a facet counts the courses of each value", () => {
  expect(facetsOf(courses).category).toEqual([
    { value: "英語", count: 2 },
    { value: "数学", count: 1 },
    { value: "社会", count: 1 },
  ]);
});

const exam = (id: number, exam_on: string) => ({
  id,
  prefecture: "東京都",
  kind: "公立",
  name: "一般入試",
  apply_from: "2027-01-20",
  apply_until: "2027-01-29",
  exam_on,
  result_on: "2027-03-01",
  subjects: [],
  note: "",
});

test("the next exams are those of today and later, by date in Tokyo", () => {
  const entryExams = [exam(1, "2027-02-20"), exam(2, "2027-02-21"), exam(3, "2027-02-22")];
  const told = { notices: [], success: [], entryExams, exams: [] };
  const ids = (now: string) => newsOf(told, new Date(now)).exams.map(({ id }) => id);
  expect(ids("2027-02-20T14:59:00Z")).toEqual([1, 2, 3]);
  expect(ids("2027-02-20T15:00:00Z")).toEqual([2, 3]);
});

test("a school without notices, exams and figures has no news", () => {
  const told = { notices: [], success: [], entryExams: [], exams: [] };
  expect(newsOf(told, new Date(0))).toEqual({
    notices: [],
    exams: [],
    success: null,
  });
});

const mock = (name: string, closes: string) => ({ name, application_closes_at: closes }) as never;

test("the front page names the next mock exam that is open for application", () => {
  const exams = [mock("第1回", "2026-12-01T00:00:00Z"), mock("第2回", "2027-01-10T00:00:00Z")];
  const told = { notices: [], success: [], entryExams: [], exams };
  const nameAt = (now: string) => newsOf(told, new Date(now)).mockExam?.name;
  expect(nameAt("2026-11-30T00:00:00Z")).toBe("第1回");
  expect(nameAt("2026-12-02T00:00:00Z")).toBe("第2回");
  expect(nameAt("2027-01-12T00:00:00Z")).toBeUndefined();
});
