import { alertStore } from "@konomana/ui-base";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { type Answers, inDays, itemOf, listOf, problem } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { markOf, open, recentOf } from "../testing/learner";

const PATH = "/mypage/learnning/1";

const owned = (given: Parameters<typeof itemOf>[0] = {}, answers: Answers = {}) =>
  open(PATH, { answers: { "GET lms/inventory/1/": () => itemOf(given), ...answers } });

const lesson = (name: string) => page.getByRole("listitem").filter({ hasText: name }).last();

test("a lesson leads to the player and to its page, and shows the watched position", async () => {
  await owned({}, { "GET lms/recent/": () => listOf(recentOf(12)) });
  await expect
    .element(page.getByRole("link", { name: "動詞を見つける", exact: true }))
    .toHaveAttribute("href", "/lecture/12");
  await expect
    .element(page.getByRole("link", { name: "動詞を見つけるの内容とノート" }))
    .toHaveAttribute("href", "/mypage/lecture/12");
  await expect.element(lesson("動詞を見つける").getByText("5:12 / 7:31")).toBeVisible();
  await expect.element(lesson("主語を見つける").getByText("7分31秒")).toBeVisible();
});

test("a lesson watched long ago shows its position, too", async () => {
  const next = "https://konomana.example/api/lms/recent/?course=101&page=2";
  const { calls } = await owned(
    {},
    {
      "GET lms/recent/": ({ query }) =>
        query.has("page") ? listOf(recentOf(12)) : { ...listOf(recentOf(13)), next },
    },
  );
  await expect.element(lesson("動詞を見つける").getByText("5:12 / 7:31")).toBeVisible();
  expect(calls.filter((call) => call.startsWith("GET lms/recent/"))).toEqual([
    "GET lms/recent/?course=101",
    "GET lms/recent/?course=101&page=2",
  ]);
});

test.each([
  ["nothing watched", [], [], "最初のレッスンを見る", "/lecture/11"],
  ["one left in the middle", [recentOf(12)], [11], "つづきから見る", "/lecture/12"],
  [
    "one that is through",
    [recentOf(12, { is_check: true })],
    [12],
    "つづきから見る",
    "/lecture/13",
  ],
] as const)("with %s the right lesson is next", async (_, watched, checked, name, href) => {
  await owned(
    {},
    {
      "GET lms/recent/": () => listOf(...watched),
      "GET lms/check/": () => listOf(...checked.map(markOf)),
    },
  );
  await expect.element(page.getByRole("link", { name })).toHaveAttribute("href", href);
});

test("if the watched lessons can't be loaded, the checks decide", async () => {
  await owned(
    {},
    {
      "GET lms/recent/": () => problem(500, "INTERNAL"),
      "GET lms/check/": () => listOf(markOf(11)),
    },
  );
  await expect
    .element(page.getByRole("link", { name: "つづきから見る" }))
    .toHaveAttribute("href", "/lecture/12");
});

test("a lesson added after completion is marked new, and the progress stays at 100 %", async () => {
  await owned(
    { completed_at: "2026-10-01T00:00:00Z", check_count: 3 },
    { "GET lms/check/": () => listOf(...[11, 12, 13].map(markOf)) },
  );
  await expect.element(lesson("否定文").getByText("新しいレッスン")).toBeVisible();
  await expect.element(page.getByText("100%")).toBeVisible();
  expect(page.getByText("新しいレッスン").all()).toHaveLength(1);
});

describe("hand-outs of the whole course", () => {
  const course = { ...itemOf().course, textbook_bundle: "x" };

  test("are downloaded from the address that the server returns", async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    onTestFinished(() => saved.mockRestore());
    await owned(
      { course },
      {
        "GET lms/inventory/1/bundle/textbook/": () => ({
          url: "/api/media/t/course/101/textbook.pdf",
          expires_at: inDays(0.1),
        }),
      },
    );
    await page.getByRole("button", { name: "テキストをダウンロード" }).click();
    await expect.poll(() => saved.mock.calls.length).toBe(1);
    expect(saved.mock.contexts[0]).toMatchObject({
      pathname: "/api/media/t/course/101/textbook.pdf",
      download: "中1英語 be動詞 テキスト.pdf",
    });
    await expect
      .element(page.getByRole("button", { name: "板書をダウンロード" }))
      .not.toBeInTheDocument();
  });

  test("show the reason if the download fails", async () => {
    await owned(
      { course },
      { "GET lms/inventory/1/bundle/textbook/": () => problem(502, "UPSTREAM_UNAVAILABLE") },
    );
    await page.getByRole("button", { name: "テキストをダウンロード" }).click();
    await expect
      .poll(() => alertStore.get().message)
      .toBe(
        "テキストをダウンロードできませんでした。ただいまつながりにくくなっています。しばらくしてからお試しください。",
      );
  });
});

test("an expired course can be bought again; its videos are locked, its records can be read", async () => {
  await owned({
    is_expired: true,
    expire_at: inDays(-3),
    course: { ...itemOf().course, textbook_bundle: "x" },
  });
  await expect.element(page.getByText("この講座は期限切れです")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "もう一度購入する" }))
    .toHaveAttribute("href", "/course/101");
  await expect
    .element(page.getByRole("link", { name: "動詞を見つける" }))
    .toHaveAttribute("href", "/mypage/lecture/12");
  await expect.element(page.getByRole("checkbox").first()).toBeVisible();
  await expect
    .element(page.getByRole("button", { name: "テキストをダウンロード" }))
    .not.toBeInTheDocument();
});

test("a check that the server refuses is taken back, with the reason", async () => {
  await owned({}, { "PUT lms/check/12/": () => problem(403, "CSRF_FAILED") });
  const box = page.getByRole("checkbox", { name: "動詞を見つけるを学習済みにする" });
  await box.click();
  await expect
    .poll(() => alertStore.get().message)
    .toContain("学習済みチェックをつけられませんでした。");
  await expect.element(box).not.toBeChecked();
});

test("an owned course has no accessibility violation, on a phone and on a wide screen", async () => {
  const { screen } = await owned({}, { "GET lms/recent/": () => listOf(recentOf(12)) });
  await expect.element(page.getByText("5:12 / 7:31")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
});
