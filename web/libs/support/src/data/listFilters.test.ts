import { expect, test } from "vitest";
import { filtersOf, readAnswerFilters, readNoticeFilters } from "./listFilters";

test("the filters are read from the address", () => {
  const search = new URLSearchParams({ category: "講座", page: "2", q: " 解約 ", utm: "x" });
  expect(readNoticeFilters(search)).toEqual({ category: "講座", page: 2 });
  expect(readAnswerFilters(search)).toEqual({ category: "講座", q: "解約", page: 2 });
  expect(readAnswerFilters(new URLSearchParams({ q: " ", category: "", page: "1" }))).toEqual({});
});

test.each(["0", "-1", "1.5", "abc", "１", ""])("page %j is invalid", (page) => {
  expect(readNoticeFilters(new URLSearchParams({ page }))).toBeNull();
  expect(readAnswerFilters(new URLSearchParams({ page }))).toBeNull();
});

test("an invalid address is not found", () => {
  const request = new Request("https://konomana.example/notice?page=0");
  expect(() => filtersOf(readNoticeFilters, request)).toThrow(
    expect.objectContaining({ init: { status: 404 } }),
  );
});
