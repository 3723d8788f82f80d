import { Outbox } from "@konomana/browser";
import { ApiError } from "@konomana/http";
import type { Heartbeat, WatchProgress } from "../../api";
import { type Interval, mergeIntervals } from "./WatchedIntervals";

/** How many intervals one heartbeat may name. */
const MAX_INTERVALS = 20;

interface Item {
  lesson: number;
  heartbeat: Heartbeat;
}

interface HeartbeatsParts {
  send: (lesson: number, heartbeat: Heartbeat) => Promise<WatchProgress>;
  /** Whose heartbeats these are. */
  owner: string;
  /** Which tab they come from. */
  tab: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Gets a lesson, the answer to a heartbeat of it, and the stream that the heartbeat named. */
type Listener = (lesson: number, answer: WatchProgress | ApiError, stream: string | null) => void;

/** The heartbeats of one person on their way to the server. */
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

  /** Where a lesson was left that the server does not know of yet. */
  positionOf(lesson: number): number | null {
    const newest = this.#outbox.items.findLast((one) => one.lesson === lesson);
    return newest?.heartbeat.position ?? null;
  }

  /** Calls `listener` for every answer, also for a refusal. The returned function ends that. */
  listen(listener: Listener): () => void {
    return this.#outbox.listen((delivery) => {
      const { lesson, heartbeat } = delivery.item;
      const answer = "answer" in delivery ? delivery.answer : delivery.error;
      listener(lesson, answer as WatchProgress | ApiError, heartbeat.stream);
    });
  }

  /** Keeps what was watched of a lesson, and where it stands, for the next sending. */
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

  /** Sends what waits, until all is acknowledged or the server can't be reached. */
  flush(): Promise<void> {
    return this.#outbox.flush();
  }

  /** Sends all that waits at once, for a page that is being left. */
  leave(): void {
    this.#outbox.flushAtOnce();
  }

  /** Milliseconds since 1970, but never the same or less again. */
  #nextSequence(): number {
    this.#newest = Math.max(this.#now(), this.#newest + 1);
    return this.#newest;
  }
}

/** A position as it is sent: rounded up, so that a few seconds earlier never are more than those. */
export function wholeSecond(position: number): number {
  return Math.ceil(position);
}

/** Without a connection, the heartbeats of one lesson and stream become one. */
function mergeItems(last: Item, next: Item): Item | null {
  if (last.lesson !== next.lesson || last.heartbeat.stream !== next.heartbeat.stream) return null;
  const watched = mergeIntervals([...last.heartbeat.watched, ...next.heartbeat.watched]);
  if (watched.length > MAX_INTERVALS) return null;
  return { ...next, heartbeat: { ...next.heartbeat, watched } };
}

function onFailure(error: unknown, item: Item) {
  if (!(error instanceof ApiError) || mayPass(error)) return "wait";
  // What was watched counts, though its stream has ended: it is sent once more, of no stream.
  if (error.code === "STREAM_ENDED" && item.heartbeat.stream !== null)
    return { retryAs: withoutStream(item) };
  return "drop";
}

function withoutStream(item: Item): Item {
  return { ...item, heartbeat: { ...item.heartbeat, stream: null } };
}

/** Whether the same may be taken later: the server was not reached, or could not do it. */
function mayPass({ status }: ApiError): boolean {
  return status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
}
