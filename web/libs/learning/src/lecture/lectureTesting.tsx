/**
 * Fixtures for the tests of a lesson's player: a lesson with a one-minute film, and a stub server
 * with adjustable answers.
 */
import { answerFrom, type Answers, itemOf, json, listOf, stubServer } from "@konomana/testing";
import type { Heartbeat, LectureLesson, Stream } from "../api";
import { connectApi } from "@konomana/http";
import { closeMessage, Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { type Locator, page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { LectureScreen } from "./LectureScreen";
import { reloadPreferences } from "./player/preferences";
import { forgetHeartbeats } from "./watching/useHeartbeats";

const DURATION = 60;
/** Playing a video takes real time. */
export const PATIENT = { timeout: 10_000 };

/** What the learner has watched of the lesson. */
export const watch = {
  position: 23,
  furthest: 23,
  covered: 20,
  times: 1,
  last_seen: "2026-11-20T00:00:00Z",
};

export const lesson: LectureLesson = {
  id: 7,
  name: "主語をさがす",
  summary: "主語を見つけられるようになります。",
  duration: DURATION,
  course: { id: 101, name: "中1英語" },
  chapter: { id: 1, name: "be動詞の文" },
  unit: { id: 1, name: "紹介する" },
  inventory_id: 3,
  product_id: 9,
  number: 1,
  lesson_count: 2,
  previous: null,
  next: { id: 8, name: "動詞をさがす", duration: 60 },
  is_expired: false,
  expire_at: null,
  is_favorite: false,
  is_check: false,
  watch,
  marks: [
    { at: 0, name: "はじめに" },
    { at: 30, name: "れんしゅう" },
  ],
  handouts: [
    {
      kind: "textbook",
      page_count: 3,
      pages: [
        { page: 1, at: 0 },
        { page: 2, at: 30 },
      ],
    },
  ],
  has_video: true,
  question_count: 0,
};

const other = { ...lesson, id: 8, name: "動詞をさがす", number: 2, next: null, watch: null };

/** A minute of silence, which is enough for a browser to play. */
function film(): string {
  const rate = 8000;
  const size = rate * DURATION;
  const bytes = new Uint8Array(44 + size).fill(128);
  const view = new DataView(bytes.buffer);
  const spell = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at);
  spell(0, "RIFF");
  view.setUint32(4, 36 + size, true);
  spell(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  spell(36, "data");
  view.setUint32(40, size, true);
  return URL.createObjectURL(new Blob([bytes], { type: "audio/wav" }));
}

const captions = URL.createObjectURL(
  new Blob(
    [
      "WEBVTT\n\n00:00.000 --> 00:25.000\nこんにちは。\n\n",
      "00:25.000 --> 00:40.000\n主語は動作をする人です。\n\n",
      "00:40.000 --> 01:00.000\nまた会いましょう。\n",
    ],
    { type: "text/vtt" },
  ),
);
export const playlist = film();

/** A picture of one pixel, for a page of a hand-out. */
const dot = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
export const pictures = [`${dot}#1`, `${dot}#2`, "/nowhere.png"];

export const stream = (where = playlist) =>
  json(
    {
      stream: "018f0000-0000-7000-8000-000000000077",
      playlist: where,
      captions,
      poster: "",
      handouts: [{ kind: "textbook", url: "/api/media/t/lesson/7/textbook.pdf", pictures }],
      expires_at: new Date(Date.now() + 7_200_000).toISOString(),
    } satisfies Stream,
    201,
  );

const chapters = [
  {
    id: 1,
    name: "be動詞の文",
    units: [{ id: 1, name: "紹介する", lessons: [lesson, other] }],
  },
];

export let answers: Answers;
export let calls: { call: string; body: unknown; keepalive: boolean }[];

/** Gives each test empty storage and a stub server with the default answers. */
export function beginAnewEachTime(): void {
  beforeEach(async () => {
    // The film is no HLS playlist: with this event the browser plays it natively.
    vi.stubGlobal("WebKitPlaybackTargetAvailabilityEvent", Event);
    localStorage.clear();
    sessionStorage.clear();
    reloadPreferences();
    forgetHeartbeats();
    calls = [];
    answers = {
      "GET lms/lesson/7/": () => json(lesson),
      "GET lms/lesson/8/": () => json(other),
      "POST lms/lesson/7/stream/": () => stream(),
      "POST lms/lesson/8/stream/": () => stream(),
      "POST lms/lesson/7/beat/": ({ body: { position } }) =>
        json({ position, furthest: position, covered: 25, is_check: false, is_done: false }),
      "GET lms/inventory/3/": () => itemOf({ id: 3, course: { course_chapter: chapters } }),
      "GET lms/check/": () => listOf(),
      "GET lms/note/": () => listOf(),
    };
    connectApi({
      session: { token: async () => "t", renew: async () => "t", lost: () => {} },
      cookies: () => "XSRF-TOKEN=n.m",
    });
    stubServer((call) => {
      const { method, path, body, keepalive } = call;
      calls.push({ call: `${method} ${path}`, body, keepalive });
      return answerFrom(answers, call);
    });
    // For the player, nothing was pressed in this document.
    vi.spyOn(navigator.userActivation, "hasBeenActive", "get").mockReturnValue(false);
    await page.viewport(1280, 900);
  });

  afterEach(() => {
    closeMessage();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}

/** Opens a path; `before` fills the query cache. */
export async function open(path = "/lecture/7", before: (queries: QueryClient) => void = () => {}) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  before(queries);
  const router = createMemoryRouter(
    [
      { path: "/lecture/:id", Component: LectureScreen },
      { path: "*", element: <h1>ほかのページ</h1> },
    ],
    { initialEntries: [path] },
  );
  const screen = await render(
    <QueryClientProvider client={queries}>
      <Alerts />
      <main style={{ padding: "0 var(--kn-gutter)" }}>
        <RouterProvider router={router} />
      </main>
    </QueryClientProvider>,
  );
  return { screen, router };
}

export const video = () => document.querySelector("video") as HTMLVideoElement;
export const boxOf = (found: Locator) => found.element().getBoundingClientRect();
export const bodies = (call: string) =>
  calls.filter((one) => one.call === call).map(({ body }) => body);
export const heartbeats = () => bodies("POST lms/lesson/7/beat/") as Heartbeat[];
export const endings = () => calls.filter(({ call }) => call.startsWith("DELETE lms/stream/"));
export const status = () => page.getByRole("main").getByRole("status");
export const alert = () => page.getByRole("main").getByRole("alert");

/** Opens the lesson and waits until its video is at its start position. */
export async function opened(path?: string, before?: (queries: QueryClient) => void) {
  const all = await open(path, before);
  await expect.poll(() => video()?.readyState ?? 0, PATIENT).toBeGreaterThanOrEqual(3);
  await expect.poll(() => video().seeking, PATIENT).toBe(false);
  video().muted = true;
  return all;
}

/** The text of a caption. */
export const caption = (text: string) => page.getByRole("region", { name: "動画" }).getByText(text);
