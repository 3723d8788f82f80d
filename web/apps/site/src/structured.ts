import { type Crumb, paths } from "@konomana/paths";
import type { Screen } from "@konomana/screens";
import { toInlineJson } from "./page-data";

/** The breadcrumbs as structured data. They begin at the front page. */
function breadcrumbList(crumbs: readonly Crumb[], absolute: (path: string) => string): object {
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: [{ label: "トップ", to: paths.home() }, ...crumbs].map(
      ({ label, to }, index) => ({
        "@type": "ListItem",
        position: index + 1,
        name: label,
        item: absolute(to),
      }),
    ),
  };
}

/** The JSON-LD elements of a page. They are not executed. */
export function structuredData(
  screen: Pick<Screen, "crumbs" | "structured">,
  data: unknown,
  origin: string,
): string {
  const absolute = (path: string) => new URL(path, origin).href;
  const crumbs = screen.crumbs?.(data) ?? [];
  return [
    ...(screen.structured?.(data, absolute) ?? []),
    ...(crumbs.length === 0 ? [] : [breadcrumbList(crumbs, absolute)]),
  ]
    .map((item) => `<script type="application/ld+json">${toInlineJson(item)}</script>`)
    .join("");
}
