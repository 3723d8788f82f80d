import type { ScreenHandle } from "@konomana/screens";
import { Breadcrumbs } from "@konomana/ui-base";
import { useMatches } from "react-router";

/** The way to the page that is open, where its screen tells one. One that names data waits for it. */
export function PageCrumbs() {
  const { handle, loaderData } = useMatches().at(-1) ?? {};
  const { screen } = (handle ?? {}) as Partial<ScreenHandle>;
  const { crumbs } = screen ?? {};
  if (crumbs === undefined || (crumbs.length > 0 && loaderData === undefined)) return null;
  const way = crumbs(loaderData);
  return way.length > 0 && <Breadcrumbs crumbs={way} />;
}
