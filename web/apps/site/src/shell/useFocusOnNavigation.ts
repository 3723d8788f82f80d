import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { MAIN_ID } from "./SkipLink";

/**
 * Moves the focus to the content after a navigation, so a screen reader starts there as after a
 * full load. A change of only the query, e.g. a filter, does not move the focus.
 */
export function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
  }, [pathname]);
}
