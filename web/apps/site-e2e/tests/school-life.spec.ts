/** Interviews, events and questions to teachers, as a learner uses them. */
import type { Page } from "@playwright/test";
import { newBuyer } from "../fixtures/orders";
import { expect, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

/** A picture of one pixel. */
const PHOTO = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Chooses a free time of the shown week and returns its name, e.g. `2026年12月1日（火） 17:00 佐倉先生`. */
async function chooseTime(page: Page): Promise<string> {
  const time = page.getByRole("main").getByRole("button", { name: /先生$/, pressed: false }).last();
  const name = (await time.getAttribute("aria-label")) ?? "";
  await time.click();
  await expect(page.getByRole("timer", { name: "確認できる時間" })).toBeVisible();
  return name;
}

async function confirmBooking(page: Page): Promise<void> {
  await page.getByRole("button", { name: "予約する", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("面談を予約しました");
}

test("an interview is booked, moved to another time, and cancelled", async ({ page }) => {
  await newBuyer(page);
  await page.goto("/mypage");
  await page
    .getByRole("navigation", { name: "マイページ" })
    .getByRole("link", { name: "面談" })
    .click();
  await page.getByRole("link", { name: "面談を予約する" }).click();
  await page.getByRole("link", { name: "学習相談" }).click();
  const first = await chooseTime(page);
  await confirmBooking(page);

  await page.getByRole("link", { name: "面談のページへ" }).click();
  const own = page.getByRole("list", { name: "これからの面談" }).getByRole("listitem");
  await expect(own).toHaveCount(1);
  await own.getByRole("link", { name: /の面談の日時を変える$/ }).click();
  await expect(page.getByText("日時を変えます")).toBeVisible();
  // The booked time is not offered again.
  await expect(page.getByRole("button", { name: first })).toHaveCount(0);
  await chooseTime(page);
  await confirmBooking(page);

  await page.getByRole("link", { name: "面談のページへ" }).click();
  await expect(own).toHaveCount(1);
  await own.getByRole("button", { name: /の面談をキャンセルする$/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "キャンセルする" }).click();
  await expect(page.getByText("予約した面談はありません")).toBeVisible();
});

test("a calendar app without cookies reads the booked interview", async ({ page, playwright }) => {
  await newBuyer(page);
  await page.goto("/mypage/interview/register");
  await page.getByRole("link", { name: "学習相談" }).click();
  await chooseTime(page);
  await confirmBooking(page);
  await page.getByRole("link", { name: "面談のページへ" }).click();
  await page.getByRole("link", { name: "予定をまとめてカレンダーに登録する" }).click();
  await page.getByRole("button", { name: "アドレスを作る" }).click();
  const url = (await page.getByLabel("新しいアドレス").textContent()) ?? "";
  await expect(page.getByRole("link", { name: "カレンダーのアプリで開く" })).toHaveAttribute(
    "href",
    url.replace(/^https?:/, "webcal:"),
  );
  const app = await playwright.request.newContext();
  const calendar = await app.get(url);
  expect(calendar.headers()["content-type"]).toBe("text/calendar; charset=utf-8");
  expect(await calendar.text()).toMatch(/\r\nSUMMARY:学習相談（[^）]+先生）\r\n/);

  // The address is shown once, and a new one ends it.
  await page.reload();
  await page.getByRole("button", { name: "新しく作りなおす" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "作りなおす" }).click();
  await expect(page.getByLabel("新しいアドレス")).not.toHaveText(url);
  expect((await app.get(url)).status()).toBe(404);
  await app.dispose();
});

test.describe("a member of classes", () => {
  test.use({ as: "adult" });

  test("sees a timetable by weeks, homework to mark, and a calendar file", async ({ page }) => {
    await page.goto("/mypage");
    await page
      .getByRole("navigation", { name: "マイページ" })
      .getByRole("link", { name: "クラス" })
      .click();
    const classes = page.getByRole("list", { name: "わたしのクラス" });
    await expect(classes.getByRole("heading", { name: "中2理科 ライブクラス" })).toBeVisible();
    await expect(classes.getByRole("link", { name: "水城あかね先生" })).toBeVisible();
    await expect(
      page.getByRole("list", { name: "この週の授業" }).getByRole("listitem"),
    ).toHaveCount(3);
    await page.getByRole("link", { name: "前の週" }).click();
    await expect(page).toHaveURL(/\/mypage\/class\?day=/);
    await expect(page.getByRole("link", { name: /の録画を見る$/ }).first()).toBeVisible();

    const box = page.getByRole("region", { name: "宿題" }).getByRole("checkbox").first();
    const marked = page.waitForResponse("**/homework/");
    await box.click();
    await marked;
    await page.reload();
    await expect(box).toBeChecked();
    await box.click();
    await expect(box).not.toBeChecked();

    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "中2理科 ライブクラスのカレンダーを保存する" }).click();
    expect((await saved).suggestedFilename()).toBe("class-1.ics");
  });
});

test("a place at an event is taken, shown in the list, and given back", async ({ page }) => {
  await newBuyer(page);
  await page.goto("/mypage/event");
  await page.getByRole("link", { name: "夏期講習" }).click();
  await page.getByRole("button", { name: "申し込む", exact: true }).click();
  await expect(page.getByText(/^申し込み済みです。/)).toBeVisible();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: /カレンダー/ }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.ics$/);

  await page.getByRole("link", { name: "← イベント" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "夏期講習" });
  await expect(row).toContainText("申し込み済み");
  await row.getByRole("link").click();
  await page.getByRole("button", { name: "申し込みを取り消す" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "申し込みを取り消す" }).click();
  await expect(page.getByText(/^申し込みを取り消しました。/)).toBeVisible();
});

