import { freshStorage, refusingStorage } from "@konomana/testing/storage";
import { beforeEach, expect, test, vi } from "vitest";
import { addRecentlyViewed, clearRecentlyViewed, recentlyViewed } from "./recentlyViewed";

const course = (id: number, name = `講座${id}`) => ({
  id,
  name,
  category: "数学",
  school_year: "中1",
});

const ids = () => recentlyViewed.get().map(({ id }) => id);

beforeEach(() => {
  freshStorage();
  clearRecentlyViewed();
});

test("the last viewed course comes first, and each course is listed once", () => {
  for (const id of [101, 102, 103, 101]) addRecentlyViewed(course(id));
  expect(ids()).toEqual([101, 103, 102]);
});

test("a renamed course has its new name", () => {
  addRecentlyViewed(course(101, "まえの名前"));
  addRecentlyViewed(course(101, "いまの名前"));
  expect(recentlyViewed.get()).toEqual([course(101, "いまの名前")]);
});

test("twenty courses are stored", () => {
  for (let id = 1; id <= 25; id++) addRecentlyViewed(course(id));
  expect(ids()).toHaveLength(20);
  expect(ids()[0]).toBe(25);
});

test("only the displayed fields are stored", () => {
  addRecentlyViewed({ ...course(101), price: 13_200 } as ReturnType<typeof course>);
  expect(recentlyViewed.get()[0]).toEqual(course(101));
});

test("cleared courses are gone", () => {
  addRecentlyViewed(course(101));
  clearRecentlyViewed();
  expect(recentlyViewed.get()).toEqual([]);
});

test.each(["", "x", "null", "{}", "[null]", '[{"id":"101"}]', '[{"id":101,"name":"a"}]'])(
  "a stored value with another shape is ignored: %s",
  (text) => {
    localStorage.setItem("konomana.recently-viewed", text);
    recentlyViewed.reload();
    expect(recentlyViewed.get()).toEqual([]);
  },
);

test("full storage does not break the page", () => {
  vi.spyOn(localStorage, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  addRecentlyViewed(course(101));
  expect(ids()).toEqual([101]);
});

test("refused storage does not break the page", () => {
  refusingStorage();
  recentlyViewed.reload();
  expect(recentlyViewed.get()).toEqual([]);
  addRecentlyViewed(course(101));
  expect(ids()).toEqual([101]);
});
