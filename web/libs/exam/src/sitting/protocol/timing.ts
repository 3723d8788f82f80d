import { type DeviceClocks, deviceClocks } from "./ServerClock";

/** Delays and intervals, in milliseconds. */
export interface Timing {
  /** From a change to its save. */
  save: number;
  /** From the last change of a picture to its upload: a drawing changes with each line. */
  pause: number;
  /** From the first change of a picture to its upload, if it changes all the time. */
  longestPause: number;
  /** Between two attempts while the server can't be reached. */
  retry: number;
  /** At least, before a paper is opened again that a busy server did not open. At most twice as long. */
  reopen: number;
  /** Upper bound of the Retry-After of a busy or closed server. */
  longestRetry: number;
  /** Between two checks of the clock. */
  tick: number;
  /** Between two reports of the time on each question. */
  report: number;
  /** After the deadline, devices without unsent answers ask the server within this time. */
  askWithin: number;
  clocks: DeviceClocks;
}

export const timing: Timing = {
  save: 1000,
  pause: 2000,
  longestPause: 15_000,
  retry: 15_000,
  reopen: 2000,
  longestRetry: 30_000,
  tick: 1000,
  report: 15_000,
  askWithin: 5000,
  clocks: deviceClocks,
};
