import { describe, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import {
  type Answers,
  inDays,
  inventoryOf,
  itemOf,
  learner,
  listOf,
  problem,
} from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { markOf, open, planOf, recentOf } from "../testing/learner";

const goOn = () =>
  page.getByRole("region", {
    name: /つづきから学ぶ|次のレッスン|始めましょう|期限が切れ|おつかれ/,
  });
const steps = () => page.getByRole("list", { name: "はじめの3ステップ" });
const address = () => page.getByLabelText("address");

const due = (id: number) => ({
  question_id: id,
  prompt: `問題${id}`,
  lesson: { id: 12, name: "動詞を見つける" },
  course: { id: 101, name: "中1英語 be動詞" },
  due_at: "2026-11-20T19:00:00Z",
  step: 1,
});

const weekOf = (...days: number[]) => ({
  days: days.map((seconds, day) => ({ date: `2026-11-${15 + day}`, seconds })),
  streak: 3,
  today: "2026-11-21",
});

const week = () => weekOf(0, 620, 1500, 0, 20, 900, 380);

const ending = (id: number, name: string, given: object) =>
  itemOf({ id, course: { ...itemOf().course, id, name }, ...given });

test("passkeys suspended by a recovery are mentioned", async () => {
  await open("/mypage", { user: { ...learner, suspended_passkeys: 1 } });
  await expect.element(page.getByText("使えなくなっているパスキーがあります")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "パスキーを確かめる" }))
    .toHaveAttribute("href", "/mypage/settings/password");
});

describe("a newcomer", () => {
  const answers = { "GET lms/inventory/": () => inventoryOf() };

  test("sees three steps instead of empty lists", async () => {
    const { screen } = await open("/mypage", { answers });
    await expect.element(page.getByRole("heading", { level: 1 })).toMatchTextContent("ようこそ");
    await expect.element(steps().getByRole("listitem").nth(2)).toBeVisible();
    await expect
      .element(steps().getByRole("link", { name: "1. 講座をさがす" }))
      .toHaveAttribute("href", `/course?school_year=${encodeURIComponent("高1")}`);
    await expect.element(page.getByText("最近見たレッスン")).not.toBeInTheDocument();
    expect(await pageFaults(screen.container)).toEqual([]);
  });

  test("who needs a guardian is offered the link to one", async () => {
    const link = steps().getByRole("link", { name: "3. 保護者の方とつながる" });
    const grown = await open("/mypage", { answers });
    await expect.element(steps()).toBeVisible();
    await expect.element(link).not.toBeInTheDocument();
    await grown.screen.unmount();
    await open("/mypage", { answers, user: { ...learner, guardian_consent: "missing" } });
    await expect.element(link).toHaveAttribute("href", "/mypage/settings/guardian");
  });
});

describe("continuing", () => {
  test("an unfinished lesson is one press away, at its position", async () => {
    await open("/mypage", {
      answers: { "GET lms/recent/": () => listOf(recentOf(12), recentOf(11)) },
    });
    await expect.element(goOn()).toMatchTextContent("動詞を見つける");
    await expect.element(goOn().getByText("5:12 / 7:31")).toBeVisible();
    await goOn().getByRole("link", { name: "つづきを見る" }).click();
    await expect.element(address()).toHaveTextContent("/lecture/12");
  });

  test.each([
    ["a ticked one", { is_check: true }],
    ["one that stands at its end", { position: 445 }],
  ])("after %s the next one follows", async (_, given) => {
    await open("/mypage", {
      answers: {
        "GET lms/recent/": () => listOf(recentOf(12, given)),
        "GET lms/check/": () => listOf(markOf(11)),
      },
    });
    await expect.element(goOn()).toMatchTextContent("次のレッスン");
    await expect
      .element(goOn().getByRole("link", { name: "このレッスンを見る" }))
      .toHaveAttribute("href", "/lecture/13");
  });

  test("a learner who has watched nothing begins with the first lesson", async () => {
    await open("/mypage");
    await expect.element(goOn()).toMatchTextContent("さっそく始めましょう");
    await expect
      .element(goOn().getByRole("link", { name: "このレッスンを見る" }))
      .toHaveAttribute("href", "/lecture/11");
  });

  test("an expired course offers a purchase instead", async () => {
    const ended = itemOf({ is_expired: true, expire_at: inDays(-3) });
    await open("/mypage", {
      answers: {
        "GET lms/inventory/": () => inventoryOf(ended),
        "GET lms/recent/": () => listOf(recentOf(12, { is_expired: true })),
      },
    });
    await expect
      .element(goOn().getByRole("link", { name: "もう一度購入する" }))
      .toHaveAttribute("href", "/course/101");
    await expect
      .element(goOn().getByRole("link", { name: "学習の記録を見る" }))
      .toHaveAttribute("href", "/mypage/learnning/1");
  });

  test("after the last lesson the catalogue is offered", async () => {
    await open("/mypage", {
      answers: { "GET lms/check/": () => listOf(...[11, 12, 13, 14].map(markOf)) },
    });
    await expect.element(goOn()).toMatchTextContent("すべてのレッスンを学習しました");
    await expect
      .element(goOn().getByRole("link", { name: "次の講座をさがす" }))
      .toHaveAttribute("href", "/course");
  });
});

