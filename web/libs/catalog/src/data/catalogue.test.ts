import { expect, test } from "vitest";
import { type CourseCardData, homeData, listData, readFilters } from "./catalogue";

function course(id: number, school_year: string, category: string): CourseCardData {
  return {
    id,
    name: `${school_year}${category}`,
    category,
    school_year,
    level: "標準",
    summary: "",
    duration_sum: 600,
    lesson_count: 2,
    teacher: { id: 1, name: "佐倉みのり" },
  };
}

const courses = [
  course(1, "中1", "英語"),
  course(2, "中1", "英語"),
  course(3, "中1", "数学"),
  course(4, "高3", "社会"),
];

test("the front page counts, it does not claim", () => {
  expect(homeData(courses)).toMatchObject({ count: 4, lesson_count: 8, duration_sum: 2400 });
});

test("the shelves hold the years and subjects that have courses, in their order", () => {
  expect(homeData(courses).shelves).toEqual([
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

test("every subject is featured before one is featured twice", () => {
  expect(homeData(courses).featured.map(({ id }) => id)).toEqual([1, 3, 4, 2]);
});

test.each([
  [0, 1],
  [24, 1],
  [25, 2],
])("%d courses fill %d pages", (count, pages) => {
  expect(listData({}, count, []).pages).toBe(pages);
});

test("the filters are what the address says", () => {
  const search = new URLSearchParams({ school_year: "中1", category: "英語", page: "2", utm: "x" });
  expect(readFilters(search)).toEqual({ school_year: "中1", category: "英語", page: 2 });
  expect(readFilters(new URLSearchParams({ school_year: "", page: "1" }))).toEqual({});
});

test.each(["0", "-1", "1.5", "abc", "１", "", "99999999999"])(
  "a page that no link of the site names is refused: %j",
  (page) => {
    expect(readFilters(new URLSearchParams({ page }))).toBeNull();
  },
);
