import { problem } from "@konomana/testing";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { forgetSitting } from "../protocol/OpenSitting";
import { EXAM, faults, openPage, resetSitting, slow } from "../sittingPageTesting";
import { ExamServer, questions, writtenQuestion } from "../sittingTesting";

beforeEach(resetSitting);

/** Opens the written question. */
async function openWritten(server = new ExamServer()) {
  server.questions = [...questions, writtenQuestion];
  const isFirst = server.startedAt === null;
  const opened = await openPage(`${EXAM}?paper=11&question=5`, server);
  if (isFirst) await opened.press("始める");
  await opened.heading(/^問題 5/);
  return opened;
}

/** Draws a line from one place of the sheet to another, each from 0 to 1. */
function drawLine(canvas: Element, from: [number, number], to: [number, number]) {
  const box = canvas.getBoundingClientRect();
  const at = ([x, y]: [number, number]) => ({
    clientX: box.left + x * box.width,
    clientY: box.top + y * box.height,
    pointerId: 1,
    isPrimary: true,
    bubbles: true,
    button: 0,
  });
  // A synthetic pointer can't be captured.
  (canvas as HTMLCanvasElement).setPointerCapture = () => {};
  canvas.dispatchEvent(new PointerEvent("pointerdown", at(from)));
  canvas.dispatchEvent(new PointerEvent("pointermove", at(to)));
  canvas.dispatchEvent(new PointerEvent("pointerup", at(to)));
}

/** The share of dark pixels in a picture. */
async function darkness(picture: Blob | undefined): Promise<number> {
  if (picture === undefined) return 0;
  const bitmap = await createImageBitmap(picture);
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context?.drawImage(bitmap, 0, 0);
  const { data = [] } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {};
  let dark = 0;
  for (let index = 0; index < data.length; index += 4) if ((data[index] ?? 255) < 128) dark++;
  return dark / (data.length / 4);
}

/** The picture of the saved answer. */
const pictureOn = (server: ExamServer) => {
  const answer = server.answers.get(105)?.answer ?? null;
  return answer !== null && "picture" in answer ? server.pictures.get(answer.picture) : undefined;
};

type Opened = Awaited<ReturnType<typeof openWritten>>;
const sheetOf = ({ screen }: Opened) => screen.getByRole("img", { name: /^手書き/ }).element();

