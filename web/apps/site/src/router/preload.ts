import { findScreen } from "./domains";

/** How many routes load ahead at the same time (the specification, §9). */
export const CONCURRENT_PRELOADS = 4;

/** Runs tasks, each name once, a few at a time; a failed one may be asked for again. */
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
        // Loading ahead is a favour: the navigation itself will say what is wrong.
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

/** The path that an event's link leads to inside this site; null for every other event. */
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
 * Loads the code of a screen as soon as a person points at a link to it, touches it or tabs to it.
 * The returned function ends it.
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
