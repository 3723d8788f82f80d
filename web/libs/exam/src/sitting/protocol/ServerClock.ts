/** The clocks of the device, in milliseconds. */
export interface DeviceClocks {
  /** Monotonic. It may stop while the device sleeps. */
  steady: () => number;
  /** Milliseconds since 1970. The person may change it. It runs while the device sleeps. */
  wall: () => number;
}

export const deviceClocks: DeviceClocks = {
  steady: () => performance.now(),
  wall: () => Date.now(),
};

/**
 * The drift between the two clocks stays below this. A larger difference means that the device
 * slept or that the clock was changed.
 */
const JUMP_MS = 1000;

/** The bounds of the server's time on the steady clock: `steady + low` to `steady + high`. */
interface Bounds {
  low: number;
  high: number;
}

/** Keeps how many milliseconds the server's clock is ahead of the device's time of day. */
export interface ClockMemory {
  read: () => number;
  write: (ahead: number) => void;
}

const noMemory: ClockMemory = { read: () => 0, write: () => {} };

/**
 * Estimate of the server's clock. Each response narrows it down to the round trip of its call. The
 * device's time of day, however wrong it is, is used only before the first response, corrected by
 * the difference that an earlier page has stored.
 */
export class ServerClock {
  readonly #clocks: DeviceClocks;
  readonly #memory: ClockMemory;
  #bounds: Bounds | null = null;
  /** Difference of the wall clock and the steady clock at the last synchronization. */
  #wallAhead = 0;

  constructor(clocks: DeviceClocks, memory: ClockMemory = noMemory) {
    this.#clocks = clocks;
    this.#memory = memory;
  }

  /**
   * Records the server's time `serverNow` from the response to a call that was sent at `sentAt` of
   * the steady clock.
   */
  sync(serverNow: number, sentAt: number): void {
    const { steady, wall } = this.#clocks;
    const arrivedAt = steady();
    const seen: Bounds = { low: serverNow - arrivedAt, high: serverNow - sentAt };
    const known = this.hasJumped ? null : this.#bounds;
    const low = Math.max(seen.low, known?.low ?? -Infinity);
    const high = Math.min(seen.high, known?.high ?? Infinity);
    // New bounds that contradict the old ones win: the steady clock stopped, or the server's clock
    // was changed.
    this.#bounds = low <= high ? { low, high } : seen;
    this.#wallAhead = wall() - arrivedAt;
    this.#memory.write((this.#bounds.low + this.#bounds.high) / 2 - this.#wallAhead);
  }

  /** Whether the device slept or its time of day was changed since the last response. */
  get hasJumped(): boolean {
    return this.#bounds !== null && Math.abs(this.#drift) > JUMP_MS;
  }

  /** The server's time in milliseconds since 1970, and its error bound in either direction. */
  now(): { time: number; uncertainty: number } {
    const { steady, wall } = this.#clocks;
    if (this.#bounds === null) {
      return { time: wall() + this.#memory.read(), uncertainty: Infinity };
    }
    const { low, high } = this.#bounds;
    const time = steady() + (low + high) / 2;
    // A sleep and a changed clock can't be distinguished. Assumes a sleep if the time moved
    // forward.
    if (this.hasJumped) return { time: time + Math.max(0, this.#drift), uncertainty: Infinity };
    return { time, uncertainty: (high - low) / 2 };
  }

  get #drift(): number {
    const { steady, wall } = this.#clocks;
    return wall() - steady() - this.#wallAhead;
  }
}
