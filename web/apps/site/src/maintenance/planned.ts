import { sharedStorage } from "@konomana/browser";
import type { MaintenanceWindow } from "./maintenanceApi";

/** Storage key for the marks of dismissed windows. */
const KEY = "konomana.maintenance.seen";

/** Identifies an announcement. A window with another time is another announcement. */
export function markOf({ name, starts_at, ends_at }: MaintenanceWindow): string {
  return [name, starts_at, ends_at].join(" ");
}

/** The window to announce: the first future one that is not dismissed. */
export function announced(
  windows: readonly MaintenanceWindow[],
  seen: readonly string[],
  now: number,
): MaintenanceWindow | null {
  const planned = windows
    .filter(({ starts_at }) => starts_at !== null && Date.parse(starts_at) > now)
    .filter((window) => !seen.includes(markOf(window)))
    .toSorted((one, other) => Date.parse(one.starts_at ?? "") - Date.parse(other.starts_at ?? ""));
  return planned[0] ?? null;
}

/** The marks of the dismissed windows. */
export function readSeen(): readonly string[] {
  const text = sharedStorage.read(KEY);
  return text === null ? [] : text.split("\n");
}

/** Dismisses a window. Drops the marks of windows that are not announced any more. */
export function putAway(
  window: MaintenanceWindow,
  windows: readonly MaintenanceWindow[],
): readonly string[] {
  const current = new Set(windows.map(markOf));
  const seen = [...readSeen().filter((mark) => current.has(mark)), markOf(window)];
  sharedStorage.write(KEY, seen.join("\n"));
  return seen;
}
