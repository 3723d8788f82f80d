import type { Course } from "../api";
import { afterEach, describe, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Videos } from "./Videos";

const folder = "/api/media/open/course/101/sample";

function open(sample_video: string, orientation: string | null = null) {
  return render(<Videos course={{ sample_video, orientation } as Course} />);
}

afterEach(() => vi.restoreAllMocks());

test("a sample with a poster and captions shows them before anything is loaded", async () => {
  vi.spyOn(HTMLMediaElement.prototype, "canPlayType").mockReturnValue("maybe");
  await open(`${folder}/master.m3u8`);
  const video = page.getByLabelText("見本のレッスン");
  await expect.element(video).toHaveAttribute("src", `${folder}/master.m3u8`);
  await expect.element(video).toHaveAttribute("poster", `${folder}/poster.png`);
  await expect.element(video).toHaveAttribute("preload", "none");
  const track = video.element().querySelector("track");
  expect(track?.getAttribute("src")).toBe(`${folder}/ja.vtt`);
});

test("a video from another source plays as it is", async () => {
  await open(`${folder}/master.m3u8`, "https://films.example/course/101.mp4");
  const video = page.getByLabelText("はじめに：講座の進め方");
  await expect.element(video).toHaveAttribute("src", "https://films.example/course/101.mp4");
  expect(video.element().hasAttribute("poster")).toBe(false);
  expect(video.element().querySelector("track")).toBeNull();
});

/** Presses play. The controls of a video belong to the browser. */
async function press(sample: string): Promise<HTMLVideoElement> {
  vi.spyOn(HTMLMediaElement.prototype, "canPlayType").mockReturnValue("");
  await open(sample);
  const video = page.getByLabelText("見本のレッスン").element() as HTMLVideoElement;
  video.muted = true;
  // The browser rejects a format that it can't play natively.
  await video.play().catch(() => {});
  return video;
}

describe("in a browser without native HLS", () => {
  test("a sample plays at the first press", async () => {
    const video = await press("/films/fmp4/master.m3u8");
    await expect.poll(() => video.currentTime, { timeout: 10_000 }).toBeGreaterThan(0.5);
  });

  test("a missing sample shows an error", async () => {
    await press("/gone/master.m3u8");
    const said = "動画を読み込めませんでした。時間をおいてもう一度お試しください。";
    await expect.element(page.getByText(said)).toBeVisible();
  });
});
