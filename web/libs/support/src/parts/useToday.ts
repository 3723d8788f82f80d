import { useBrowserValue } from "@konomana/browser";

const day = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Tokyo" });

/**
 * The current day in Tokyo, formatted like `2026-11-21`, so days compare as text. `null` in a
 * prerendered page.
 */
export function useToday(): string | null {
  return useBrowserValue(() => day.format(new Date()));
}
