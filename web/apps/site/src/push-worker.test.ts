import { afterEach, beforeEach, expect, test, vi } from "vitest";

const ORIGIN = "https://site.invalid";

type Listener = (event: object) => void;

const listeners = new Map<string, Listener>();
const showNotification = vi.fn<(title: string, options: NotificationOptions) => Promise<void>>();
const openWindow = vi.fn<(url: string) => Promise<void>>();
let windows: { url: string; focus: () => Promise<void> }[] = [];

beforeEach(async () => {
  listeners.clear();
  windows = [];
  showNotification.mockReset().mockResolvedValue();
  openWindow.mockReset().mockResolvedValue();
  vi.stubGlobal("location", new URL(ORIGIN));
  vi.stubGlobal("registration", { showNotification });
  vi.stubGlobal("clients", { matchAll: async () => windows, openWindow });
  vi.stubGlobal("addEventListener", (name: string, listener: Listener) =>
    listeners.set(name, listener),
  );
  vi.resetModules();
  await import("./push-worker");
});

afterEach(() => void vi.unstubAllGlobals());

async function send(name: string, event: object): Promise<void> {
  const works: Promise<unknown>[] = [];
  listeners.get(name)?.({ ...event, waitUntil: (work: Promise<unknown>) => works.push(work) });
  await Promise.all(works);
}

const push = (json: () => unknown) => send("push", { data: { json } });

test("a push shows its text, and a repeated one replaces it", async () => {
  await push(() => ({
    id: "n1",
    text: "模試の成績が確定しました",
    path: "/mypage/mockexam/3/result",
  }));
  expect(showNotification.mock.calls).toEqual([
    [
      "コノマナ",
      {
        body: "模試の成績が確定しました",
        lang: "ja",
        icon: "/favicon.svg",
        tag: "n1",
        data: "/mypage/mockexam/3/result",
      },
    ],
  ]);
});

test.each([
  () => null,
  () => ({ id: 1, text: "", path: "https://evil.invalid/" }),
  () => ({ path: "//evil.invalid/" }),
  () => {
    throw new SyntaxError("not JSON");
  },
])("an unreadable push shows a general text and leads to the own page", async (json) => {
  await push(json);
  expect(showNotification.mock.calls).toMatchObject([
    ["コノマナ", { body: "新しいお知らせがあります。", data: "/mypage" }],
  ]);
});

test("a pressed notification opens its page, in the window that shows it if there is one", async () => {
  const notification = { close: vi.fn<() => void>(), data: "/mypage/question/1" };
  await send("notificationclick", { notification });
  expect(notification.close).toHaveBeenCalledOnce();
  expect(openWindow.mock.calls).toEqual([[`${ORIGIN}/mypage/question/1`]]);
  const focus = vi.fn<() => Promise<void>>().mockResolvedValue();
  windows = [{ url: `${ORIGIN}/mypage/question/1#answer`, focus }];
  await send("notificationclick", { notification });
  expect(focus).toHaveBeenCalledOnce();
  expect(openWindow).toHaveBeenCalledOnce();
});
