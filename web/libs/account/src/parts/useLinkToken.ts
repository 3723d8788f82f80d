import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * The secret of a mail's link, which rides in the fragment. It leaves the address bar at once, so that it
 * is neither copied nor kept with the visited pages; this entry of the history remembers it for a reload.
 */
export function useLinkToken(): string | null {
  const { pathname, hash, state } = useLocation();
  const navigate = useNavigate();
  const fresh = new URLSearchParams(hash.slice(1)).get("token");
  useEffect(() => {
    if (fresh !== null) void navigate(pathname, { replace: true, state: { token: fresh } });
  }, [fresh, pathname, navigate]);
  const kept = (state as { token?: unknown } | null)?.token;
  return fresh ?? (typeof kept === "string" ? kept : null);
}
