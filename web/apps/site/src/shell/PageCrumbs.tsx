import type { ScreenHandle } from "@konomana/screens";
import { Breadcrumbs } from "@konomana/ui-base";
import { useMatches } from "react-router";

/**
 * The breadcrumbs of the current page, if its screen defines any. Breadcrumbs that use data appear
 * once it is loaded.
 */
export function PageCrumbs() {
  const { handle, loaderData } = useMatches().at(-1) ?? {};
  const { screen } = (handle ?? {}) as Partial<ScreenHandle>;
  const { crumbs } = screen ?? {};
  if (crumbs === undefined || (crumbs.length > 0 && loaderData === undefined)) return null;
  const way = crumbs(loaderData);
  return way.length > 0 && <Breadcrumbs crumbs={way} />;
}
