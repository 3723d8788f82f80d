import { beforeEach, expect, test, vi } from "vitest";
import { lookedCourses, rememberLooked } from "./looked";
import { forgetLooked } from "./forget";
import { freshStorage } from "./testing";

const course = (id: number, name = `講座${id}`) => ({
  id,
  name,
  category: "数学",
  school_year: "中1",
});

const ids = () => lookedCourses().map(({ id }) => id);

beforeEach(freshStorage);

test("the course looked at last comes first, and each stands there once", () => {
  for (const id of [101, 102, 103, 101]) rememberLooked(course(id));
  expect(ids()).toEqual([101, 103, 102]);
});

test("a course that was renamed has its new name", () => {
  rememberLooked(course(101, "まえの名前"));
  rememberLooked(course(101, "いまの名前"));
  expect(lookedCourses()).toEqual([course(101, "いまの名前")]);
});

test("twenty are kept", () => {
  for (let id = 1; id <= 25; id++) rememberLooked(course(id));
  expect(ids()).toHaveLength(20);
  expect(ids()[0]).toBe(25);
});

test("only what is shown again is kept", () => {
  rememberLooked({ ...course(101), price: 13_200 } as ReturnType<typeof course>);
  expect(lookedCourses()[0]).toEqual(course(101));
});

test("what was cleared is gone", () => {
  rememberLooked(course(101));
  forgetLooked();
  expect(lookedCourses()).toEqual([]);
});

test.each(["", "x", "null", "{}", "[null]", '[{"id":"101"}]', '[{"id":101,"name":"a"}]'])(
  "what was not written here is not believed: %s",
  (text) => {
    localStorage.setItem("konomana.looked", text);
    expect(lookedCourses()).toEqual([]);
  },
);

test("a browser that has no room left does not stop the page", () => {
  vi.spyOn(localStorage, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  rememberLooked(course(101));
  expect(lookedCourses()).toEqual([]);
});
