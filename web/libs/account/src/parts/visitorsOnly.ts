import { ensureUser, restorePath } from "@konomana/session";
import { redirect } from "react-router";

/**
 * Loader that redirects a signed-in person to the remembered path. If the session can't be checked,
 * the sign-in screen opens.
 */
export async function visitorsOnly() {
  const user = await ensureUser().catch(() => null);
  return user ? redirect(restorePath()) : null;
}
