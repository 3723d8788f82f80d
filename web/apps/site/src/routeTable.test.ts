import { expect, test } from "vitest";
import { pagePaths, routeTable } from "./routeTable";
import { loadAllScreens } from "./router/domains";
import type { Snapshot } from "./siteSnapshot";

/** The minimal content of an entity with a page. */
const known = (id: number) => ({ id }) as never;

const snapshot: Snapshot = {
  catalogue: { courses: [known(101), known(102)], teachers: [known(3)] },
  desk: { notices: [known(12)], faqs: [known(3)], success: [], entryExams: [] },
  exam: { exams: [], checks: [] },
};

test("entities in the build are prerendered, and later ones may have a page", async () => {
  const screens = await loadAllScreens();
  const { prerendered, shell, maybe } = routeTable(screens, snapshot);
  expect(prerendered).toEqual(pagePaths(screens, snapshot));
  expect(prerendered).toEqual(
    expect.arrayContaining([
      "/",
      "/test",
      "/course/101",
      "/course/102",
      "/notice/12",
      "/inquiry/3",
    ]),
  );
  expect(prerendered.filter((path) => path.includes(":"))).toEqual([]);
  expect(maybe).toEqual(expect.arrayContaining(["/course/:id", "/notice/:id", "/inquiry/:id"]));
  expect(shell).toMatchObject({
    "/login": "shells/login.html",
    "/mypage/learnning/:id": "shells/mypage-learnning-id.html",
  });
  expect(new Set(Object.values(shell)).size).toBe(Object.keys(shell).length);
  // Timeout: every screen is compiled.
}, 30_000);
