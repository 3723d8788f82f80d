import { paths } from "@konomana/paths";
import { endSession } from "./endSession";
import { sessionApi } from "./sessionApi";

/**
 * Calls the server's logout, opens /login and removes the person's data. Also logs out of this
 * browser if the server can't be reached.
 */
export async function logout(): Promise<void> {
  try {
    await sessionApi.logout();
  } catch {
    // The person can't fix this. The tokens are removed below in any case.
  }
  endSession("signedOut", paths.login());
}

/**
 * Removes the person's data and opens a path, after the server ended this session at the person's
 * request.
 */
export function leave(to: string = paths.login()): void {
  endSession("signedOut", to);
}
