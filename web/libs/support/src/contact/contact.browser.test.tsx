import type { User } from "@konomana/session";
import { sessionStore } from "@konomana/session";
import { beforeEach, expect, test } from "vitest";
import { type Answers, json, problem } from "@konomana/testing";
import { type Call, open } from "../supportTesting";
import { limits } from "@konomana/form";

const NUMBER = "K-261121-4F7Q";
const sent = { "POST desk/contact/": () => json({ number: NUMBER, receipt: true }, 201) };

beforeEach(() => {
  sessionStorage.clear();
  sessionStore.reset();
});

type Screen = Awaited<ReturnType<typeof open>>["screen"];

async function fill(screen: Screen, text = "動画が途中で止まってしまいます。") {
  await screen.getByLabelText("お問い合わせの種類").selectOptions("動画・動作環境について");
  await screen.getByLabelText("お名前").fill("木下 葵");
  await screen.getByLabelText("メールアドレス").fill("aoi@demo.example");
  await screen.getByLabelText("お問い合わせの内容").fill(text);
}

async function openForm(answers: Answers = sent) {
  const opened = await open("/contact", { answers });
  const { screen } = opened;
  const send = () => screen.getByRole("button", { name: "送信する" }).click();
  const choose = async (file: File) => {
    const field = screen.getByLabelText("画像（なくても送れます）");
    await expect.element(field).toBeInTheDocument();
    const input = field.element() as HTMLInputElement;
    // Sets the file in the page. Passing megabytes from outside takes seconds.
    const chosen = new DataTransfer();
    chosen.items.add(file);
    input.files = chosen.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  return { ...opened, send, choose };
}

const posted = (calls: Call[], name: string) =>
  calls.filter(({ call }) => call === `POST desk/${name}`);

/** A picture of one pixel. */
function picture(name = "screen.png"): File {
  const bytes = atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  );
  return new File([Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))], name, {
    type: "image/png",
  });
}

test("a message is sent as typed, and the number is shown with the next steps", async () => {
  const { screen, heading, calls, send } = await openForm();
  const text = "<script>alert(1)</script> שלום 👩‍🎓 と書きました。";
  await fill(screen, text);
  await send();
  await expect.element(heading("お問い合わせを受け付けました")).toBeVisible();
  await expect.element(screen.getByText(NUMBER)).toBeVisible();
  await expect.element(screen.getByText(/平日の3日以内にメールで/)).toBeVisible();
  expect(posted(calls, "contact/").map(({ body }) => body)).toEqual([
    {
      kind: "technical",
      name: "木下 葵",
      email: "aoi@demo.example",
      text,
      picture: null,
      website: "",
    },
  ]);
});

test("a field error appears when the field loses focus, and nothing is sent", async () => {
  const { screen, calls, send } = await openForm();
  await screen.getByLabelText("メールアドレス").fill("aoi@");
  await screen.getByLabelText("お名前").click();
  await expect
    .element(screen.getByLabelText("メールアドレス"))
    .toHaveAccessibleDescription(/メールアドレスの形式が正しくありません。/);
  await send();
  await expect.element(screen.getByText("お問い合わせの種類を選んでください。")).toBeVisible();
  await expect.element(screen.getByText("お名前を入力してください。")).toBeVisible();
  await expect.element(screen.getByText("お問い合わせの内容を入力してください。")).toBeVisible();
  expect(posted(calls, "contact/")).toEqual([]);
});

test("without a receipt the last page says so and confirms the message", async () => {
  const { screen, heading, send } = await openForm({
    "POST desk/contact/": () => json({ number: NUMBER, receipt: false }, 201),
  });
  await fill(screen);
  await send();
  await expect.element(heading("お問い合わせを受け付けました")).toBeVisible();
  await expect.element(screen.getByText(NUMBER)).toBeVisible();
  await expect.element(screen.getByText(/受け付けのメールはお送りしません。/)).toBeVisible();
  await expect.element(screen.getByText(/すぐにお送りします。/)).not.toBeInTheDocument();
});

test("a name with a link or an address is refused beside its field", async () => {
  const { screen, calls, send } = await openForm();
  await fill(screen);
  await screen.getByLabelText("お名前").fill("evil.example へ");
  await send();
  await expect
    .element(screen.getByText("お名前に、リンクやメールアドレスは使えません。"))
    .toBeVisible();
  expect(posted(calls, "contact/")).toEqual([]);
});

