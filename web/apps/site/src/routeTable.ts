import type { Screen, Serving, ServingPer } from "@konomana/screens";
import type { Snapshot } from "./siteSnapshot";

/** The ids of the entities with their own page, in the order of the snapshot. */
const identifiers: Partial<Record<ServingPer, (snapshot: Snapshot) => readonly number[]>> = {
  "per-course": ({ catalogue }) => catalogue.courses.map(({ id }) => id),
  "per-teacher": ({ catalogue }) => catalogue.teachers.map(({ id }) => id),
  "per-notice": ({ desk }) => desk.notices.map(({ id }) => id),
  "per-answer": ({ desk }) => desk.faqs.map(({ id }) => id),
};

function isPer(serving: Serving): serving is ServingPer {
  return serving.startsWith("per-");
}

/** The prerendered paths, in the order of the screens and of the snapshot. */
export function pagePaths(screens: readonly Screen[], snapshot: Snapshot): string[] {
  return screens.flatMap(({ serving, pattern }) => {
    if (serving === "prerendered") return [pattern];
    if (!isPer(serving)) return [];
    const ids = identifiers[serving]?.(snapshot) ?? [];
    return ids.map((id) => pattern.replace(":id", String(id)));
  });
}

/** The route table of the static service. */
export interface RouteTable {
  /** Paths with a prerendered page, at `<path>/index.html`. */
  readonly prerendered: readonly string[];
  /** The shell file by the pattern that it serves. Shells are excluded from search engines. */
  readonly shell: Readonly<Record<string, string>>;
  /** Patterns with ids that may exist although the build does not know them. */
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
