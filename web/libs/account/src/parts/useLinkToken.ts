import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * The token of a mail's link, from the URL fragment. It is removed from the address bar at once, so
 * it is neither copied nor stored in the list of visited pages. The state of this history entry
 * holds it for a reload.
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
