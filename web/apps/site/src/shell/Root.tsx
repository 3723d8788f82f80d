import { type Location, Outlet, ScrollRestoration } from "react-router";
import { PlannedNotice } from "../maintenance/PlannedNotice";
import { Progress } from "./Progress";
import { SkipLink } from "./SkipLink";
import { useCanonical } from "./useCanonical";
import { useFocusOnNavigation } from "./useFocusOnNavigation";
import "./shell.css";

/**
 * The key under which a page's scroll position is stored. The first entry of every document has the
 * key "default", so it uses the address instead: a typed address must not restore the position of
 * another page.
 */
function scrollKey({ key, pathname, search }: Location): string {
  return key === "default" ? pathname + search : key;
}

/** The root of all layouts: the skip link, and the hooks that run on a navigation. */
export function Root() {
  useFocusOnNavigation();
  useCanonical();
  return (
    <>
      <SkipLink />
      <Progress />
      <Outlet />
      <PlannedNotice />
      <ScrollRestoration getKey={scrollKey} />
    </>
  );
}
