/** A part of a video that was really watched, from one second to another. */
export type Interval = [from: number, to: number];

/** How much further than its speed allows a video may have come between two readings: clocks are never quite even. */
const SLACK_S = 1.5;

/** The interval that is being watched: its start, its end so far, and when that was read. */
interface Open {
  from: number;
  to: number;
  readAt: number;
}

/**
 * Gathers what is really watched of a video, from readings of its time. What is skipped is not watched: a leap ends
 * an interval, whether the player reports it or not.
 */
export class WatchedIntervals {
  #open: Open | null = null;
  #done: Interval[] = [];

  /** The video is at `time` seconds; `now` is in milliseconds, of any clock that does not go back. */
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

  /** The video stands still, or leaps. */
  stop(): void {
    if (this.#open) this.#done.push([this.#open.from, this.#open.to]);
    this.#open = null;
  }

  /** Takes out what was gathered, in whole seconds; the open interval begins anew where it is. */
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

/** The same intervals without overlaps, in the order of the video; empty ones are left out. */
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const [from, to] of intervals.filter(([a, b]) => a < b).toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
