import { expect, test } from "vitest";
import { pathOf, readSearch } from "./find";

const read = (query: string) => readSearch(new URLSearchParams(query));

test("an empty text searches nothing", () => {
  expect(read("")).toBeNull();
  expect(read("q=%20%E3%80%80&kind=course")).toBeNull();
});

test("the address has text, kind and page", () => {
  expect(read("q= 二次関数 &kind=lesson&page=3")).toEqual({
    q: "二次関数",
    kind: "lesson",
    page: 3,
  });
});

test("only results of one kind have pages; an invalid kind or page is ignored", () => {
  expect(read("q=数学&page=3")).toEqual({ q: "数学", kind: undefined, page: 1 });
  expect(read("q=数学&kind=book&page=0")).toEqual({ q: "数学", kind: undefined, page: 1 });
});

test("a lesson's path leads to the outline of its course", () => {
  expect(pathOf({ kind: "lesson", id: 5, course_id: 101 })).toBe("/course/101#lesson-5");
  expect(pathOf({ kind: "teacher", id: 2, course_id: null })).toBe("/teacher/2");
});
