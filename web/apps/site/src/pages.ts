import { allScreens, type Serving, type ServingPer } from "@konomana/paths";
import type { Snapshot } from "./snapshot";

/** The identifiers of what has a page each, in the order of the snapshot. */
const identifiers: Partial<Record<ServingPer, (snapshot: Snapshot) => readonly number[]>> = {
  "per-course": ({ catalogue }) => catalogue.courses.map(({ id }) => id),
  "per-teacher": ({ catalogue }) => catalogue.teachers.map(({ id }) => id),
  "per-notice": ({ desk }) => desk.notices.map(({ id }) => id),
  "per-answer": ({ desk }) => desk.faqs.map(({ id }) => id),
};

function isPer(serving: Serving): serving is ServingPer {
  return serving.startsWith("per-");
}

/** The paths that are prerendered, in the order of the table of screens and of the snapshot. */
export function pagePaths(snapshot: Snapshot): string[] {
  return allScreens.flatMap(({ serving, pattern }) => {
    if (serving === "prerendered") return [pattern];
    if (!isPer(serving)) return [];
    const ids = identifiers[serving]?.(snapshot) ?? [];
    return ids.map((id) => pattern.replace(":id", String(id)));
  });
}

/** What the static service knows of the site's paths. */
export interface RouteTable {
  /** Paths with a page of their own, at `<path>/index.html`. */
  readonly prerendered: readonly string[];
  /** Patterns that the empty shell serves, kept from search engines. */
  readonly shell: readonly string[];
  /** Patterns whose screen may exist although the build does not know it. */
  readonly maybe: readonly string[];
}

function patternsOf(wanted: (serving: Serving) => boolean): string[] {
  return allScreens.filter(({ serving }) => wanted(serving)).map(({ pattern }) => pattern);
}

export function routeTable(snapshot: Snapshot): RouteTable {
  return {
    prerendered: pagePaths(snapshot),
    shell: patternsOf((serving) => serving === "client"),
    maybe: patternsOf(isPer),
  };
}
