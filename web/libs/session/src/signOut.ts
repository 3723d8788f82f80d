import { paths } from "@konomana/paths";
import { endSession } from "./endSession";
import { sessionApi } from "./sessionApi";

/** Limit for ending push; a logout must not wait longer. */
const PUSH_LIMIT_MS = 2_000;

/**
 * Calls the server's logout, opens /login and removes the person's data. Also logs out of this
 * browser if the server can't be reached.
 */
export async function logout(): Promise<void> {
  // The person can't fix a failure of these. The tokens are removed below in any case.
  await Promise.allSettled([sessionApi.logout(), endPush()]);
  endSession("signedOut", paths.login());
}

/**
 * Removes the person's data and opens a path, after the server ended this session at the person's
 * request.
 */
export async function leave(to: string = paths.login()): Promise<void> {
  await Promise.allSettled([endPush()]);
  endSession("signedOut", to);
}

/**
 * Ends the notifications of this browser: the next person must not see them. The push service
 * reports the end to the server at its next push.
 */
function endPush(): Promise<unknown> {
  return Promise.race([
    unsubscribe(),
    new Promise((resolve) => setTimeout(resolve, PUSH_LIMIT_MS)),
  ]);
}

async function unsubscribe(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker?.getRegistration(paths.settingsNotification());
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
