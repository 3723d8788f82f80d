import { expect, test } from "vitest";
import { strengthOf } from "./strength";

test.each([
  ["password123", "よく使われるパスワードに似ています。"],
  ["hanako.yamada", "名前・メールアドレス・サイト名が入っています。"],
  ["konomana2026", "名前・メールアドレス・サイト名が入っています。"],
  ["zzzzzzzzzzzz", "同じ文字のくり返しが入っています。"],
  ["asdfghjkl;", "キーボードの並び順が入っています。"],
  ["2011-04-01", "年や日付が入っています。"],
])("%s: %s", async (password, reason) => {
  const { score, reasons } = await strengthOf(password, ["hanako.yamada@example.jp"]);
  expect(score).toBeLessThan(3);
  expect(reasons).toContain(reason);
});

test("what is hard to guess needs no reason", async () => {
  expect(await strengthOf("umi-no-mieru-eki-42")).toEqual({ score: 4, reasons: [] });
});