test("a drawing is saved as a picture, each change of it can be undone, and it goes on after a reload", async () => {
  const opened = await openWritten();
  const { screen, server, press, state } = opened;
  await press("手書きで答える");
  drawLine(sheetOf(opened), [0.1, 0.5], [0.9, 0.5]);
  await state("保存済み");
  const one = await darkness(pictureOn(server));
  expect(one).toBeGreaterThan(0);
  drawLine(sheetOf(opened), [0.5, 0.1], [0.5, 0.9]);
  await expect.poll(async () => darkness(pictureOn(server)), slow).toBeGreaterThan(one);
  await press("1つもどす");
  await expect.poll(async () => darkness(pictureOn(server)), slow).toBe(one);
  await page.viewport(360, 740);
  expect(await faults()).toEqual([]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
  await screen.unmount();
  forgetSitting();

  const again = await openWritten(server);
  await expect
    .element(again.screen.getByRole("img", { name: "いまの答えの画像" }), slow)
    .toBeVisible();
  await again.press("手書きで答える");
  await expect.element(again.screen.getByRole("img", { name: "手書きの答え" }), slow).toBeVisible();
  await again.press("消しゴム");
  drawLine(sheetOf(again), [0.1, 0.5], [0.5, 0.5]);
  await expect.poll(async () => darkness(pictureOn(server)), slow).toBeLessThan(one);
  expect(await darkness(pictureOn(server))).toBeGreaterThan(0);
  await again.press("全部消す");
  await expect.poll(() => server.answers.get(105)?.answer, slow).toBeNull();
});

test("a removed drawing makes the typed text the answer again", async () => {
  const opened = await openWritten();
  const { screen, server, press } = opened;
  await screen.getByLabelText("答え（記述）").fill("任せたい。");
  await expect.poll(() => server.answers.get(105)?.answer, slow).toEqual({ text: "任せたい。" });
  await press("手書きで答える");
  await expect.element(screen.getByText(/^いまの答えは文字です。/)).toBeVisible();
  drawLine(sheetOf(opened), [0.1, 0.5], [0.9, 0.5]);
  await expect.poll(() => pictureOn(server)?.size ?? 0, slow).toBeGreaterThan(0);
  await press("全部消す");
  await expect.poll(() => server.answers.get(105)?.answer, slow).toEqual({ text: "任せたい。" });
  await press("文字で答える");
  await expect.element(screen.getByLabelText("答え（記述）")).toHaveValue("任せたい。");
});

test("a photo is made smaller on the device, and only its pixels are sent", async () => {
  const { screen, server, press, state } = await openWritten();
  await press("写真で答える");
  const canvas = new OffscreenCanvas(3_000, 2_000);
  canvas.getContext("2d")?.fillRect(0, 0, 3_000, 1_000);
  const photo = await canvas.convertToBlob({ type: "image/jpeg" });
  const file = new File([photo, "GPS 35.68"], "photo.jpg", { type: "image/jpeg" });
  await userEvent.upload(screen.getByLabelText("写真をとる・選ぶ"), file);
  await state("保存済み");
  const stored = pictureOn(server) ?? new Blob();
  const { width, height } = await createImageBitmap(stored);
  expect([width, height]).toEqual([1_600, 1_067]);
  expect(await stored.text()).not.toContain("GPS");
  await expect.element(screen.getByRole("img", { name: "いまの答えの画像" }), slow).toBeVisible();
  const broken = new File(["GIF"], "photo.jpg", { type: "image/jpeg" });
  await userEvent.upload(screen.getByLabelText("べつの写真をとる・選ぶ"), broken);
  await expect.element(screen.getByText(/^この写真は読めません。/)).toBeVisible();
  expect(pictureOn(server)).toBe(stored);
  await page.viewport(360, 740);
  expect(await faults()).toEqual([]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
  await press("手書きで答える");
  await expect.element(screen.getByText(/^いまの答えは写真です。/), slow).toBeVisible();
  await press("文字で答える");
  await screen.getByLabelText("答え（記述）").fill("任せたい。");
  await expect.poll(() => server.answers.get(105)?.answer, slow).toEqual({ text: "任せたい。" });
});

test("without a network a drawing stays on the device, also over a reload, and arrives later", async () => {
  const first = await openWritten();
  const { server } = first;
  server.isCut = true;
  await first.press("手書きで答える");
  drawLine(sheetOf(first), [0.1, 0.5], [0.9, 0.5]);
  await first.state("端末に保存");
  await first.screen.unmount();
  forgetSitting();
  expect(server.pictures.size).toBe(0);
  server.isCut = false;
  const { state } = await openWritten(server);
  await state("保存済み");
  expect(await darkness(pictureOn(server))).toBeGreaterThan(0);
});

test("the sheet takes nothing once the time is over", async () => {
  const server = new ExamServer();
  const usual = server.answer;
  server.answer = (call) =>
    call.path.endsWith("/hand-in/") ? problem(503, "INTERNAL") : usual(call);
  const opened = await openWritten(server);
  const { screen, press } = opened;
  await press("手書きで答える");
  server.minutes = 0;
  await screen.getByLabelText("あとで見直す").click();
  await expect.poll(() => sheetOf(opened).matches("fieldset:disabled *"), slow).toBe(true);
  drawLine(sheetOf(opened), [0.1, 0.5], [0.9, 0.5]);
  await expect
    .element(screen.getByRole("img", { name: "手書き用紙。まだ何も書いていません" }))
    .toBeVisible();
  expect(server.pictures.size).toBe(0);
});