describe("review", () => {
  test("due questions have links, longest due first", async () => {
    await open("/mypage", {
      answers: { "GET lms/review/": () => ({ ...listOf(due(71), due(72)), count: 7 }) },
    });
    await expect
      .element(page.getByRole("link", { name: "7問を復習する" }))
      .toHaveAttribute("href", "/lecture/12/question/71?review=true");
    await expect
      .element(page.getByRole("link", { name: "問題72" }))
      .toHaveAttribute("href", "/lecture/12/question/72?review=true");
  });

  test("due questions of mock exams are counted beside it, also for a learner without courses", async () => {
    const inExams = { "GET lms/exam-review/": () => ({ ...listOf(), count: 4 }) };
    const link = page.getByRole("link", { name: "模試の4問を復習する" });
    const { screen } = await open("/mypage", { answers: inExams });
    await expect.element(link).toHaveAttribute("href", "/mypage/review");
    await expect.element(page.getByText("いま復習する問題はありません。")).not.toBeInTheDocument();
    await screen.unmount();
    await open("/mypage", { answers: { ...inExams, "GET lms/inventory/": () => inventoryOf() } });
    await expect.element(link).toHaveAttribute("href", "/mypage/review");
  });

  test("without due questions it explains where they come from", async () => {
    await open("/mypage");
    await expect.element(page.getByText("いま復習する問題はありません。")).toBeVisible();
  });
});

test("a course that was bought again is counted once", async () => {
  await open("/mypage", {
    answers: {
      "GET lms/inventory/": () =>
        inventoryOf(ending(1, "講座", {}), ending(1, "講座", { id: 9, is_expired: true })),
    },
  });
  const counts = page.getByRole("list", { name: "学習のようす" });
  await expect
    .element(counts.getByRole("link", { name: /^所有講座/ }))
    .toMatchTextContent("所有講座1 講座");
});

