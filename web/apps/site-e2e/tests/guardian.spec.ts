/** A guardian and linked children. Each test signs up its own people. */
import type { Page } from "@playwright/test";
import { overflow, seriousFaults } from "../fixtures/faults";
import { newPerson, pageOf } from "../fixtures/people";
import { expect, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

/** The link code that a child creates in their own settings. */
async function codeOf(child: Page): Promise<string> {
  await child.goto("/mypage/settings/guardian");
  await child.getByRole("button", { name: "コードを発行する" }).click();
  const code = child.getByLabel("コード", { exact: true });
  await expect(code).toHaveText(/^[A-Z\d]{4}-[A-Z\d]{4}$/);
  return code.innerText();
}

async function link(guardian: Page, code: string): Promise<void> {
  await guardian.getByLabel("8文字のコード").fill(code);
  await guardian.getByRole("button", { name: "つながる", exact: true }).click();
}

test("a guardian links two children and sees their progress, and both see who looked", async ({
  browser,
}) => {
  const parent = await newPerson({ kind: "guardian", birthDate: "1980-05-05", firstName: "恵" });
  const [aoi, ren] = [
    await pageOf(browser, await newPerson({ birthDate: "2011-04-01", firstName: "葵" })),
    await pageOf(browser, await newPerson({ birthDate: "2013-04-02", firstName: "蓮" })),
  ];
  const guardian = await pageOf(browser, parent);
  await guardian.goto("/mypage");
  await expect(guardian.getByText(/まだつながっていません/)).toBeVisible();

  const first = await codeOf(aoi);
  await link(guardian, first.toLowerCase().replace("-", ""));
  await expect(guardian.getByText("木下 葵さんとつながりました。")).toBeVisible();
  await link(guardian, await codeOf(ren));
  await expect(guardian.getByRole("link", { name: "木下 蓮さん" })).toBeVisible();
  await link(guardian, "2222-2222");
  await expect(
    guardian.getByText(/コードが正しくないか、使えなくなっています。/).first(),
  ).toBeVisible();

  await expect(guardian.getByText("まだ講座を持っていません。")).toHaveCount(2);
  await guardian.getByRole("link", { name: "木下 葵さん" }).click();
  await expect(guardian.getByRole("heading", { name: "木下 葵さんの学習" })).toBeVisible();
  await expect(guardian.getByText("まだ講座を持っていません。")).toBeVisible();

  // The child opens the same screen, which also has the log.
  await aoi.reload();
  await expect(aoi.getByText("木下 恵さん", { exact: true })).toBeVisible();
  await aoi.getByRole("link", { name: "保護者に見えている画面と、見た記録" }).click();
  await expect(aoi.getByText("木下 恵さん：この画面")).toBeVisible();
  for (const panel of ["実際に見た時間", "講座", "コノ模試", "イベントと面談"]) {
    const region = { name: panel, exact: true };
    const seen = guardian.getByRole("region", region);
    await expect(aoi.getByRole("region", region)).toHaveText(await seen.innerText(), {
      useInnerText: true,
    });
  }
  await ren.goto("/mypage/guardian-view");
  await expect(ren.getByText("木下 恵さん：学習の進みぐあい（マイページ）")).toBeVisible();
  await expect(ren.getByText("木下 恵さん：この画面")).toHaveCount(0);
  await aoi.goto("/mypage/settings/guardian");

  await aoi.getByRole("button", { name: "木下 恵さんとのつながりを解除する" }).click();
  await aoi.getByRole("dialog").getByRole("button", { name: "解除する" }).click();
  await expect(aoi.getByText("つながっている保護者はいません。")).toBeVisible();
  await guardian.reload();
  await expect(guardian.getByText("not found")).toBeVisible();
  await guardian.goto("/mypage");
  await expect(guardian.getByRole("link", { name: "木下 蓮さん" })).toBeVisible();
  await expect(guardian.getByRole("link", { name: "木下 葵さん" })).toHaveCount(0);
});

test("a guardian's screens have no serious fault and no sideways scrolling", async ({
  browser,
}) => {
  const parent = await newPerson({ kind: "guardian", birthDate: "1980-05-05", firstName: "恵" });
  const child = await pageOf(browser, await newPerson());
  const guardian = await pageOf(browser, parent);
  await guardian.goto("/mypage");
  await link(guardian, await codeOf(child));
  const name = guardian.getByRole("link", { name: "木下 葵さん" });
  await expect(name).toBeVisible();
  const look = async () => {
    for (const width of [320, 960, 1264]) {
      await guardian.setViewportSize({ width, height: 900 });
      expect(await seriousFaults(guardian)).toEqual([]);
      expect(await overflow(guardian)).toBe(0);
    }
  };
  await look();
  await name.click();
  await expect(guardian.getByRole("heading", { name: "木下 葵さんの学習" })).toBeVisible();
  await settled(guardian);
  await look();
});