test("a picture that the server has deleted meanwhile is uploaded again silently", async () => {
  let names = 0;
  const { screen, heading, calls, send, choose } = await openForm({
    "POST desk/contact/picture/": () => json({ picture: `picture-${(names += 1)}` }, 201),
    "POST desk/contact/": ({ body }) =>
      JSON.stringify(body).includes("picture-1")
        ? problem(400, "INVALID", { errors: [{ field: "picture", code: "UNKNOWN_CHOICE" }] })
        : sent["POST desk/contact/"](),
  });
  await fill(screen);
  await choose(picture());
  await send();
  await expect.element(heading("お問い合わせを受け付けました")).toBeVisible();
  expect(posted(calls, "contact/picture/")).toHaveLength(2);
});

test("2,001 characters are counted as people count, kept, and not sent", async () => {
  const { screen, calls, send } = await openForm();
  await fill(screen, "😀".repeat(limits.contactText.max + 1));
  await expect
    .element(screen.getByText("2,001 / 2,000文字（あと1文字、へらしてください）"))
    .toBeVisible();
  await expect.element(screen.getByText("あと1文字、へらしてください。")).toBeInTheDocument();
  await send();
  await expect
    .element(screen.getByText("お問い合わせの内容は2,000文字以内で入力してください。"))
    .toBeVisible();
  await expect
    .element(screen.getByLabelText("お問い合わせの内容"))
    .toHaveValue("😀".repeat(limits.contactText.max + 1));
  expect(posted(calls, "contact/")).toEqual([]);
});

test("after a lost connection the input stays, and the second attempt has the same key", async () => {
  let lost = true;
  const { screen, heading, calls, send } = await openForm({
    "POST desk/contact/": () =>
      lost ? Promise.reject(new TypeError("lost")) : sent["POST desk/contact/"](),
  });
  await fill(screen);
  await send();
  await expect.element(screen.getByText(/インターネットにつながりません/)).toBeVisible();
  await expect.element(screen.getByLabelText("お名前")).toHaveValue("木下 葵");
  lost = false;
  await send();
  await expect.element(heading("お問い合わせを受け付けました")).toBeVisible();
  const keys = posted(calls, "contact/").map(({ headers }) => headers.get("idempotency-key"));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});

test("another text has another key, and so has the same text after it was sent", async () => {
  const { screen, heading, calls, send, router } = await openForm({
    "POST desk/contact/": ({ body }) =>
      JSON.stringify(body).includes("べつ")
        ? sent["POST desk/contact/"]()
        : problem(502, "INTERNAL"),
  });
  await fill(screen);
  await send();
  await expect.element(screen.getByText("送信できませんでした")).toBeVisible();
  for (const _ of [1, 2]) {
    await fill(screen, "べつのことを書きました。");
    await send();
    await expect.element(heading("お問い合わせを受け付けました")).toBeVisible();
    await router.navigate("/contact");
  }
  const keys = posted(calls, "contact/").map(({ headers }) => headers.get("idempotency-key"));
  expect(new Set(keys).size).toBe(3);
});

test("a reload keeps the input, and a sent message is removed", async () => {
  const first = await openForm();
  await fill(first.screen, "書きかけの文章です。");
  await first.screen.unmount();
  const { screen, heading, send, router } = await openForm();
  await expect
    .element(screen.getByLabelText("お問い合わせの内容"))
    .toHaveValue("書きかけの文章です。");
  await expect.element(screen.getByLabelText("お問い合わせの種類")).toHaveValue("technical");
  await send();
  await expect.element(heading("お問い合わせを受け付けました")).toBeVisible();
  await router.navigate("/contact");
  await expect.element(screen.getByLabelText("お問い合わせの内容")).toHaveValue("");
});

const person = (id: string, last_name: string) =>
  ({ id, last_name, first_name: "葵", email: `${id}@demo.example` }) as User;

test("one person's input is never shown to the next one in the same tab", async () => {
  sessionStore.signIn(person("anna", "木下"));
  const first = await openForm();
  await first.screen.getByLabelText("お問い合わせの内容").fill("書きかけの文章です。");
  await first.screen.unmount();
  sessionStore.signIn(person("ben", "山本"));
  const { screen } = await openForm();
  await expect.element(screen.getByLabelText("お名前")).toHaveValue("山本 葵");
  await expect.element(screen.getByLabelText("お問い合わせの内容")).toHaveValue("");
});

test("the open form is emptied when its user signs out in another tab", async () => {
  sessionStore.signIn(person("anna", "木下"));
  const { screen } = await openForm();
  await screen.getByLabelText("お問い合わせの内容").fill("書きかけの文章です。");
  sessionStore.reset();
  await expect.element(screen.getByLabelText("お名前")).toHaveValue("");
  await expect.element(screen.getByLabelText("お問い合わせの内容")).toHaveValue("");
});

test("the form puts nothing into the address when the browser itself submits it", async () => {
  const { screen } = await openForm();
  await fill(screen);
  const form = screen.getByRole("form", { name: "お問い合わせ" }).element() as HTMLFormElement;
  const before = location.href;
  // Bypasses every listener, like a browser without scripts.
  form.submit();
  await expect.poll(() => document.readyState).toBe("complete");
  expect(location.href).toBe(before);
  expect(form.method).toBe("dialog");
});

