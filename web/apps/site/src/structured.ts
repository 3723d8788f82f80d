import { type Crumb, paths } from "@konomana/paths";
import type { Screen } from "@konomana/screens";
import { toInlineJson } from "./page-data";

/** The way to a page as search engines read it; the front page is where every way begins. */
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

/** The elements that tell search engines what a page is about; they run nothing. */
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
