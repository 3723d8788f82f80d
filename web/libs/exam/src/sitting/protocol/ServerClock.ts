/** Clocks of the device, in milliseconds. */
export interface DeviceClocks {
  /** Never set back or forth, but it may stop while the device sleeps. */
  steady: () => number;
  /** Since 1970. The person may set it, and it goes on while the device sleeps. */
  wall: () => number;
}

export const deviceClocks: DeviceClocks = {
  steady: () => performance.now(),
  wall: () => Date.now(),
};

/** The two clocks of a device drift apart by less than this. A greater difference is a sleep, or a clock that was set. */
const JUMP_MS = 1000;

/** Where the server's time lies by the steady clock: `steady + low` to `steady + high`. */
interface Bounds {
  low: number;
  high: number;
}

/**
 * The server's clock, as far as this device can know it. Each answer of the server narrows it down to the time that the
 * call took. The device's own time of day is not used, however wrong it is.
 */
export class ServerClock {
  readonly #clocks: DeviceClocks;
  #bounds: Bounds | null = null;
  /** How far the wall clock was ahead of the steady one at the last synchronization. */
  #wallAhead = 0;

  constructor(clocks: DeviceClocks) {
    this.#clocks = clocks;
  }

  /** Notes that the server said `serverNow` in answer to a call that was sent at `sentAt` of the steady clock. */
  sync(serverNow: number, sentAt: number): void {
    const { steady, wall } = this.#clocks;
    const arrivedAt = steady();
    const seen: Bounds = { low: serverNow - arrivedAt, high: serverNow - sentAt };
    const known = this.hasJumped ? null : this.#bounds;
    const low = Math.max(seen.low, known?.low ?? -Infinity);
    const high = Math.min(seen.high, known?.high ?? Infinity);
    // What contradicts the past is right: the steady clock stood still, or the server's clock was set.
    this.#bounds = low <= high ? { low, high } : seen;
    this.#wallAhead = wall() - arrivedAt;
  }

  /** Whether the device slept, or its time of day was set, since the last answer of the server. */
  get hasJumped(): boolean {
    return this.#bounds !== null && Math.abs(this.#drift) > JUMP_MS;
  }

  /** The server's time in milliseconds since 1970, and by how much it may be wrong either way. */
  now(): { time: number; uncertainty: number } {
    const { steady, wall } = this.#clocks;
    if (this.#bounds === null) return { time: wall(), uncertainty: Infinity };
    const { low, high } = this.#bounds;
    const time = steady() + (low + high) / 2;
    // Whether it was a sleep can't be known. If it was, it is later.
    if (this.hasJumped) return { time: time + Math.max(0, this.#drift), uncertainty: Infinity };
    return { time, uncertainty: (high - low) / 2 };
  }

  get #drift(): number {
    const { steady, wall } = this.#clocks;
    return wall() - steady() - this.#wallAhead;
  }
}
