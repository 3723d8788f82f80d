import { hasDatabase, keepsAnswers } from "../../device/keepsAnswers";

/** The values measured without a question to the learner. */
export interface Measured {
  /** Its name and version, e.g. `Chrome 141`. */
  browser: string;
  /** Whether it has the features that an exam needs. */
  browser_fits: boolean;
  /** How far the device's clock is ahead of the server's, in milliseconds. */
  clock_offset_ms: number;
  /** Whether the database that keeps the answers returns what was written to it. */
  storage_kept: boolean;
  /** Median round trip of several calls, in milliseconds. */
  round_trip_ms: number;
}

/** The number of calls that measure the connection. */
const CALLS = 5;

/** The `Date` header is truncated to whole seconds, so half a second is added on average. */
const HALF_SECOND_MS = 500;

/** A small public endpoint. */
const PROBE = "/api/exam/check/";

/** Measures the device. Throws if the server can't be reached. */
export async function measureDevice(signal: AbortSignal): Promise<Measured> {
  const calls: Call[] = [];
  for (let count = 0; count < CALLS; count += 1) calls.push(await timeCall(signal));
  const { round_trip_ms, clock_offset_ms } = middleOf(calls);
  return {
    browser: browserName(navigator.userAgent),
    browser_fits: hasFeatures(),
    clock_offset_ms,
    storage_kept: await keepsAnswers(),
    round_trip_ms,
  };
}

interface Call {
  round_trip_ms: number;
  clock_offset_ms: number;
}

async function timeCall(signal: AbortSignal): Promise<Call> {
  const began = performance.now();
  const response = await fetch(PROBE, { cache: "no-store", signal });
  const round_trip_ms = Math.round(performance.now() - began);
  if (!response.ok) throw new Error(`${PROBE} answered ${response.status}.`);
  const server = Date.parse(response.headers.get("date") ?? "") + HALF_SECOND_MS;
  const device = Date.now() - round_trip_ms / 2;
  return {
    round_trip_ms,
    clock_offset_ms: Number.isNaN(server) ? 0 : Math.round(device - server),
  };
}

/** The median call, so one slow call does not affect the result. */
export function middleOf(calls: readonly Call[]): Call {
  const sorted = calls.toSorted((one, other) => one.round_trip_ms - other.round_trip_ms);
  return sorted[Math.floor(sorted.length / 2)] ?? { round_trip_ms: 0, clock_offset_ms: 0 };
}

/** The order matters: Edge and Opera also contain `Chrome`, and Chrome contains `Safari`. */
const BROWSERS = [
  ["Edge", /Edg(?:e|A|iOS)?\/(\d+)/],
  ["Opera", /OPR\/(\d+)/],
  ["Samsung Internet", /SamsungBrowser\/(\d+)/],
  ["Firefox", /(?:Firefox|FxiOS)\/(\d+)/],
  ["Chrome", /(?:Chrome|CriOS)\/(\d+)/],
  ["Safari", /Version\/(\d+)[\d.]* .*Safari/],
] as const;

/** The name and version of a browser, from its user agent. */
export function browserName(agent: string): string {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(agent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return "ほかのブラウザ";
}

/**
 * Whether the browser has the features that the exam screens use. Browsers since 2022 have all of
 * them.
 */
function hasFeatures(): boolean {
  return (
    "locks" in navigator &&
    hasDatabase() &&
    "subtle" in (globalThis.crypto ?? {}) &&
    typeof structuredClone === "function" &&
    typeof HTMLDialogElement === "function"
  );
}
