import { describe, expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { beginAnewEachTime, boxOf, caption, opened, video } from "../lectureTesting";
import { prefer, reloadPreferences } from "./preferences";

beginAnewEachTime();

const controls = () => page.getByRole("group", { name: "動画の操作" });
const opacity = () => {
  const bar = controls().element().parentElement;
  return bar && getComputedStyle(bar).opacity;
};

/** Plays a lesson on a phone in landscape. */
async function playSideways() {
  await page.viewport(740, 360);
  await opened();
  await page.getByRole("button", { name: "再生" }).click();
  await expect.poll(() => video().paused).toBe(false);
}

/** Taps the video at this share of its width. */
function tap(share: number) {
  const { left, top, width, height } = video().getBoundingClientRect();
  const place = {
    bubbles: true,
    pointerType: "touch",
    clientX: left + width * share,
    clientY: top + height / 2,
  };
  video().dispatchEvent(new PointerEvent("pointerdown", place));
  video().dispatchEvent(new PointerEvent("click", place));
}

describe("captions", () => {
  test("are in a band below the video on a phone in portrait, in large text", async () => {
    await page.viewport(360, 740);
    await opened();
    const said = caption("こんにちは。");
    await expect.element(said).toBeVisible();
    expect(boxOf(said).top).toBeGreaterThanOrEqual(video().getBoundingClientRect().bottom);
    const size = () => Number.parseFloat(getComputedStyle(said.element()).fontSize);
    const usual = size();
    await page.getByRole("button", { name: "再生の設定" }).click();
    await page.getByRole("combobox", { name: "字幕の大きさ" }).selectOptions("大");
    expect(size()).toBeGreaterThan(usual);
    await page.getByRole("combobox", { name: "字幕の大きさ" }).selectOptions("小");
    expect(size()).toBeLessThan(usual);
    expect(size()).toBeGreaterThanOrEqual(14);
  });

  test("keep their size for the next visit", async () => {
    prefer({ captionSize: "large" });
    reloadPreferences();
    await opened();
    await page.getByRole("button", { name: "再生の設定" }).click();
    await expect
      .element(page.getByRole("combobox", { name: "字幕の大きさ" }))
      .toHaveDisplayValue("大");
  });

  test("are over the lower edge of the video in a wide window", async () => {
    await opened();
    const said = caption("こんにちは。");
    await expect.element(said).toBeVisible();
    expect(boxOf(said).bottom).toBeLessThanOrEqual(video().getBoundingClientRect().bottom);
  });
});

describe("on a phone in landscape", () => {
  test("the video fills the window's height, with the controls over it", async () => {
    await playSideways();
    globalThis.scrollTo(0, 0);
    const picture = video().getBoundingClientRect();
    expect([picture.top, picture.width, picture.height]).toEqual([0, 740, 360]);
    expect(boxOf(controls()).bottom).toBeLessThanOrEqual(360);
    const pause = page.getByRole("button", { name: "一時停止" }).element();
    const { x, y } = pause.getBoundingClientRect();
    expect(document.elementFromPoint(x + 22, y + 22)?.closest("button")).toBe(pause);
    await expect.element(caption("こんにちは。")).toBeVisible();
    expect(boxOf(caption("こんにちは。")).bottom).toBeLessThanOrEqual(boxOf(controls()).top);
  });

  test("the controls are hidden after 3 seconds; a tap shows them and does not pause", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await playSideways();
    vi.advanceTimersByTime(2900);
    expect(opacity()).toBe("1");
    vi.advanceTimersByTime(200);
    await expect.poll(opacity).toBe("0");
    tap(0.5);
    await expect.poll(opacity).toBe("1");
    expect(video().paused).toBe(false);
  });

  test("a double tap on a side seeks by 10 seconds, and shows it", async () => {
    await playSideways();
    const { currentTime: before } = video();
    tap(0.9);
    tap(0.9);
    await expect.element(page.getByText("10秒進む")).toBeVisible();
    expect(video().currentTime).toBeGreaterThanOrEqual(before + 10);
    const { currentTime: after } = video();
    tap(0.1);
    tap(0.1);
    await expect.element(page.getByText("10秒もどる")).toBeVisible();
    expect(video().currentTime).toBeLessThan(after);
    expect(video().paused).toBe(false);
  });
});

test("with text of twice the size every control is fully visible", async () => {
  document.documentElement.style.fontSize = "200%";
  onTestFinished(() => void document.documentElement.style.removeProperty("font-size"));
  await page.viewport(360, 740);
  await opened();
  prefer({ speed: 1.25 });
  const stage = boxOf(page.getByRole("region", { name: "動画" }));
  const isWhole = (control: Element, { left, right, top, bottom } = stage) => {
    const box = control.getBoundingClientRect();
    const fits = control.scrollWidth <= control.clientWidth;
    return fits && box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
  };
  await expect.element(page.getByLabelText("再生速度")).toHaveDisplayValue("1.25倍");
  const shown = [...controls().element().querySelectorAll("button, select")].filter((control) =>
    control.checkVisibility(),
  );
  expect(shown.filter((control) => !isWhole(control))).toEqual([]);

  await page.getByRole("button", { name: "再生の設定" }).click();
  const settings = controls().element().querySelector("[popover]") as HTMLElement;
  expect(isWhole(settings, new DOMRect(0, 0, 360, 740))).toBe(true);
});
