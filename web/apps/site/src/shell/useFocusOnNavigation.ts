import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { MAIN_ID } from "./SkipLink";

/**
 * When another page opens, the focus moves to its content, so that a screen reader starts there as
 * it would after a full load. A change of the query alone, such as a filter, leaves the focus alone.
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
