import { useEffect } from "react";
import { useLocation } from "react-router";

/**
 * Updates the canonical link on client-side navigations, because browsers use it for sharing. The
 * prerendered page contains the link. If a page has none, none is created.
 */
export function useCanonical(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=canonical]");
    if (link !== null) link.href = new URL(pathname, link.href).href;
  }, [pathname]);
}
