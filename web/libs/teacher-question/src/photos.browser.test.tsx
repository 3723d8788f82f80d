import { done, json, problem } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { asked, ID, open, pageOf, reply, TEXT, thread, waiting } from "./teacherQuestionTesting";

const NEW = "/mypage/question/new";
/** The id of the n-th uploaded photo. */
const photoId = (n: number) => `01936f2a-4c00-7a31-8b52-1f6d0c9e4b${String(n).padStart(2, "0")}`;
const slow = { timeout: 5_000 };

async function photo(name: string, width = 60, height = 40): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.fillRect(0, 0, width, height / 2);
  const content = await canvas.convertToBlob({ type: "image/jpeg" });
  return new File([content], name, { type: "image/jpeg" });
}

/** The answer with a stored photo. */
async function jpeg(): Promise<Response> {
  const content = await photo("stored.jpg");
  return new Response(content, { headers: { "content-type": "image/jpeg" } });
}

type Screen = Awaited<ReturnType<typeof open>>["screen"];
const field = (screen: Screen) => screen.getByLabelText("写真（なくても送れます）");
const rows = (screen: Screen) => screen.getByRole("list", { name: "付けた写真" });
const send = (screen: Screen) => screen.getByRole("button", { name: "質問を送る" }).click();

/** A server that stores photos and the question. */
function photoServer() {
  let photos = 0;
  return {
    "POST desk/question/picture/": () => json({ id: photoId((photos += 1)) }, 201),
    "POST desk/question/": () => ({ id: ID }),
    "GET desk/question/{id}/": () => ({ question: waiting, messages: [asked] }),
  };
}

test("photos are made smaller, uploaded once before their question, and not uploaded again after a failure", async () => {
  let tries = 0;
  const { screen, calls, router } = await open(NEW, {
    ...photoServer(),
    "POST desk/question/": () =>
      (tries += 1) === 1 ? problem(502, "UPSTREAM_UNAVAILABLE") : { id: ID },
  });
  await screen.getByRole("textbox", { name: "質問" }).fill(TEXT);
  await userEvent.upload(field(screen), [
    await photo("note.jpg", 3_000, 2_000),
    await photo("book.jpg"),
  ]);
  await expect.element(screen.getByText("写真を2枚付けました。")).toBeVisible();
  await screen.getByLabelText("写真 1 の説明（なくても送れます）").fill("ノートの二行目 ");
  await send(screen);
  await expect.element(screen.getByText("質問を送れませんでした"), slow).toBeVisible();
  await expect.element(screen.getByRole("textbox", { name: "質問" })).toHaveValue(TEXT);
  await expect
    .element(screen.getByLabelText("写真 1 の説明（なくても送れます）"))
    .toHaveValue("ノートの二行目 ");
  await send(screen);
  await expect.poll(() => router.state.location.pathname, slow).toBe(`/mypage/question/${ID}`);

  const posts = calls.filter(({ method }) => method === "POST");
  const uploads = posts.filter(({ path }) => path.endsWith("/picture/"));
  expect(uploads).toHaveLength(2);
  const [large] = uploads.map(({ body }) => body as Blob);
  const { width, height } = await createImageBitmap(large as Blob);
  expect([width, height]).toEqual([1_600, 1_067]);
  const sent = posts.filter(({ path }) => path.endsWith("/question/"));
  expect(sent.map(({ body }) => (body as { pictures: unknown }).pictures)).toEqual(
    Array.from({ length: 2 }, () => [
      { id: photoId(1), description: "ノートの二行目" },
      { id: photoId(2), description: "" },
    ]),
  );
  const [first, second] = sent.map(({ headers }) => headers.get("idempotency-key"));
  expect(first).toBe(second);
});