test("a picture is previewed, uploaded before the message, and uploaded once when the message is retried", async () => {
  let tries = 0;
  const { screen, heading, calls, send, choose } = await openForm({
    "POST desk/contact/picture/": () => json({ picture: "018f" }, 201),
    "POST desk/contact/": () =>
      (tries += 1) === 1 ? problem(502, "UPSTREAM_UNAVAILABLE") : sent["POST desk/contact/"](),
  });
  await fill(screen);
  await choose(picture());
  await expect.element(screen.getByRole("img", { name: "選んだ画像" })).toBeVisible();
  await send();
  await expect.element(screen.getByText("送信できませんでした")).toBeVisible();
  await send();
  await expect.element(heading("お問い合わせを受け付けました")).toBeVisible();
  const pictures = posted(calls, "contact/picture/");
  expect(pictures).toHaveLength(1);
  expect(pictures[0]?.body).toBeInstanceOf(File);
  expect(pictures[0]?.headers.get("content-type")).toBe("image/png");
  expect(posted(calls, "contact/").map(({ body }) => body)).toEqual([
    expect.objectContaining({ picture: "018f" }),
    expect.objectContaining({ picture: "018f" }),
  ]);
});

test("a picture can be removed", async () => {
  const { screen, heading, calls, send, choose } = await openForm();
  await fill(screen);
  await choose(picture());
  await screen.getByRole("button", { name: "画像を取り消す" }).click();
  await expect.element(screen.getByText("screen.png")).not.toBeInTheDocument();
  await send();
  await expect.element(heading("お問い合わせを受け付けました")).toBeVisible();
  expect(posted(calls, "contact/picture/")).toEqual([]);
});

test.each([
  [
    "too large",
    () => new File([new Uint8Array(5 * 1024 * 1024 + 1)], "a.png", { type: "image/png" }),
    "画像が大きすぎます。5MBまでの画像を選んでください。",
  ],
  [
    "no picture",
    () => new File(["%PDF"], "a.pdf", { type: "application/pdf" }),
    "画像として読み取れませんでした。",
  ],
  [
    "a picture in name only",
    () => new File(["hello"], "a.png", { type: "image/png" }),
    "画像として読み取れませんでした。",
  ],
])("a file that is %s is refused beside the field before it is sent", async (_, file, sentence) => {
  const { screen, calls, choose } = await openForm();
  await choose(file());
  await expect.element(screen.getByText(new RegExp(sentence))).toBeVisible();
  await expect
    .element(screen.getByLabelText("画像（なくても送れます）"))
    .toHaveAccessibleDescription(new RegExp(sentence));
  expect(posted(calls, "contact/picture/")).toEqual([]);
});

test("a picture that the server refuses shows an error beside the field, and the text stays", async () => {
  const { screen, calls, send, choose } = await openForm({
    "POST desk/contact/picture/": () => problem(400, "PICTURE_UNREADABLE"),
  });
  await fill(screen);
  await choose(picture());
  await send();
  await expect
    .element(screen.getByLabelText("画像（なくても送れます）"))
    .toHaveAccessibleDescription(/画像として読み取れませんでした。/);
  await expect
    .element(screen.getByLabelText("お問い合わせの内容"))
    .toHaveValue("動画が途中で止まってしまいます。");
  expect(posted(calls, "contact/")).toEqual([]);
});

test("a rate limit shows how long to wait", async () => {
  const { screen, send } = await openForm({
    "POST desk/contact/": () => {
      const refused = problem(429, "RATE_LIMITED");
      refused.headers.set("retry-after", "600");
      return refused;
    },
  });
  await fill(screen);
  await send();
  await expect.element(screen.getByText(/10分ほど待ってから/)).toBeVisible();
});

test("the honeypot is invisible, silent and not focusable", async () => {
  const { screen, heading } = await openForm();
  await expect.element(heading("お問い合わせ")).toBeVisible();
  const trap = screen.container.querySelector<HTMLInputElement>("input[name=website]");
  expect(trap?.tabIndex).toBe(-1);
  expect(trap?.closest("[aria-hidden=true]")).not.toBeNull();
  // A bot that fills in elements with a size finds it.
  expect(trap?.getBoundingClientRect().width ?? 0).toBeGreaterThan(0);
  expect(trap?.closest("[aria-hidden]")?.getBoundingClientRect().width).toBe(1);
});

test("without a number the last page links back to the form", async () => {
  const { screen, heading } = await open("/contact/complete");
  await screen.getByRole("link", { name: "お問い合わせフォームへ" }).click();
  await expect.element(heading("お問い合わせ")).toBeVisible();
});
