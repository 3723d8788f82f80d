import { clearRecentlyViewed, addRecentlyViewed } from "@konomana/visitor";
import { afterEach, describe, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type ApiCall, learner, listOf } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { noteOf, open, recentOf } from "../testing/learner";

const address = () => page.getByLabelText("address");

const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });

const look = () => {
  addRecentlyViewed({ id: 101, name: "中1英語 be動詞", category: "英語", school_year: "中1" });
  addRecentlyViewed({ id: 112, name: "高3社会 日本史", category: "社会", school_year: "高3" });
};

afterEach(clearRecentlyViewed);

describe("watched lessons", () => {
  test("can be continued from here; expired ones can only be read", async () => {
    await open("/mypage/recent", {
      answers: {
        "GET lms/recent/": () =>
          listOf(
            recentOf(12),
            recentOf(13, { is_expired: true }),
            recentOf(11, { is_check: true }),
          ),
      },
    });
    await expect
      .element(row("動詞を見つける").getByRole("link", { name: "動詞を見つける・つづきを見る" }))
      .toHaveAttribute("href", "/lecture/12");
    await expect.element(row("疑問文").getByText("期限切れ")).toBeVisible();
    await expect
      .element(row("疑問文").getByRole("link"))
      .toHaveAttribute("href", "/mypage/lecture/13");
    await expect.element(row("主語を見つける").getByText("学習済み")).toBeVisible();
  });

  test("are paged by the links of the server", async () => {
    const { calls } = await open("/mypage/recent", {
      answers: {
        "GET lms/recent/": ({ query }) =>
          query.get("page") === "2"
            ? {
                count: 21,
                next: null,
                previous: "https://x.example/api/lms/recent/?page=1",
                results: [recentOf(13)],
              }
            : {
                count: 21,
                next: "https://x.example/api/lms/recent/?page=2&cursor=c",
                previous: null,
                results: [recentOf(12)],
              },
      },
    });
    await page.getByRole("button", { name: "次へ" }).click();
    await expect.element(address()).toHaveTextContent("/mypage/recent?page=2");
    await expect.element(page.getByRole("link", { name: "疑問文", exact: true })).toBeVisible();
    expect(calls).toContain("GET lms/recent/?page=2&cursor=c");
  });

  test("that are missing lead to the learner's courses", async () => {
    await open("/mypage/recent");
    await expect
      .element(page.getByRole("link", { name: "所有講座を見る" }))
      .toHaveAttribute("href", "/mypage/course");
  });
});

describe("my notes", () => {
  const answers = {
    "GET lms/note/": ({ query }: ApiCall) =>
      query.get("q") === "主語" ? listOf(noteOf("n1", "主語は先頭")) : listOf(),
  };

  test("can be searched by a word, which is in the address", async () => {
    await open("/mypage/recent?show=note", { answers });
    await expect.element(page.getByText("まだノートがありません")).toBeVisible();
    await page.getByRole("searchbox", { name: "ノートをさがす" }).fill(" 主語 ");
    await userEvent.keyboard("{Enter}");
    await expect.element(page.getByText("主語は先頭")).toBeVisible();
    await expect
      .element(address())
      .toHaveTextContent(`/mypage/recent?show=note&q=${encodeURIComponent("主語")}`);
    await expect
      .element(page.getByRole("link", { name: "1:05から見る" }))
      .toHaveAttribute("href", "/lecture/11?at=65");
  });

  test("without a match say so, and lead back to all", async () => {
    await open("/mypage/recent?show=note&q=述語", { answers });
    await expect.element(page.getByText("「述語」のノートは見つかりませんでした")).toBeVisible();
    await expect
      .element(page.getByRole("link", { name: "すべてのノートを見る" }))
      .toHaveAttribute("href", "/mypage/recent?show=note");
  });

  const signs: readonly [string, KeyboardEventInit][] = [
    ["the event's flag", { isComposing: true }],
    ["the key code of Safari", { keyCode: 229 }],
  ];

  test.each(signs)(
    "are not searched by Enter that ends a Japanese conversion, told by %s",
    async (_, sign) => {
      const { calls } = await open("/mypage/recent?show=note", { answers });
      const box = page.getByRole("searchbox", { name: "ノートをさがす" });
      await box.fill("しゅご");
      const enter = new KeyboardEvent("keydown", {
        key: "Enter",
        ...sign,
        bubbles: true,
        cancelable: true,
      });
      expect(box.element().dispatchEvent(enter)).toBe(false);
      expect(calls.filter((call) => call.includes("q="))).toEqual([]);
    },
  );
});

describe("viewed courses", () => {
  test("of this browser are listed for a visitor, newest first, and can be cleared", async () => {
    look();
    const { calls } = await open("/mypage/recent", { user: null });
    await expect.element(page.getByRole("listitem").first()).toMatchTextContent("高3社会 日本史");
    await expect
      .element(page.getByRole("link", { name: "中1英語 be動詞" }))
      .toHaveAttribute("href", "/course/101");
    expect(calls).toEqual([]);
    await page.getByRole("button", { name: "記録を消す" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "消す", exact: true }).click();
    await expect.element(page.getByText("まだ見た講座がありません")).toBeVisible();
  });

  test("that are missing lead a visitor to the catalogue and to the login", async () => {
    await open("/mypage/recent", { user: null });
    await expect
      .element(page.getByRole("link", { name: "講座をさがす" }))
      .toHaveAttribute("href", "/course");
    await expect
      .element(page.getByRole("link", { name: "ログイン" }))
      .toHaveAttribute("href", "/login");
  });

  test("are beside lessons and notes for a learner", async () => {
    look();
    await open("/mypage/recent?show=course");
    await expect
      .element(page.getByRole("link", { name: "見た講座" }))
      .toHaveAttribute("aria-current", "page");
    await expect.element(page.getByRole("link", { name: "高3社会 日本史" })).toBeVisible();
  });

  test("are the only list for a guardian", async () => {
    look();
    const { calls } = await open("/mypage/recent", { user: { ...learner, scope: ["guardian"] } });
    await expect.element(page.getByRole("link", { name: "高3社会 日本史" })).toBeVisible();
    await expect.element(page.getByRole("link", { name: "マイノート" })).not.toBeInTheDocument();
    expect(calls).toEqual([]);
  });
});

test.each(["/mypage/recent", "/mypage/recent?show=note", "/mypage/recent?show=course"])(
  "%s has no violation, on a phone and on a wide screen",
  async (path) => {
    addRecentlyViewed({ id: 101, name: "中1英語 be動詞", category: "英語", school_year: "中1" });
    const { screen } = await open(path, {
      answers: {
        "GET lms/recent/": () => listOf(recentOf(12), recentOf(11, { is_check: true })),
        "GET lms/note/": () => listOf(noteOf("n1", "主語は先頭")),
      },
    });
    await expect.element(page.getByRole("listitem").nth(3)).toBeVisible();
    expect(await pageFaults(screen.container)).toEqual([]);
  },
);