test("a file that is no photo is shown beside the field, and the text and the other photos stay", async () => {
  const { screen } = await open(NEW, photoServer());
  await screen.getByRole("textbox", { name: "質問" }).fill(TEXT);
  const broken = new File(["GIF"], "memo.jpg", { type: "image/jpeg" });
  const other = new File(["PDF"], "list.jpg", { type: "image/jpeg" });
  await userEvent.upload(field(screen), [await photo("note.jpg"), broken, other]);
  await expect
    .element(screen.getByText(/「memo.jpg」は写真として読めません。べつの写真を選んでください。/))
    .toBeVisible();
  await expect.element(field(screen)).toHaveAccessibleDescription(/「memo.jpg」は写真として/);
  await expect.element(field(screen)).toHaveAccessibleDescription(/「list.jpg」は写真として/);
  await expect.element(field(screen)).toHaveAttribute("aria-invalid", "true");
  expect(rows(screen).getByRole("listitem").elements()).toHaveLength(1);
  await expect.element(screen.getByRole("img", { name: "付けた写真 1" })).toBeVisible();
  await expect.element(screen.getByRole("textbox", { name: "質問" })).toHaveValue(TEXT);
});

test("a fourth photo is not added", async () => {
  const { screen } = await open(NEW, photoServer());
  const files = await Promise.all(["a", "b", "c", "d"].map((name) => photo(`${name}.jpg`)));
  await userEvent.upload(field(screen), files);
  await expect.element(screen.getByText(/^写真は3枚までです。/)).toBeVisible();
  expect(rows(screen).getByRole("listitem").elements()).toHaveLength(3);
});

test("a photo that the server refuses is shown beside the field, which gets the focus", async () => {
  const { screen, calls } = await open(NEW, {
    ...photoServer(),
    "POST desk/question/picture/": () => problem(413, "PICTURE_TOO_LARGE"),
  });
  await screen.getByRole("textbox", { name: "質問" }).fill(TEXT);
  await userEvent.upload(field(screen), await photo("note.jpg"));
  await send(screen);
  await expect
    .element(field(screen), slow)
    .toHaveAccessibleDescription(/画像が大きすぎます。5MBまでの画像を選んでください。/);
  await expect.element(field(screen)).toHaveFocus();
  await expect.element(screen.getByRole("textbox", { name: "質問" })).toHaveValue(TEXT);
  expect(rows(screen).getByRole("listitem").elements()).toHaveLength(1);
  expect(calls.filter(({ path }) => path.endsWith("/question/"))).toHaveLength(0);
});

test("an error of the photos as a whole is shown beside the field, which gets the focus", async () => {
  const { screen } = await open(NEW, {
    ...photoServer(),
    "POST desk/question/": () =>
      problem(400, "INVALID", { errors: [{ field: "pictures", code: "TOO_LONG" }] }),
  });
  await screen.getByRole("textbox", { name: "質問" }).fill(TEXT);
  await userEvent.upload(field(screen), await photo("note.jpg"));
  await send(screen);
  await expect
    .element(field(screen), slow)
    .toHaveAccessibleDescription(
      /写真を付けられませんでした。枚数をたしかめて、もう一度選んでください。/,
    );
  await expect.element(field(screen)).toHaveAttribute("aria-invalid", "true");
  await expect.element(field(screen)).toHaveFocus();
});

test("a photo that the server has deleted meanwhile is uploaded again silently", async () => {
  const { screen, calls, router } = await open(NEW, {
    ...photoServer(),
    "POST desk/question/": ({ body }) =>
      JSON.stringify(body).includes(photoId(1))
        ? problem(400, "INVALID", { errors: [{ field: "pictures", code: "UNKNOWN_CHOICE" }] })
        : { id: ID },
  });
  await screen.getByRole("textbox", { name: "質問" }).fill(TEXT);
  await userEvent.upload(field(screen), await photo("note.jpg"));
  await send(screen);
  await expect.poll(() => router.state.location.pathname, slow).toBe(`/mypage/question/${ID}`);
  expect(calls.filter(({ path }) => path.endsWith("/picture/"))).toHaveLength(2);
});

