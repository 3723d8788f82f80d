import { paths } from "@konomana/paths";

const WORKER = "/exam-worker.js";
/** The worker handles only the screens of mock exams. */
const SCOPE = "/mypage/mockexam/";
const CACHE = "konomana.exam-shell";
/** The build's list of the files of the exam's screens. */
const FILES = "/exam-files.json";
/** One empty page serves every exam, because the app finds the screen by the URL. The worker uses the same URL. */
const PAGE = paths.examSitting(1);

/** Caches the files of the exam's screens, and registers the worker that opens them when the network fails. */
export async function keepShell(): Promise<void> {
  // Absent on pages over plain HTTP and in some private windows.
  const { serviceWorker } = navigator;
  if (!serviceWorker || !("caches" in globalThis)) return;
  const { files } = (await (await fetch(FILES)).json()) as { files: string[] };
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...files]);
  await serviceWorker.register(WORKER, { scope: SCOPE });
}

/** Removes the cache and the worker. */
export async function dropShell(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  const own = registrations.filter(({ scope }) => new URL(scope).pathname === SCOPE);
  await Promise.all(own.map((registration) => registration.unregister()));
  if ("caches" in globalThis) await caches.delete(CACHE);
}
