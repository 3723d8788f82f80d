import { useBrowserValue } from "@konomana/browser";

const day = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Tokyo" });

/** The day that it is in Tokyo, as `2026-11-21`: days written like that compare as text. `null` in a prerendered page. */
export function useToday(): string | null {
  return useBrowserValue(() => day.format(new Date()));
}