test("a question to the teachers waits for its answer in the list", async ({ page }) => {
  await newBuyer(page);
  await page.goto("/mypage/question");
  await settled(page);
  await page.getByRole("main").getByRole("link", { name: "質問する" }).click();
  const text = "一次関数の傾きは、なぜ y の増加量を x の増加量で割るのですか。";
  await page.getByRole("textbox", { name: "質問" }).fill(text);
  await page.getByRole("button", { name: "質問を送る" }).click();
  // The text field contains the text as well: only the address shows that the question was sent.
  await expect(page).toHaveURL(/\/mypage\/question\/[\da-f-]{36}$/);
  await expect(page.getByText(text)).toBeVisible();
  await page.goto("/mypage/question");
  await expect(page.getByRole("main").getByRole("listitem").first()).toContainText(
    text.slice(0, 10),
  );
});

test("a question is sent with a photo, which its page shows", async ({ page }) => {
  await newBuyer(page);
  await page.goto("/mypage/question/new");
  await settled(page);
  const text = "ノートの二行目の式の変形がわかりません。写真を見てください。";
  await page.getByRole("textbox", { name: "質問" }).fill(text);
  const field = page.getByLabel("写真（なくても送れます）");
  const broken = { name: "memo.jpg", mimeType: "image/jpeg", buffer: Buffer.from("GIF89a") };
  await field.setInputFiles([{ name: "note.png", mimeType: "image/png", buffer: PHOTO }, broken]);
  await expect(page.getByText(/^「memo\.jpg」は写真として読めません。/)).toBeVisible();
  await expect(page.getByRole("list", { name: "付けた写真" }).getByRole("listitem")).toHaveCount(1);
  await page.getByLabel("写真 1 の説明（なくても送れます）").fill("ノートの二行目");
  await page.getByRole("button", { name: "質問を送る" }).click();
  await expect(page).toHaveURL(/\/mypage\/question\/[\da-f-]{36}$/);
  const photo = page.getByRole("img", { name: "ノートの二行目" });
  await expect(photo).toBeVisible();
  await expect
    .poll(() => photo.evaluate((picture) => (picture as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await page.getByRole("button", { name: "写真を大きく見る：ノートの二行目" }).click();
  await expect(page.getByRole("dialog", { name: "写真：ノートの二行目" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.getByRole("img", { name: "ノートの二行目" })).toBeVisible();
});
