import { alertStore } from "@konomana/ui-base";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { done, inDays, lessonOf, listOf, problem } from "@konomana/testing";
import type { LessonQuestions } from "../api";
import { pageFaults } from "@konomana/testing/pageFaults";
import { noteOf, open } from "../testing/learner";

const PATH = "/mypage/lecture/12";

type ListedQuestion = LessonQuestions["results"][number];

const asked = (id: number, graded: ListedQuestion["graded"] = null): ListedQuestion => ({
  id,
  number: id,
  kind: "single",
  prompt: `問題${id}`,
  picture: null,
  choices: [],
  is_required: true,
  graded,
});

test("a lesson shows its summary and the learner's position, and leads to the player", async () => {
  await open(PATH, { answers: { "GET lms/lesson/12/": () => lessonOf() } });
  await expect
    .element(page.getByRole("heading", { level: 1, name: "動詞を見つける" }))
    .toBeVisible();
  await expect.element(page.getByText("全4レッスンの2番目・7分31秒")).toBeVisible();
  await expect.element(page.getByText(/5:12 \/ 7:31 まで見ました/)).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "このレッスンを見る" }))
    .toHaveAttribute("href", "/lecture/12");
  await expect
    .element(page.getByRole("link", { name: "動詞の見分け方" }))
    .toHaveAttribute("href", "/lecture/12?at=95");
  await expect
    .element(page.getByRole("link", { name: /次のレッスン/ }))
    .toHaveAttribute("href", "/mypage/lecture/13");
  await expect
    .element(page.getByRole("link", { name: "← 中1英語 be動詞" }))
    .toHaveAttribute("href", "/mypage/learnning/1#lesson-12");
});

test("notes are in the order of the video, and each leads to its second", async () => {
  const { calls } = await open(PATH, {
    answers: {
      "GET lms/lesson/12/": () => lessonOf(),
      "GET lms/note/": () => listOf({ ...noteOf("n1", "bはbe動詞"), lesson: { id: 12, name: "" } }),
    },
  });
  const notes = page.getByRole("region", { name: "マイノート" });
  await expect.element(notes.getByText("bはbe動詞")).toBeVisible();
  await expect
    .element(notes.getByRole("link", { name: "1:05から見る" }))
    .toHaveAttribute("href", "/lecture/12?at=65");
  expect(calls.some((call) => call.startsWith("GET lms/note/?lesson=12"))).toBe(true);
});

describe("questions", () => {
  test("show how many are answered, and lead to the next one", async () => {
    await open(PATH, {
      answers: {
        "GET lms/lesson/12/": () => lessonOf({ question_count: 3 }),
        "GET lms/lesson/12/question/": () => ({
          count: 3,
          result: 40,
          results: [asked(1, { is_right: true }), asked(2, { is_right: false }), asked(3)],
        }),
      },
    });
    await expect.element(page.getByText("全3問のうち2問に答えました（正解 1問）")).toBeVisible();
    await expect
      .element(page.getByRole("link", { name: "つづきの問題に答える" }))
      .toHaveAttribute("href", "/lecture/12/question/3");
    await expect
      .element(page.getByRole("link", { name: "結果を見る" }))
      .toHaveAttribute("href", "/lecture/12/result/40");
  });

  test("fail on their own and can be retried", async () => {
    await open(PATH, {
      answers: {
        "GET lms/lesson/12/": () => lessonOf({ question_count: 3 }),
        "GET lms/lesson/12/question/": () => problem(500, "INTERNAL"),
      },
    });
    const part = page.getByRole("region", { name: "確認の問題" });
    await expect.element(part.getByRole("button", { name: "もう一度試す" })).toBeVisible();
    await expect.element(page.getByRole("link", { name: "このレッスンを見る" })).toBeVisible();
  });
});

test("a hand-out is downloaded, and a failure shows its reason", async () => {
  let refused = true;
  await open(PATH, {
    answers: {
      "GET lms/lesson/12/": () => lessonOf(),
      "GET lms/lesson/12/handout/": () =>
        refused
          ? problem(500, "INTERNAL")
          : {
              handouts: [
                { kind: "textbook", url: "/api/media/t/lesson/12/textbook.pdf", pictures: [] },
              ],
              expires_at: inDays(0.1),
            },
    },
  });
  const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  onTestFinished(() => saved.mockRestore());
  const button = page.getByRole("button", { name: "テキストをダウンロード" });
  await button.click();
  await expect
    .poll(() => alertStore.get().message)
    .toContain("テキストをダウンロードできませんでした。");
  refused = false;
  await button.click();
  await expect
    .poll(() => saved.mock.contexts.map((link) => (link as HTMLAnchorElement).pathname))
    .toEqual(["/api/media/t/lesson/12/textbook.pdf"]);
});

