import { sharedStorage } from "@konomana/browser";
import type { MaintenanceWindow } from "./maintenanceApi";

/** Which planned windows a person has put away: their marks, in the browser's own storage. */
const KEY = "konomana.maintenance.seen";

/** Tells an announcement from others: one whose time has moved is another one. */
export function markOf({ name, starts_at, ends_at }: MaintenanceWindow): string {
  return [name, starts_at, ends_at].join(" ");
}

/** What is to be announced: the first of the windows that begin later and have not been put away. */
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

/** The marks of what was put away. */
export function readSeen(): readonly string[] {
  const text = sharedStorage.read(KEY);
  return text === null ? [] : text.split("\n");
}

/** Puts a window away; what is not announced any more is forgotten. */
export function putAway(
  window: MaintenanceWindow,
  windows: readonly MaintenanceWindow[],
): readonly string[] {
  const current = new Set(windows.map(markOf));
  const seen = [...readSeen().filter((mark) => current.has(mark)), markOf(window)];
  sharedStorage.write(KEY, seen.join("\n"));
  return seen;
}
