import type { Screen, Serving, ServingPer } from "@konomana/screens";
import type { Snapshot } from "./siteSnapshot";

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

/** The paths that are prerendered, in the order of the screens and of the snapshot. */
export function pagePaths(screens: readonly Screen[], snapshot: Snapshot): string[] {
  return screens.flatMap(({ serving, pattern }) => {
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
  /** The file of the empty shell by the pattern that it serves. Search engines are kept from them. */
  readonly shell: Readonly<Record<string, string>>;
  /** Patterns whose screen may exist although the build does not know it. */
  readonly maybe: readonly string[];
}

/** The file of a pattern's shell, which announces the code of its screen. */
function shellFile(pattern: string): string {
  return `shells/${pattern.slice(1).replaceAll("/", "-").replaceAll(":", "")}.html`;
}

export function routeTable(screens: readonly Screen[], snapshot: Snapshot): RouteTable {
  const client = screens.filter(({ serving }) => serving === "client");
  return {
    prerendered: pagePaths(screens, snapshot),
    shell: Object.fromEntries(client.map(({ pattern }) => [pattern, shellFile(pattern)])),
    maybe: screens.filter(({ serving }) => isPer(serving)).map(({ pattern }) => pattern),
  };
}
