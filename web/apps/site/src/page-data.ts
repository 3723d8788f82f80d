import type { HydrationState } from "react-router";

/** The element that carries a prerendered page's loader data. */
export const PAGE_DATA_ID = "page-data";

/** The data that a prerendered page brought along; null on the empty shell. */
export function readPageData(): HydrationState | null {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  return text ? (JSON.parse(text) as HydrationState) : null;
}

/** JSON that may stand inside a script element: no tag can begin in it. */
export function toInlineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
