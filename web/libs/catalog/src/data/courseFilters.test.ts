import { type CourseFilters, paths } from "@konomana/paths";
import { describe, expect, test } from "vitest";
import { changed, chipsOf, readFilters, titleOf, toggled } from "./courseFilters";
import { isWhole } from "./isWhole";

const read = (query: string) => readFilters(new URLSearchParams(query));
const queryOf = (filters: CourseFilters) => paths.courses(filters).replace(/^[^?]*\??/, "");

const whole: CourseFilters = {
  school_year: ["中1", "中2"],
  category: ["英語"],
  level: ["基礎"],
  price_min: 10_000,
  price_max: 20_000,
  q: "be動詞 一般動詞",
  sort: "-price",
  page: 2,
};

describe("address and filters", () => {
  test("written filters are read back unchanged", () => {
    expect(read(queryOf(whole))).toEqual(whole);
    expect(queryOf(read(queryOf(whole)) ?? {})).toBe(queryOf(whole));
  });

  test("an empty query has no filter", () => {
    expect(read("")).toEqual({});
    expect(read("school_year=&q=%E3%80%80&page=1&sort=recommended&utm_source=x")).toEqual({});
    expect(isWhole(read("") ?? whole)).toBe(true);
    expect(isWhole(whole)).toBe(false);
  });

  test("a repeated choice counts once", () => {
    expect(read("category=英語&category=英語")).toEqual({ category: ["英語"] });
  });

  test.each([
    "price_min=abc",
    "price_max=-1",
    "price_min=1e3",
    "sort=cheapest",
    "price_max=1.5",
    "school_year=小6",
  ])("an invalid filter is ignored: %s", (query) => {
    expect(read(query)).toEqual({});
  });

  test.each(["0", "-1", "1.5", "abc", "１", "", "99999999999"])(
    "an invalid page is refused: %j",
    (page) => {
      expect(read(`page=${encodeURIComponent(page)}`)).toBeNull();
    },
  );

  test("a text is cut to the API's limit", () => {
    expect(read(`q=${"あ".repeat(200)}`)?.q).toHaveLength(100);
    expect(read(`q=${"😀".repeat(200)}`)?.q).toBe("😀".repeat(100));
    expect(read("q=%00be%0A動詞%7F")?.q).toBe("be 動詞");
  });
});

describe("a change", () => {
  test("starts at the first page and keeps the other filters", () => {
    expect(toggled(whole, "category", "数学")).toEqual({
      ...whole,
      category: ["英語", "数学"],
      page: undefined,
    });
  });

  test("applied twice is undone", () => {
    expect(queryOf(toggled(toggled(whole, "level", "発展"), "level", "発展"))).toBe(
      queryOf({ ...whole, page: undefined }),
    );
  });

  test("of one price limit removes the other if no price fits both", () => {
    expect(changed(whole, { price_min: 25_000 })).toMatchObject({
      price_min: 25_000,
      price_max: undefined,
    });
    expect(changed(whole, { price_max: 5_000 })).toMatchObject({
      price_min: undefined,
      price_max: 5_000,
    });
  });
});

test("every filter has a chip and can be removed alone", () => {
  const chips = chipsOf(whole);
  expect(chips.map(({ label }) => label)).toEqual([
    "「be動詞 一般動詞」",
    "中1",
    "中2",
    "英語",
    "基礎",
    "10,000円以上",
    "20,000円以下",
  ]);
  expect(chips[1]?.without.school_year).toEqual(["中2"]);
  expect(chipsOf({ sort: "new", page: 3 })).toEqual([]);
});

test.each([
  [{}, "講座をさがす"],
  [{ school_year: ["中1"] }, "中1の講座"],
  [{ school_year: ["中1"], category: ["英語"], q: "動詞" }, "中1 英語の講座"],
  [{ school_year: ["中1", "中2"] }, "講座をさがす"],
  [{ q: "動詞" }, "「動詞」の講座"],
])("a list has a title: %j", (filters, title) => {
  expect(titleOf(filters)).toBe(title);
});
