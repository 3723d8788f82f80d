import { describe, expect, test } from "vitest";
import { paths, payloadPath } from "./paths";
import { allScreens, screens } from "./screens";

describe("addresses", () => {
  test("parameters are filled in", () => {
    expect(paths.course(101)).toBe("/course/101");
    expect(paths.learning(7)).toBe("/mypage/learnning/7");
    expect(paths.learningLesson(7, 70)).toBe("/mypage/learnning/7#lesson-70");
    expect(paths.lesson(70)).toBe("/mypage/lecture/70");
    expect(paths.recent()).toBe("/mypage/recent");
    expect(paths.recent({ show: "lesson", page: 1 })).toBe("/mypage/recent");
    expect(paths.recent({ show: "note", q: "主語" })).toBe(
      `/mypage/recent?show=note&q=${encodeURIComponent("主語")}`,
    );
    expect(paths.lecture(101010101)).toBe("/lecture/101010101");
    expect(paths.lecture(101010101, { at: 0 })).toBe("/lecture/101010101?at=0");
  });

  test("filters become a query, in one order, without what says nothing", () => {
    expect(paths.courses({ category: ["英語"], school_year: ["中1", "中2"], page: 2 })).toBe(
      `/course?${new URLSearchParams([
        ["school_year", "中1"],
        ["school_year", "中2"],
        ["category", "英語"],
        ["page", "2"],
      ])}`,
    );
    expect(paths.courses({ price_min: 0, price_max: 15_000, q: "be動詞", sort: "-price" })).toBe(
      `/course?price_min=0&price_max=15000&q=${encodeURIComponent("be動詞")}&sort=-price`,
    );
    expect(paths.courses({ school_year: [], q: "", sort: "recommended", page: 1 })).toBe("/course");
  });

  test("a question says how it is answered", () => {
    expect(paths.question(7, 70)).toBe("/lecture/7/question/70");
    expect(paths.question(7, 70, { result: 12 })).toBe("/lecture/7/question/70?result=12");
    expect(paths.question(7, 70, { review: true })).toBe("/lecture/7/question/70?review=true");
    expect(paths.question(7, 70, { review: false })).toBe("/lecture/7/question/70");
    expect(paths.result(7, 12)).toBe("/lecture/7/result/12");
    expect(paths.results({ page: 1 })).toBe("/mypage/result");
  });

  test("the payload file stands beside its page", () => {
    expect(payloadPath("/")).toBe("/_payload.json");
    expect(payloadPath("/course/101")).toBe("/course/101/_payload.json");
  });
});

describe("the table of screens", () => {
  test("spec §2: my page is (auth), mypage layout; /mypage/recent has no auth flag", () => {
    for (const screen of allScreens.filter(({ pattern }) => pattern.startsWith("/mypage"))) {
      expect(screen.layout).toBe("mypage");
      expect(screen.scope !== undefined).toBe(
        screen !== allScreens.find(({ name }) => name === "recent"),
      );
    }
  });

  test("spec §2: questions and results are (auth)", () => {
    for (const screen of [screens.question, screens.result]) {
      expect(screen).toMatchObject({ layout: "lecturev2", scope: "learner" });
    }
  });

  test("a question and a result are of a lesson", () => {
    expect(screens.question.valid({ id: "7", questionId: "70" })).toBe(true);
    expect(screens.question.valid({ id: "7", questionId: "x" })).toBe(false);
    expect(screens.question.valid({ id: "x", questionId: "70" })).toBe(false);
    expect(screens.result.valid({ id: "7", resultId: "12" })).toBe(true);
    expect(screens.result.valid({ id: "7", resultId: "newest" })).toBe(false);
  });

  test("what needs sign-in is never prerendered", () => {
    for (const screen of allScreens.filter(({ scope }) => scope !== undefined)) {
      expect(screen.serving).toBe("client");
    }
  });

  test.each(["1", "101", "9007199254740991"])("spec §5: an identifier is valid: %s", (id) => {
    expect(screens.course.valid({ id })).toBe(true);
  });

  test.each(["0", "01", "-1", "1.5", "1e3", "１", "abc", "", "9007199254740993", undefined])(
    "spec §5: an identifier is not valid: %s",
    (id) => {
      expect(screens.course.valid({ id })).toBe(false);
    },
  );
});
