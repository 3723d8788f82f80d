import { type Location, Outlet, ScrollRestoration } from "react-router";
import { PlannedNotice } from "../maintenance/PlannedNotice";
import { Progress } from "./Progress";
import { SkipLink } from "./SkipLink";
import { useCanonical } from "./useCanonical";
import { useFocusOnNavigation } from "./useFocusOnNavigation";
import "./shell.css";

/**
 * Under which name a page's scroll position is kept. Every document begins with the key "default":
 * an address typed in must not open where another page was left.
 */
function scrollKey({ key, pathname, search }: Location): string {
  return key === "default" ? pathname + search : key;
}

/** What is around every layout: the way past the navigation, and what a change of pages needs. */
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
