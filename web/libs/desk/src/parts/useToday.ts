import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * What only the person's browser knows, as text or a number; null while the page is as the build drew it, and while
 * React takes that page over.
 */
export function useInBrowser<Value extends string | number | null>(
  read: () => Value,
): Value | null {
  return useSyncExternalStore(never, read, () => null);
}

const day = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Tokyo" });

/** The day that it is in Tokyo, as `2026-11-21`: days written like that compare as text. */
export function useToday(): string | null {
  return useInBrowser(() => day.format(new Date()));
}
