import { afterEach, beforeEach, expect, test, vi } from "vitest";

const ORIGIN = "https://site.invalid";
const EXAM = "/mypage/mockexam/7/exam";
const HOUR = 3_600_000;

type Listener = (event: object) => void;

const listeners = new Map<string, Listener>();
const network = vi.fn<(request: Request, init?: RequestInit) => Promise<Response>>();
const unregister = vi.fn<() => Promise<boolean>>();
/** The responses that the page has cached, by path. */
const cached = new Map<string, Response>();

beforeEach(async () => {
  listeners.clear();
  cached.clear();
  network.mockReset();
  unregister.mockReset();
  vi.stubGlobal("location", new URL(ORIGIN));
  vi.stubGlobal("registration", { unregister });
  vi.stubGlobal("addEventListener", (name: string, listener: Listener) =>
    listeners.set(name, listener),
  );
  vi.stubGlobal("fetch", network);
  vi.stubGlobal("caches", {
    match: async (what: string | Request) =>
      cached.get(typeof what === "string" ? what : new URL(what.url).pathname),
    delete: async () => cached.clear(),
  });
  vi.resetModules();
  await import("./exam-worker");
});

afterEach(() => void vi.unstubAllGlobals());

/** The worker's response to a request of a page, or `null` if it does not handle the request. */
async function answerTo(path: string, mode = "cors", method = "GET"): Promise<string | null> {
  let answer: Promise<Response> | null = null;
  const works: Promise<unknown>[] = [];
  listeners.get("fetch")?.({
    request: { url: new URL(path, ORIGIN).href, mode, method },
    respondWith: (given: Promise<Response>) => (answer = given),
    waitUntil: (work: Promise<unknown>) => works.push(work),
  });
  const text = answer === null ? null : await (await (answer as Promise<Response>)).text();
  await Promise.all(works);
  return text;
}

/** The cached page of this age. */
function keepPage(ago = HOUR): void {
  const date = new Date(Date.now() - ago).toUTCString();
  cached.set("/mypage/mockexam/1/exam", new Response("kept", { headers: { date } }));
}

test.each([
  ["/api/exam/sitting/1/", "cors", "GET"],
  ["/api/exam/sitting/1/answers/", "cors", "PUT"],
  ["/assets/index.js", "cors", "POST"],
  ["/mypage/mockexam/7", "navigate", "GET"],
  ["https://other.invalid/assets/index.js", "cors", "GET"],
])("the worker leaves %s alone", async (path, mode, method) => {
  keepPage();
  expect(await answerTo(path, mode, method)).toBeNull();
});

test.each([EXAM, `${EXAM}?paper=3`, `${EXAM}/checkpage`])(
  "%s comes from the server, and from the cache where the server fails",
  async (path) => {
    keepPage();
    network.mockResolvedValueOnce(new Response("fresh"));
    expect(await answerTo(path, "navigate")).toBe("fresh");
    keepPage();
    network.mockResolvedValueOnce(new Response("closed", { status: 503 }));
    expect(await answerTo(path, "navigate")).toBe("kept");
    keepPage();
    network.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    expect(await answerTo(path, "navigate")).toBe("kept");
  },
);

test("the cached page opens if the server does not answer within 5 seconds", async () => {
  vi.useFakeTimers();
  keepPage();
  network.mockImplementationOnce(
    (_, init) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))),
      ),
  );
  const answer = answerTo(EXAM, "navigate");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await answer).toBe("kept");
  vi.useRealTimers();
});

test("files come from the cache, or from the server if they are not cached", async () => {
  cached.set("/assets/a.js", new Response("kept"));
  expect(await answerTo("/assets/a.js")).toBe("kept");
  network.mockResolvedValueOnce(new Response("fresh"));
  expect(await answerTo("/assets/b.js")).toBe("fresh");
});

test("the worker removes itself a day after the exam was last opened", async () => {
  keepPage(23 * HOUR);
  await answerTo("/mypage/mockexam/7", "navigate");
  expect(unregister).not.toHaveBeenCalled();
  keepPage(25 * HOUR);
  await answerTo("/mypage/mockexam/7", "navigate");
  expect(unregister).toHaveBeenCalledOnce();
  expect(cached.size).toBe(0);
});

test("a worker whose cache was cleared removes itself", async () => {
  await answerTo("/mypage/mockexam/7", "navigate");
  expect(unregister).toHaveBeenCalledOnce();
});