test("a photo is removed with the keyboard, and the field keeps the focus", async () => {
  const { screen, calls, router } = await open(NEW, photoServer());
  await screen.getByRole("textbox", { name: "質問" }).fill(TEXT);
  await userEvent.upload(field(screen), [await photo("note.jpg"), await photo("book.jpg")]);
  const remove = screen.getByRole("button", { name: "写真 1（note.jpg）を取り消す" });
  (remove.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByText("写真を1枚付けました。")).toBeVisible();
  await expect.element(field(screen)).toHaveFocus();
  await userEvent.tab();
  await expect
    .element(screen.getByRole("button", { name: "写真 1（book.jpg）を取り消す" }))
    .toHaveFocus();
  await send(screen);
  await expect.poll(() => router.state.location.pathname, slow).toBe(`/mypage/question/${ID}`);
  expect(calls.filter(({ path }) => path.endsWith("/picture/"))).toHaveLength(1);
});

test("a form with photos fits a small phone and is accessible", async () => {
  const { screen } = await open(NEW, photoServer());
  const name = `${"long-name-".repeat(12)}.jpg`;
  await userEvent.upload(field(screen), [await photo(name), await photo("book.jpg", 40, 400)]);
  await expect.element(screen.getByRole("img", { name: "付けた写真 2" })).toBeVisible();
  expect(await pageFaults(screen.container, [360, 1264])).toEqual([]);
});

test("a follow-up has photos of its own", async () => {
  const { screen, calls } = await open(`/mypage/question/${ID}`, {
    ...photoServer(),
    "GET desk/question/{id}/": () => thread,
    "POST desk/question/{id}/again/": () => done(),
  });
  await screen.getByRole("textbox", { name: /^まだわからないところ/ }).fill(TEXT);
  await userEvent.upload(field(screen), await photo("note.jpg"));
  await screen.getByRole("button", { name: "続けて質問する" }).click();
  await expect
    .poll(() => calls.find(({ path }) => path.endsWith("/again/"))?.body, slow)
    .toEqual({
      text: TEXT,
      pictures: [{ id: photoId(1), description: "" }],
    });
});

test("the photos of a question and its answer are shown, and enlarged in a dialog", async () => {
  await page.viewport(360, 740);
  const pictures = [
    { id: photoId(1), description: "" },
    { id: photoId(2), description: "ノートの二行目" },
  ];
  const drawn = { ...reply, pictures: [{ id: photoId(3), description: "" }] };
  const { screen, calls } = await open(`/mypage/question/${ID}`, {
    "GET desk/question/{id}/": () => ({ ...thread, messages: [{ ...asked, pictures }, drawn] }),
    "GET desk/question/picture/{id}/": jpeg,
  });
  await expect.element(screen.getByRole("img", { name: "質問の写真 1" }), slow).toBeVisible();
  await expect.element(screen.getByRole("img", { name: "ノートの二行目" })).toBeVisible();
  await expect.element(screen.getByRole("img", { name: "回答の写真 1" })).toBeVisible();
  expect(await pageFaults(screen.container, [360])).toEqual([]);
  expect(calls.filter(({ path }) => path.includes("/picture/"))).toHaveLength(3);
  const enlarge = screen.getByRole("button", { name: "写真を大きく見る：ノートの二行目" });
  (enlarge.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByRole("dialog", { name: "写真：ノートの二行目" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(enlarge).toHaveFocus();
});

test("a photo of a shared question is loaded for its lesson", async () => {
  const messages = [{ ...asked, pictures: [{ id: photoId(1), description: "" }] }, reply];
  const { screen, calls } = await open("/mypage/question/lesson/201010101", {
    "GET desk/lesson/201010101/question/": () =>
      pageOf([{ id: ID, at: null, messages, is_own: false }]),
    "GET desk/lesson/201010101/question/picture/{picture}/": jpeg,
  });
  await expect.element(screen.getByRole("img", { name: "質問の写真 1" }), slow).toBeVisible();
  expect(calls.some(({ path }) => path.endsWith(`/question/picture/${photoId(1)}/`))).toBe(true);
});
