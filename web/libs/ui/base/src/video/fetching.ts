/** How long an answer may take. */
const PATIENCE_MS = 20_000;
/** How long is waited before asking again, each time. */
const WAITS_MS = [500, 1000, 2000, 4000, 8000];

/** What stays as it is, however often one asks. */
class Refused extends Error {}

/** A file's bytes. What a bad connection spoils is asked for again; throws where nothing helps. */
export async function bytesOf(url: string, signal: AbortSignal): Promise<ArrayBuffer> {
  for (let tries = 0; ; tries++) {
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      const answer = await fetch(url, { signal: inTime });
      if (answer.ok) return await answer.arrayBuffer();
      if (!mayPass(answer.status)) throw new Refused(`${answer.status} for ${url}`);
    } catch (error) {
      if (signal.aborted || error instanceof Refused) throw error;
    }
    const wait = WAITS_MS[tries];
    if (wait === undefined) throw new Error(`No answer for ${url}`);
    // Without a connection there is nothing to ask until it is back.
    if (!navigator.onLine) await happens(globalThis, ["online"], signal);
    else await passed(wait, signal);
  }
}

/** Waits until one of some events happens; throws when the signal says stop. */
export function happens(
  target: EventTarget,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  return until(signal, (resolve, over) => {
    for (const name of names) target.addEventListener(name, resolve, { signal: over });
  });
}

function passed(ms: number, signal: AbortSignal): Promise<void> {
  return until(signal, (resolve, over) => {
    const timer = setTimeout(resolve, ms);
    over.addEventListener("abort", () => clearTimeout(timer));
  });
}

async function until(
  signal: AbortSignal,
  begin: (resolve: () => void, over: AbortSignal) => void,
): Promise<void> {
  signal.throwIfAborted();
  const over = new AbortController();
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), {
        signal: over.signal,
      });
      begin(resolve, over.signal);
    });
  } finally {
    over.abort();
  }
}

function mayPass(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}
