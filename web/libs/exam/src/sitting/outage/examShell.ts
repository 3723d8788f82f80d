import { paths } from "@konomana/paths";

const WORKER = "/exam-worker.js";
/** The worker sees the screens of mock exams alone. */
const SCOPE = "/mypage/mockexam/";
const CACHE = "konomana.exam-shell";
/** The files of the exam's screens, as the build lists them. */
const FILES = "/exam-files.json";
/** One empty page serves every exam: the app finds the screen by the address. The worker knows it by this name. */
const PAGE = paths.examSitting(1);

/** Keeps the program of the exam's screens in the browser, and the worker that opens them when the network fails. */
export async function keepShell(): Promise<void> {
  // Absent where the page came over plain HTTP, and in some private windows.
  const { serviceWorker } = navigator;
  if (!serviceWorker || !("caches" in globalThis)) return;
  const { files } = (await (await fetch(FILES)).json()) as { files: string[] };
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...files]);
  await serviceWorker.register(WORKER, { scope: SCOPE });
}

/** Removes both. */
export async function dropShell(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  const own = registrations.filter(({ scope }) => new URL(scope).pathname === SCOPE);
  await Promise.all(own.map((registration) => registration.unregister()));
  if ("caches" in globalThis) await caches.delete(CACHE);
}
