import { findScreen } from "./domains";

/** The number of concurrent route preloads (the specification, §9). */
export const CONCURRENT_PRELOADS = 4;

/** Runs tasks with limited concurrency, each name once. A failed task may be added again. */
export class PreloadQueue {
  readonly #known = new Set<string>();
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;

  add(name: string, task: () => Promise<unknown>): void {
    if (this.#known.has(name)) return;
    this.#known.add(name);
    this.#waiting.push(async () => {
      try {
        await task();
      } catch {
        // A preload is optional: the navigation reports the error.
        this.#known.delete(name);
      }
    });
    this.#next();
  }

  #next(): void {
    while (this.#running < CONCURRENT_PRELOADS) {
      const task = this.#waiting.shift();
      if (task === undefined) return;
      this.#running += 1;
      void task().finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }
}

/** The path of an event's link within this site. `null` for other events. */
function linkedPath(event: Event): string | null {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement)) return null;
  if (link.origin !== location.origin || link.target !== "" || link.download !== "") return null;
  return link.pathname;
}

async function loadCode(path: string): Promise<void> {
  const screen = await findScreen(path);
  await Promise.all([screen?.component(), screen?.beside?.()]);
}

/**
 * Preloads the code of a screen when the person hovers, touches or focuses a link to it. The
 * returned function stops it.
 */
export function preloadLinkedScreens(): () => void {
  const queue = new PreloadQueue();
  const listen = (event: Event) => {
    const path = linkedPath(event);
    if (path !== null) queue.add(path, () => loadCode(path));
  };
  const listening = new AbortController();
  for (const type of ["pointerover", "touchstart", "focusin"]) {
    document.addEventListener(type, listen, { passive: true, signal: listening.signal });
  }
  return () => listening.abort();
}
