/**
 * The service worker of a running exam. When the network fails, it opens the exam's screens from the cache that the page
 * has filled (`libs/exam/src/sitting/outage`). It never handles requests to the API. The page removes it after the
 * hand-in. It removes itself a day after the exam was last opened.
 */
interface Work extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Work {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Worker {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Work) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
}

/** As in `libs/exam/src/sitting/outage/examShell.ts`. */
const CACHE = "konomana.exam-shell";
/** The cached page, the same for every exam. */
const PAGE = "/mypage/mockexam/1/exam";
/** The screens of a sitting. */
const SCREENS = /^\/mypage\/mockexam\/[1-9]\d*\/exam(?:\/checkpage)?$/;
/** Timeout of the server's response headers before the cached page is used. */
const PATIENCE_MS = 5_000;
const DAY_MS = 86_400_000;

const worker = globalThis as unknown as Worker;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

// The page that registers the worker loads more files, which the worker must see.
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate") {
    event.waitUntil(removeAfterDay());
    if (SCREENS.test(pathname)) event.respondWith(openPage(request));
  } else if (pathname.startsWith("/assets/")) event.respondWith(openFile(request));
});

/** Returns the server's page, or the cached one if the server can't be reached or fails. */
async function openPage(request: Request): Promise<Response> {
  const kept = await caches.match(PAGE);
  if (kept === undefined) return fetch(request);
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(request, { signal: patience.signal });
    return answer.status < 500 ? answer : kept;
  } catch {
    return kept;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a file from the cache or the server. Its name has a hash of its content. */
async function openFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

/** Removes the worker if the exam's page was not opened for a day, e.g. because another device handed in. */
async function removeAfterDay(): Promise<void> {
  const kept = await caches.match(PAGE);
  const keptAt = kept === undefined ? 0 : Date.parse(kept.headers.get("date") ?? "");
  if (!(Date.now() - keptAt > DAY_MS)) return;
  await worker.registration.unregister();
  await caches.delete(CACHE);
}