describe("marks", () => {
  test("show at once", async () => {
    const { calls } = await open(PATH, {
      answers: {
        "GET lms/lesson/12/": () => lessonOf(),
        "PUT lms/favorite/12/": () => done(),
        "PUT lms/check/12/": () => done(),
      },
    });
    const star = page.getByRole("button", { name: "動詞を見つけるをお気に入りにする" });
    const check = page.getByRole("button", { name: "学習済み" });
    await star.click();
    await expect.element(star).toHaveAttribute("aria-pressed", "true");
    await check.click();
    await expect.element(check).toHaveAttribute("aria-pressed", "true");
    await expect.poll(() => calls).toEqual(expect.arrayContaining(["PUT lms/favorite/12/"]));
    await expect.poll(() => calls).toEqual(expect.arrayContaining(["PUT lms/check/12/"]));
  });

  test("stay if an answer from before the press comes late", async () => {
    const late = Promise.withResolvers<ReturnType<typeof lessonOf>>();
    let times = 0;
    const { calls } = await open(PATH, {
      answers: {
        "GET lms/lesson/12/": () => (times++ === 1 ? late.promise : lessonOf()),
        "GET lms/lesson/13/": () =>
          lessonOf({ id: 13, name: "疑問文", previous: { id: 12, name: "動詞", duration: 451 } }),
        "PUT lms/check/12/": async () => {
          await late.promise;
          return done();
        },
        "DELETE lms/check/12/": () => done(),
      },
    });
    await page.getByRole("link", { name: /次のレッスン/ }).click();
    await expect.element(page.getByRole("heading", { name: "疑問文" })).toBeVisible();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10_000 });
    onTestFinished(() => void vi.useRealTimers());
    await page.getByRole("link", { name: /前のレッスン/ }).click();
    await expect.poll(() => times).toBe(2);
    const check = page.getByRole("button", { name: "学習済み" });
    await check.click();
    late.resolve(lessonOf());
    await check.click();
    await expect.poll(() => calls).toContain("DELETE lms/check/12/");
  });

  test("are taken back with the reason if the server refuses", async () => {
    await open(PATH, {
      answers: {
        "GET lms/lesson/12/": () => lessonOf(),
        "PUT lms/check/12/": () => problem(409, "MARK_LIMIT"),
      },
    });
    const check = page.getByRole("button", { name: "学習済み" });
    await check.click();
    await expect
      .poll(() => alertStore.get().message)
      .toContain("学習済みチェックをつけられませんでした。");
    await expect.element(check).toHaveAttribute("aria-pressed", "false");
  });
});

test("an expired lesson is locked, and its records can be read", async () => {
  await open(PATH, {
    answers: {
      "GET lms/lesson/12/": () => lessonOf({ is_expired: true, question_count: 1 }),
      "GET lms/lesson/12/question/": () => ({ count: 1, result: 40, results: [asked(1)] }),
      "GET lms/note/": () => listOf(noteOf("n1", "bはbe動詞")),
    },
  });
  await expect.element(page.getByText("この講座は期限切れです")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "もう一度購入する" }))
    .toHaveAttribute("href", "/course/101");
  await expect.element(page.getByText("bはbe動詞")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "結果を見る" })).toBeVisible();
  for (const link of page.getByRole("link").elements())
    expect(link.getAttribute("href")).not.toMatch(/^\/lecture\/12(\?|$|\/question)/);
});

test("a lesson without a video says so", async () => {
  await open(PATH, { answers: { "GET lms/lesson/12/": () => lessonOf({ has_video: false }) } });
  await expect.element(page.getByText(/動画は準備中です/)).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "このレッスンを見る" }))
    .not.toBeInTheDocument();
});

test("a lesson that is not owned is not found", async () => {
  await open(PATH);
  await expect.element(page.getByRole("heading", { name: "not found" })).toBeVisible();
});

test("a lesson's page has no accessibility violation, on a phone and on a wide screen", async () => {
  const { screen } = await open(PATH, {
    answers: {
      "GET lms/lesson/12/": () => lessonOf(),
      "GET lms/note/": () => listOf(noteOf("n1", "bはbe動詞")),
    },
  });
  await expect.element(page.getByText("bはbe動詞")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
});