describe("the week", () => {
  test("minutes by day have an accessible name, bars and a table", async () => {
    const { screen } = await open("/mypage", { answers: { "GET lms/week/": week } });
    const panel = page.getByRole("region", { name: "この7日間" });
    await expect.element(panel.getByText("57")).toBeVisible();
    await expect
      .element(panel.getByRole("img"))
      .toHaveAccessibleName(/11月16日\(月\) 10分、11月17日\(火\) 25分.*11月21日\(土\) 6分/);
    const heights = [...screen.container.querySelectorAll("figure rect")].map(
      (bar) => bar.getBoundingClientRect().height,
    );
    expect(Math.max(...heights)).toBe(heights[2]);
    await panel.getByText("表で見る").click();
    await expect.element(panel.getByRole("row", { name: "11月21日(土)・今日 6分" })).toBeVisible();
  });

  test("the highest bar has the same height in a quiet week and in a busy one", async () => {
    const { screen } = await open("/mypage", {
      answers: { "GET lms/week/": () => weekOf(0, 240, 480, 0, 0, 0, 0) },
    });
    await expect.element(page.getByRole("img", { name: /11月17日\(火\) 8分/ })).toBeVisible();
    const heights = [...screen.container.querySelectorAll("figure rect")].map(
      (bar) => bar.getBoundingClientRect().height,
    );
    expect(heights.slice(1, 3)).toEqual([46, 92]);
  });

  test("the table opens with the keyboard", async () => {
    await open("/mypage", { answers: { "GET lms/week/": week } });
    const opener = page.getByText("表で見る");
    await expect.element(opener).toBeVisible();
    (opener.element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await expect.element(page.getByRole("row", { name: /11月21日/ })).toBeVisible();
  });
});

test("courses that end soon are listed with the days left, or with their automatic renewal", async () => {
  await open("/mypage", {
    answers: {
      "GET lms/inventory/": () =>
        inventoryOf(
          ending(1, "あと三日の講座", { expire_at: inDays(2.5) }),
          ending(2, "あと二十日の講座", { expire_at: inDays(19.5) }),
          ending(3, "自動の講座", { expire_at: inDays(9.5), is_auto_renewal: true }),
          ending(4, "先の講座", { expire_at: inDays(31.5) }),
        ),
    },
  });
  const panel = page.getByRole("region", { name: "もうすぐ期限の講座" });
  const row = (name: string) => panel.getByRole("listitem").filter({ hasText: name });
  await expect.element(row("あと三日の講座")).toMatchTextContent("あと3日");
  await expect.element(row("あと二十日の講座")).toMatchTextContent("あと20日");
  await expect
    .element(row("あと二十日の講座").getByRole("link", { name: "つづけて学ぶには" }))
    .toHaveAttribute("href", "/course/2");
  await expect
    .element(row("自動の講座"))
    .toMatchTextContent("自動で更新されます。手続きはいりません。");
  await expect.element(row("先の講座")).not.toBeInTheDocument();
});

describe("parts are independent", () => {
  /** Replaces an answer by a problem. */
  type Breaking = <Right>(right: Right) => Right | ReturnType<typeof problem>;
  const parts: readonly [string, (or: Breaking) => Answers][] = [
    ["この7日間", (or) => ({ "GET lms/week/": () => or(weekOf()) })],
    ["今日の学習プラン", (or) => ({ "GET lms/study-plan/": () => or(planOf({ minutes: 0 })) })],
    ["コノ模試", (or) => ({ "GET exam/application/": () => or({ results: [] }) })],
    ["今日の復習", (or) => ({ "GET lms/review/": () => or(listOf()) })],
    ["最近見たレッスン", (or) => ({ "GET lms/recent/": () => or(listOf()) })],
    ["さいきんのお気に入り", (or) => ({ "GET lms/favorite/": () => or(listOf()) })],
  ];

  test.each(parts)("%s fails and is retried in its own place", async (name, answering) => {
    let broken = true;
    const answers = answering((right) => (broken ? problem(500, "INTERNAL") : right));
    const { calls } = await open("/mypage", { answers });
    const panel = page.getByRole("region", { name });
    await expect
      .element(panel.getByRole("alert"))
      .toMatchTextContent("サーバーで問題が起きました。");
    expect(page.getByRole("heading", { name: "もうすぐ期限の講座" }).all()).toHaveLength(1);
    broken = false;
    const before = calls.length;
    await panel.getByRole("button", { name: "もう一度試す" }).click();
    await expect.element(panel.getByRole("alert")).not.toBeInTheDocument();
    expect(calls.length).toBeGreaterThan(before);
  });

  test("a 404 in one part leaves the page as it is", async () => {
    await open("/mypage", { answers: { "GET lms/review/": () => problem(404, "NOT_FOUND") } });
    await expect
      .element(page.getByRole("region", { name: "今日の復習" }).getByRole("alert"))
      .toMatchTextContent("見つかりませんでした。");
    expect(page.getByRole("heading", { level: 1 }).all()).toHaveLength(1);
  });

  test("the layout does not shift while the parts arrive", async () => {
    await page.viewport(1264, 900);
    const answer = Promise.withResolvers<ReturnType<typeof weekOf>>();
    await open("/mypage", {
      answers: {
        "GET lms/recent/": () => listOf(recentOf(12)),
        "GET lms/week/": () => answer.promise,
      },
    });
    await expect.element(goOn()).toBeVisible();
    const below = page.getByRole("heading", { name: "もうすぐ期限の講座" });
    const before = below.element().getBoundingClientRect().top;
    answer.resolve({
      days: [{ date: "2026-11-21", seconds: 600 }],
      streak: 1,
      today: "2026-11-21",
    });
    await expect.element(page.getByText("今日も学習できました。")).toBeVisible();
    expect(Math.abs(below.element().getBoundingClientRect().top - before)).toBeLessThan(48);
  });
});

test("the home has no accessibility violation, on a phone and on a wide screen", async () => {
  const { screen } = await open("/mypage", {
    answers: {
      "GET lms/recent/": () => listOf(recentOf(12)),
      "GET lms/favorite/": () => listOf(markOf(11)),
    },
  });
  await expect.element(goOn()).toBeVisible();
  await expect.element(page.getByText("表で見る")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
});
