import type { Page } from "@playwright/test";
import { mailTo, mailsTo } from "../fixtures/mail";
import { newAddress } from "../fixtures/people";
import { expect, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

/** The recipient of the demo's mails to the school. */
const SCHOOL = "support@konomana.example";
const NUMBER = /K-\d{6}-[2-9A-HJ-NP-Z]{4}/;

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const textField = (page: Page) => page.getByLabel("お問い合わせの内容");
const pictureField = (page: Page) => page.locator("input[type=file]");
const send = (page: Page) => page.getByRole("button", { name: "送信する" }).click();

async function fill(page: Page, email: string, text: string): Promise<void> {
  await page.goto("/contact");
  await settled(page);
  await page.getByLabel("お問い合わせの種類").selectOption("technical");
  await page.getByLabel("お名前").fill("木下 葵");
  await page.getByLabel("メールアドレス").fill(email);
  await textField(page).fill(text);
}

/** The inquiry number on the last screen. */
async function numberOn(page: Page): Promise<string> {
  await expect(page).toHaveURL("/contact/complete");
  return page.getByText(NUMBER).innerText();
}

test("a message with a picture is sent to both recipients unchanged", async ({ page }) => {
  const email = newAddress();
  const text = `<script>alert("x")</script> と表示されます。\n\nשלום עולם 👩‍🎓 <b>&amp;</b> ${email}`;
  await fill(page, email, text);
  await pictureField(page).setInputFiles({
    name: "画面.png",
    mimeType: "image/png",
    buffer: PIXEL,
  });
  await expect(page.getByRole("img", { name: "選んだ画像" })).toBeVisible();
  await send(page);
  const number = await numberOn(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("お問い合わせを受け付けました");

  const receipt = await mailTo(email, new RegExp(number));
  const forwarded = await mailTo(SCHOOL, new RegExp(number));
  for (const line of text.split("\n\n")) {
    expect(forwarded.text).toContain(line);
    // The address is unverified, so the receipt must not contain the message.
    expect(receipt.text).not.toContain(line);
  }
  expect(receipt.text).not.toContain("木下");
  // The server encodes the picture again, in its own format.
  expect(forwarded.attachments).toHaveLength(1);
  expect(forwarded.attachments?.[0]?.contentType).toMatch(/^image\//);
  // A sent message is removed from the form.
  await page.getByRole("link", { name: "よくある質問を見る" }).click();
  await page.goto("/contact");
  await expect(textField(page)).toHaveValue("");
});

test("a lost connection, a reload and a lost response lose nothing, and one mail is sent", async ({
  page,
  context,
}) => {
  const email = newAddress();
  const text = "動画が途中で止まってしまい、つづきが見られません。";
  await fill(page, email, text);
  // Waits until the whole page is loaded.
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await send(page);
  await expect(page.getByText("インターネットにつながりません。")).toBeVisible();
  await expect(textField(page)).toHaveValue(text);
  await context.setOffline(false);
  await page.reload();
  await expect(textField(page)).toHaveValue(text);

  // The server accepts the message, but its response is lost.
  await page.route(
    "**/api/desk/contact/",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await send(page);
  await expect(page.getByText("インターネットにつながりません。")).toBeVisible();
  await send(page);
  const number = await numberOn(page);
  await mailTo(email, new RegExp(number));
  await mailTo(SCHOOL, new RegExp(number));
  expect(await mailsTo(email)).toHaveLength(1);
});

test("a field error is shown beside its field, and the input stays", async ({ page }) => {
  const text = "😀".repeat(2001);
  await fill(page, "aoi@", text);
  await pictureField(page).setInputFiles({
    name: "virus.png",
    mimeType: "image/png",
    buffer: Buffer.from("MZ this is no picture"),
  });
  await expect(pictureField(page)).toHaveAccessibleDescription(/画像として読み取れませんでした。/);
  await expect(page.getByText("2,001 / 2,000文字")).toBeVisible();
  await page.getByRole("button", { name: "画像を取り消す" }).click();
  await send(page);
  await expect(page.getByLabel("メールアドレス")).toHaveAccessibleDescription(
    /メールアドレスの形式が正しくありません。/,
  );
  await expect(textField(page)).toHaveAccessibleDescription(/2,000文字以内で入力してください。/);
  await expect(textField(page)).toHaveValue(text);
  await expect(page).toHaveURL("/contact");
});

test("a file that only claims to be a picture is refused by the server too", async ({ page }) => {
  await page.goto("/contact");
  await settled(page);
  const answer = await page.evaluate(async () => {
    const xsrf = /XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? "";
    const response = await fetch("/api/desk/contact/picture/", {
      method: "POST",
      headers: { "content-type": "image/png", "x-xsrf-token": decodeURIComponent(xsrf) },
      body: new Blob(["MZ this is no picture"], { type: "image/png" }),
    });
    return { status: response.status, code: ((await response.json()) as { code: string }).code };
  });
  expect(answer).toEqual({ status: 400, code: "PICTURE_UNREADABLE" });
});

test("the last page without a message links back to the form", async ({ page }) => {
  await page.goto("/contact/complete");
  await page.getByRole("link", { name: "お問い合わせフォームへ" }).click();
  await expect(page).toHaveURL("/contact");
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("what is typed stays out of the address, and the page says how to write instead", async ({
    page,
  }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.method()} ${request.url()}`));
    await page.goto("/contact");
    await page.getByLabel("お名前").fill("木下 葵");
    await page.getByLabel("メールアドレス").fill("aoi@demo.example");
    await textField(page).fill("動画が途中で止まってしまいます。");
    const before = asked.length;
    await send(page);
    await page.getByLabel("お名前").press("Enter");
    // A submission would navigate before this link does.
    await page.getByRole("main").getByRole("link", { name: "特定商取引法に基づく表記" }).click();
    await expect(page).toHaveURL("/commerce");
    const documents = asked.slice(before).filter((one) => !/\/assets\//.test(one));
    expect(documents[0]).toMatch(/^GET .*\/commerce$/);
    expect(documents.join(" ")).not.toContain("aoi");
  });

  test("the footer has its styles", async ({ page }) => {
    await page.goto("/contact");
    await expect(page.getByRole("contentinfo")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  });
});
