import type { MaintenanceInfo } from "@konomana/http";
import type { MaintenanceWindow } from "./maintenanceApi";

/** Default polling interval for the end of the maintenance. A window can set another one. */
const POLL_MS = 15_000;
/** The maximum polling interval, whatever a window sets. */
const SLOWEST_POLL_MS = 60_000;

/** The current maintenance status. */
export type MaintenanceStatus =
  /** No response yet. */
  | { readonly kind: "asking" }
  | { readonly kind: "closed"; readonly info: MaintenanceInfo }
  /** The page can be read again, but changes are not possible. */
  | { readonly kind: "read-only"; readonly info: MaintenanceInfo }
  | { readonly kind: "open" };

function touches(window: MaintenanceWindow, info: MaintenanceInfo | null): boolean {
  if (info === null || info.affected.length === 0) return true;
  return window.affected.some((scope) => info.affected.includes(scope));
}

/**
 * Combines the 503 response with the server's current windows (`null` until it has answered). The
 * newest information about the same maintenance wins, because its end may have changed.
 */
export function standing(
  info: MaintenanceInfo | null,
  windows: readonly MaintenanceWindow[] | null,
): MaintenanceStatus {
  if (windows === null) return info === null ? { kind: "asking" } : { kind: "closed", info };
  const active = windows.filter((window) => window.active && touches(window, info));
  const full = active.find((window) => window.mode === "Full");
  if (full !== undefined) return { kind: "closed", info: full };
  const readOnly = active[0];
  return readOnly === undefined ? { kind: "open" } : { kind: "read-only", info: readOnly };
}

/** The polling interval in milliseconds. */
export function pollInterval(windows: readonly MaintenanceWindow[]): number {
  const asked = windows
    .filter(({ active }) => active)
    .map(({ retry_after_seconds }) => (retry_after_seconds ?? 0) * 1000)
    .filter((wait) => wait > 0);
  return Math.min(Math.max(POLL_MS, ...asked), SLOWEST_POLL_MS);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** The time left until a moment: `1:05:09`, `12:30`; `0:00` when it has passed. */
export function countdown(until: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
