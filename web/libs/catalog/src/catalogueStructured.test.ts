import type { Course } from "./api";
import { expect, test } from "vitest";
import * as structured from "./catalogueStructured";

const absolute = (path: string) => new URL(path, "https://konomana.example").href;

const course: Course = {
  id: 101,
  name: "中1英語 be動詞から一般動詞へ",
  category: "英語",
  school_year: "中1",
  level: "基礎",
  description: "",
  summary: "自分や友だちのことを英語で言えるようになります。",
  duration_sum: 9433,
  lesson_count: 18,
  orientation: null,
  sample_video: null,
  thumbnail: null,
  textbook_bundle: null,
  whiteboard_bundle: null,
  teacher: { id: 1, name: "佐倉みのり" },
  created: "2025-03-10T00:00:00Z",
  modified: "2025-03-10T00:00:00Z",
  product: { id: 1101, price: 13_200, period_days: 365, sale_ends_at: null },
  course_chapter: [],
};

test("a course has its price in yen, its provider and its duration", () => {
  expect(structured.course({ course, teacher: null }, absolute)).toMatchObject([
    {
      "@type": "Course",
      url: "https://konomana.example/course/101",
      provider: { name: "コノマナ", url: "https://konomana.example/" },
      hasCourseInstance: {
        courseMode: "Online",
        courseWorkload: "PT2H37M",
        instructor: { url: "https://konomana.example/teacher/1" },
      },
      offers: { category: "Paid", price: 13_200, priceCurrency: "JPY" },
    },
  ]);
});

test("a course that is not on sale has no offer; a limited sale has its end date", () => {
  const [unsold] = structured.course(
    { course: { ...course, product: null }, teacher: null },
    absolute,
  );
  expect(unsold).not.toHaveProperty("offers");
  const product = { id: 1, price: 1, period_days: null, sale_ends_at: "2027-03-31T15:00:00Z" };
  const [ending] = structured.course({ course: { ...course, product }, teacher: null }, absolute);
  expect(ending).toHaveProperty("offers.priceValidUntil", "2027-03-31T15:00:00Z");
});

test("a list names its courses in order", () => {
  const facets = { school_year: [], category: [], level: [] };
  const list = { filters: {}, count: 1, pages: 1, facets, courses: [course] };
  expect(structured.list(list, absolute)).toMatchObject([
    { itemListElement: [{ position: 1, url: "https://konomana.example/course/101" }] },
  ]);
});

test("the front page names the operator", () => {
  expect(structured.home(null, absolute)).toMatchObject([
    { "@type": "EducationalOrganization", name: "コノマナ" },
    { "@type": "WebSite", url: "https://konomana.example/" },
  ]);
});
