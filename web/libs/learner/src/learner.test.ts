import { connectApi } from "@konomana/http";
import { serve } from "@konomana/http/testing";
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test } from "vitest";
import { inventoryQuery } from "./inventory";
import { bookmarkedCoursesQuery, courseMarksQuery } from "./marks";

const queries = new QueryClient();

beforeEach(() => {
  queries.clear();
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => null,
  });
});

test("the marks of a course are read up to the last page", async () => {
  const { origin, received } = await serve(({ path }) => ({
    body: path.includes("page=2")
      ? { count: 2, next: null, previous: null, results: [{ lesson: { id: 12 } }] }
      : {
          count: 2,
          next: `${origin}/api/lms/check/?lesson__unit__chapter__course=101&page=2`,
          previous: null,
          results: [{ lesson: { id: 11 } }],
        },
  }));
  await expect(queries.fetchQuery(courseMarksQuery("check", 101))).resolves.toEqual([11, 12]);
  expect(received).toHaveLength(2);
});

test("bookmarked courses are identified by their id", async () => {
  await serve(() => ({
    body: { count: 1, next: null, previous: null, results: [{ course: { id: 101 } }] },
  }));
  await expect(queries.fetchQuery(bookmarkedCoursesQuery)).resolves.toEqual([101]);
});

test("spec §4: Inventory paging moves to the previous or next page through the next and previous links", async () => {
  const { origin, received } = await serve(() => ({ body: { results: [] } }));
  await queries.fetchQuery(inventoryQuery(2, `${origin}/api/lms/inventory/?cursor=x&page=2`));
  expect(received[0]?.path).toBe("/api/lms/inventory/?cursor=x&page=2");
});
