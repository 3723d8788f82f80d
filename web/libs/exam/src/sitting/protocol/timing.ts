import { type DeviceClocks, deviceClocks } from "./ServerClock";

/** When things happen, in milliseconds. */
export interface Timing {
  /** From a change to its sending. */
  save: number;
  /** Between two tries while the server can't be reached. */
  retry: number;
  /** Between two looks at the clock. */
  tick: number;
  /** At the deadline, devices with nothing to send ask within this time. */
  askWithin: number;
  clocks: DeviceClocks;
}

export const timing: Timing = {
  save: 1000,
  retry: 15_000,
  tick: 1000,
  askWithin: 5000,
  clocks: deviceClocks,
};
