import { Outlet, ScrollRestoration } from "react-router";
import { Progress } from "./Progress";
import { SkipLink } from "./SkipLink";
import { useFocusOnNavigation } from "./useFocusOnNavigation";
import "./shell.css";

/** What is around every layout: the way past the navigation, and what a change of pages needs. */
export function Root() {
  useFocusOnNavigation();
  return (
    <>
      <SkipLink />
      <Progress />
      <Outlet />
      <ScrollRestoration />
    </>
  );
}
