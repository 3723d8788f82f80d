import { type Location, Outlet, ScrollRestoration } from "react-router";
import { type ComponentType, lazy, Suspense } from "react";
import { Progress } from "./Progress";
import { SkipLink } from "./SkipLink";
import { useFocusOnNavigation } from "./useFocusOnNavigation";
import "./shell.css";

/** Not needed to draw a page; where it can't be had, the page does without. */
const PlannedNotice = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return { default: (await import("../maintenance/PlannedNotice")).PlannedNotice };
  } catch {
    return { default: () => null };
  }
});

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
  return (
    <>
      <SkipLink />
      <Progress />
      <Outlet />
      <Suspense>
        <PlannedNotice />
      </Suspense>
      <ScrollRestoration getKey={scrollKey} />
    </>
  );
}
