import { describe, expect, test } from "vitest";
import { paths, payloadPath } from "./paths";
import { allScreens, screens } from "./screens";

describe("addresses", () => {
  test("parameters are filled in", () => {
    expect(paths.course(101)).toBe("/course/101");
    expect(paths.learning(7)).toBe("/mypage/learnning/7");
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

  test("the payload file stands beside its page", () => {
    expect(payloadPath("/")).toBe("/_payload.json");
    expect(payloadPath("/course/101")).toBe("/course/101/_payload.json");
  });
});

describe("the table of screens", () => {
  test("spec §2: my page is (auth), mypage layout", () => {
    for (const screen of allScreens.filter(({ pattern }) => pattern.startsWith("/mypage"))) {
      expect(screen).toMatchObject({ layout: "mypage", scope: expect.any(String) });
    }
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
