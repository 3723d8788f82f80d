/** A watched part of a video: start and end in seconds. */
export type Interval = [from: number, to: number];

/**
 * Tolerance in seconds: how much further than its speed allows a video may move between two
 * readings. Clocks differ slightly.
 */
const SLACK_S = 1.5;

/** The current interval: start, end so far, and the time of the last reading. */
interface Open {
  from: number;
  to: number;
  readAt: number;
}

/**
 * Collects the watched intervals of a video from readings of its position. A skipped part does not
 * count: a seek ends an interval, even if the player does not report it.
 */
export class WatchedIntervals {
  #open: Open | null = null;
  #done: Interval[] = [];

  /**
   * Takes a reading: the video is at `time` seconds. `now` is in milliseconds of any monotonic
   * clock.
   */
  moveTo(time: number, now: number, speed: number): void {
    const open = this.#open;
    if (open && time >= open.to && time - open.to <= farthest(open, now, speed)) {
      open.to = time;
      open.readAt = now;
    } else {
      this.stop();
      this.#open = { from: time, to: time, readAt: now };
    }
  }

  /** Ends the current interval, at a pause or a seek. */
  stop(): void {
    if (this.#open) this.#done.push([this.#open.from, this.#open.to]);
    this.#open = null;
  }

  /**
   * Removes and returns the intervals, in whole seconds. The current interval continues from its
   * end.
   */
  take(): Interval[] {
    const open = this.#open;
    this.stop();
    if (open) this.#open = { ...open, from: open.to };
    const taken = mergeIntervals(
      this.#done.map(([from, to]): Interval => [Math.floor(from), Math.floor(to)]),
    );
    this.#done = [];
    return taken;
  }
}

function farthest({ readAt }: Open, now: number, speed: number): number {
  return ((now - readAt) / 1000) * speed + SLACK_S;
}

/** Merges overlapping and adjacent intervals, in order; empty ones are left out. */
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const [from, to] of intervals.filter(([a, b]) => a < b).toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
