import { ensureUser, restorePath } from "@konomana/session";
import { redirect } from "react-router";

/** Who is signed in already goes straight on; when that can't be found out, the screen is there to sign in. */
export async function visitorsOnly() {
  const user = await ensureUser().catch(() => null);
  return user ? redirect(restorePath()) : null;
}
