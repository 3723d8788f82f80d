import { useEffect } from "react";
import { useLocation } from "react-router";

/**
 * Keeps the page's one address true while people go from page to page: browsers share it. The prerendered
 * page brings it along; where there is none, none is made.
 */
export function useCanonical(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=canonical]");
    if (link !== null) link.href = new URL(pathname, link.href).href;
  }, [pathname]);
}
