import type { HydrationState } from "react-router";

/** Id of the element with a prerendered page's loader data. */
export const PAGE_DATA_ID = "page-data";

/** The data of a prerendered page. `null` in a shell. */
export function readPageData(): HydrationState | null {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  return text ? (JSON.parse(text) as HydrationState) : null;
}

/** JSON that is safe inside a script element: it contains no `<`. */
export function toInlineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
