/** A part of a video really watched, from one second to another. */
export type Stretch = [from: number, to: number];

/** How much further than its speed allows a video may have come between two looks: clocks are never quite even. */
const SLACK_S = 1.5;

/** One that goes on: where it began, where it is, and when that was seen. */
interface Open {
  from: number;
  to: number;
  seenAt: number;
}

/**
 * Gathers what is really watched of a video, from looks at its time. What is skipped is not watched: a leap ends
 * a stretch, whether the player told of it or not.
 */
export class Stretches {
  #open: Open | null = null;
  #done: Stretch[] = [];

  /** The video is at `time` seconds; `now` is in milliseconds, of any clock that does not go back. */
  moved(time: number, now: number, speed: number): void {
    const open = this.#open;
    if (open && time >= open.to && time - open.to <= farthest(open, now, speed)) {
      open.to = time;
      open.seenAt = now;
    } else {
      this.stopped();
      this.#open = { from: time, to: time, seenAt: now };
    }
  }

  /** The video stands still, or leaps. */
  stopped(): void {
    if (this.#open) this.#done.push([this.#open.from, this.#open.to]);
    this.#open = null;
  }

  /** Hands over what was gathered, in whole seconds; what goes on begins anew where it is. */
  take(): Stretch[] {
    const open = this.#open;
    this.stopped();
    if (open) this.#open = { ...open, from: open.to };
    const taken = joined(
      this.#done.map(([from, to]): Stretch => [Math.floor(from), Math.floor(to)]),
    );
    this.#done = [];
    return taken;
  }
}

function farthest({ seenAt }: Open, now: number, speed: number): number {
  return ((now - seenAt) / 1000) * speed + SLACK_S;
}

/** The same parts with none named twice, in the order of the video; empty ones are left out. */
export function joined(stretches: readonly Stretch[]): Stretch[] {
  const apart: Stretch[] = [];
  for (const [from, to] of stretches.filter(([a, b]) => a < b).toSorted(([a], [b]) => a - b)) {
    const last = apart.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else apart.push([from, to]);
  }
  return apart;
}
