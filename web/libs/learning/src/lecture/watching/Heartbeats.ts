import { Outbox } from "@konomana/browser";
import { ApiError } from "@konomana/http";
import type { Heartbeat, WatchProgress } from "../../api";
import { type Interval, mergeIntervals } from "./WatchedIntervals";

/** Maximum number of intervals in one heartbeat. */
const MAX_INTERVALS = 20;

interface Item {
  lesson: number;
  heartbeat: Heartbeat;
}

interface HeartbeatsParts {
  send: (lesson: number, heartbeat: Heartbeat) => Promise<WatchProgress>;
  /** The id of the account that owns the heartbeats. */
  owner: string;
  /** The name of the tab that sends them. */
  tab: string;
  /** The current time in milliseconds since 1970. */
  now: () => number;
}

/** Receives a lesson, the answer to its heartbeat, and the stream that the heartbeat named. */
type Listener = (lesson: number, answer: WatchProgress | ApiError, stream: string | null) => void;

/** The outbox of one person's heartbeats. */
export class Heartbeats {
  readonly #outbox: Outbox<Item, WatchProgress>;
  readonly #now: () => number;
  #newest: number;

  constructor({ send, owner, tab, now }: HeartbeatsParts) {
    this.#now = now;
    this.#outbox = new Outbox({
      prefix: "konomana.heartbeats.",
      owner,
      tab,
      send: ({ lesson, heartbeat }) => send(lesson, heartbeat),
      merge: mergeItems,
      onFailure,
      // The stream may have ended before the heartbeat arrives.
      whenLeaving: withoutStream,
      compare: (a, b) => a.heartbeat.sequence - b.heartbeat.sequence,
    });
    this.#newest = Math.max(0, ...this.#outbox.items.map(({ heartbeat }) => heartbeat.sequence));
  }

  /** The position of a lesson in the newest unacknowledged heartbeat; null without one. */
  positionOf(lesson: number): number | null {
    const newest = this.#outbox.items.findLast((one) => one.lesson === lesson);
    return newest?.heartbeat.position ?? null;
  }

  /** Calls `listener` for every answer, also for a refusal. The returned function unsubscribes. */
  listen(listener: Listener): () => void {
    return this.#outbox.listen((delivery) => {
      const { lesson, heartbeat } = delivery.item;
      const answer = "answer" in delivery ? delivery.answer : delivery.error;
      listener(lesson, answer as WatchProgress | ApiError, heartbeat.stream);
    });
  }

  /** Adds the watched intervals and the position of a lesson to the outbox. */
  add(lesson: number, given: { position: number; watched: Interval[]; stream: string | null }) {
    const position = wholeSecond(given.position);
    const watched = mergeIntervals(given.watched);
    do {
      const heartbeat = {
        position,
        watched: watched.splice(0, MAX_INTERVALS),
        stream: given.stream,
        sequence: this.#nextSequence(),
      };
      this.#outbox.add({ lesson, heartbeat });
    } while (watched.length > 0);
  }

  /** Sends the waiting heartbeats until all are acknowledged or one has to wait. */
  flush(): Promise<void> {
    return this.#outbox.flush();
  }

  /** Sends all waiting heartbeats at once, for a page that is being left. */
  leave(): void {
    this.#outbox.flushAtOnce();
  }

  /** Milliseconds since 1970, but always greater than the last value. */
  #nextSequence(): number {
    this.#newest = Math.max(this.#now(), this.#newest + 1);
    return this.#newest;
  }
}

/**
 * Rounds a position up, so that resuming a few seconds earlier never goes back further than that.
 */
export function wholeSecond(position: number): number {
  return Math.ceil(position);
}

/** Merges unsent heartbeats of one lesson and stream, e.g. while offline. */
function mergeItems(last: Item, next: Item): Item | null {
  if (last.lesson !== next.lesson || last.heartbeat.stream !== next.heartbeat.stream) return null;
  const watched = mergeIntervals([...last.heartbeat.watched, ...next.heartbeat.watched]);
  if (watched.length > MAX_INTERVALS) return null;
  return { ...next, heartbeat: { ...next.heartbeat, watched } };
}

function onFailure(error: unknown, item: Item) {
  if (!(error instanceof ApiError) || mayPass(error)) return "wait";
  // The intervals still count after the stream has ended, so they are sent again without it.
  if (error.code === "STREAM_ENDED" && item.heartbeat.stream !== null)
    return { retryAs: withoutStream(item) };
  return "drop";
}

function withoutStream(item: Item): Item {
  return { ...item, heartbeat: { ...item.heartbeat, stream: null } };
}

/** Whether a failure is transient: the server was not reached, or could not process the request. */
function mayPass({ status }: ApiError): boolean {
  return status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
}
