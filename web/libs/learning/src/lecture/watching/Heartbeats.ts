import { ApiError } from "@konomana/http";
import type { Heartbeat, WatchProgress } from "../../api";
import { joined, type Stretch } from "./Stretches";

/** How many stretches one beat may name. */
const MOST_STRETCHES = 20;

/** What the server has not acknowledged yet. */
interface Waiting {
  lesson: number;
  beat: Heartbeat;
  /** Whether it was sent: the server may have it, and would count it again under another sequence. */
  isSent?: boolean;
}

interface BeatsParts {
  send: (lesson: number, beat: Heartbeat) => Promise<WatchProgress>;
  storage: Storage;
  /** Whose beats these are. */
  owner: string;
  /** Which tab they come from. */
  device: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Hears of a lesson, of the answer to a beat of it, and of the stream that the beat named. */
type Listener = (lesson: number, answer: WatchProgress | ApiError, stream: string | null) => void;

const PREFIX = "konomana.beats.";

/**
 * Beats on their way to the server. They lie in the browser's storage until they are acknowledged, so that neither
 * a lost connection nor a closed tab loses a second; they go out in order, one at a time.
 */
export class Beats {
  readonly #parts: BeatsParts;
  readonly #key: string;
  readonly #listeners = new Set<Listener>();
  #waiting: Waiting[];
  #sending: Promise<void> | null = null;
  #newest = 0;

  constructor(parts: BeatsParts) {
    this.#parts = parts;
    this.#key = `${PREFIX}${parts.owner}.${parts.device}`;
    this.#waiting = this.#adopt();
    this.#newest = Math.max(0, ...this.#waiting.map(({ beat }) => beat.sequence));
    this.#keep();
  }

  /** Where a lesson was left that the server does not know of yet. */
  positionOf(lesson: number): number | null {
    return this.#waiting.findLast((one) => one.lesson === lesson)?.beat.position ?? null;
  }

  /** Tells of every answer, also of a refusal. The returned function ends that. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Keeps what was watched of a lesson, and where it stands, for the next sending. */
  add(lesson: number, given: { position: number; watched: Stretch[]; stream: string | null }) {
    const position = wholeSecond(given.position);
    const last = this.#waiting.at(-1);
    const both = last && joined([...last.beat.watched, ...given.watched]);
    // Without a connection they become one, but for what was sent before.
    if (
      both &&
      last.lesson === lesson &&
      last.beat.stream === given.stream &&
      both.length <= MOST_STRETCHES &&
      !last.isSent
    ) {
      last.beat = { ...last.beat, position, watched: both, sequence: this.#sequence() };
    } else {
      const watched = joined(given.watched);
      do {
        const beat = { position, watched: watched.splice(0, MOST_STRETCHES), stream: given.stream };
        this.#waiting.push({ lesson, beat: { ...beat, sequence: this.#sequence() } });
      } while (watched.length > 0);
    }
    this.#keep();
  }

  /** Sends what waits, until all is acknowledged or the server can't be reached. */
  flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = null));
    return this.#sending;
  }

  /**
   * Sends all that waits at once, for a page that is going: it hears no answer after which the next could follow. It is
   * told of no stream, which may have ended before it arrives.
   */
  leave(): void {
    for (const one of this.#waiting) {
      one.isSent = true;
      one.beat = { ...one.beat, stream: null };
      void this.#sendOnce(one);
    }
    this.#keep();
  }

  async #sendOnce(one: Waiting): Promise<void> {
    try {
      await this.#parts.send(one.lesson, one.beat);
    } catch {
      // It lies in the storage for the next page.
      return;
    }
    this.#drop(one);
    this.#keep();
  }

  async #sendAll(): Promise<void> {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const { lesson, beat } = first;
      first.isSent = true;
      this.#keep();
      let answer: WatchProgress | ApiError;
      try {
        answer = await this.#parts.send(lesson, beat);
      } catch (error) {
        if (!(error instanceof ApiError) || mayPass(error)) return;
        answer = error;
      }
      // What was watched counts, though it may not go on: it is told once more, of no stream.
      if (answer instanceof ApiError && answer.code === "STREAM_ENDED" && beat.stream !== null)
        first.beat = { ...first.beat, stream: null };
      else this.#drop(first);
      this.#keep();
      for (const tell of this.#listeners) tell(lesson, answer, beat.stream ?? null);
    }
  }

  #drop(acknowledged: Waiting): void {
    this.#waiting = this.#waiting.filter((one) => one !== acknowledged);
  }

  /** Milliseconds since 1970, but never the same or less again. */
  #sequence(): number {
    this.#newest = Math.max(this.#parts.now(), this.#newest + 1);
    return this.#newest;
  }

  #keep(): void {
    try {
      if (this.#waiting.length === 0) this.#parts.storage.removeItem(this.#key);
      else this.#parts.storage.setItem(this.#key, JSON.stringify(this.#waiting));
    } catch {
      // A browser without room or leave to store: what waits is kept as long as the page.
    }
  }

  /** What this person's tabs left behind; one that is still open may send the same, which does no harm. */
  #adopt(): Waiting[] {
    const { storage, owner } = this.#parts;
    const left: Waiting[] = [];
    try {
      const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
      for (const key of keys) {
        if (!key?.startsWith(`${PREFIX}${owner}.`)) continue;
        left.push(...(JSON.parse(storage.getItem(key) ?? "[]") as Waiting[]));
        if (key !== this.#key) storage.removeItem(key);
      }
    } catch {
      // Nothing can be read there.
    }
    return left.toSorted((a, b) => a.beat.sequence - b.beat.sequence);
  }
}

/** A place as it is told: rounded up, so that a few seconds earlier never are more than those. */
export function wholeSecond(place: number): number {
  return Math.ceil(place);
}

/** Whether the same may be taken later: the server was not reached, or could not do it. */
function mayPass({ status }: ApiError): boolean {
  return status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
}
