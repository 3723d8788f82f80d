import { sharedStorage } from "@konomana/browser";

/** Shared by all tabs, and kept for visitors who return on another day. */
const KEY = "konomana.campaign";

/** How long a campaign is stored. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** The format of a campaign name that the server accepts. */
const NAME = /^[\w./-]{1,64}$/;

/**
 * Stores the campaign of a visitor for 30 days, until the sign-up. The newest campaign replaces the
 * stored one.
 */
export function rememberCampaign(name: string | null, now = Date.now()): void {
  if (name !== null && NAME.test(name)) sharedStorage.write(KEY, `${now + KEPT_MS} ${name}`);
}

/** The campaign of this visitor within the last 30 days. */
export function rememberedCampaign(now = Date.now()): string | undefined {
  const [until, name = ""] = (sharedStorage.read(KEY) ?? "").split(" ");
  return Number(until) > now && NAME.test(name) ? name : undefined;
}

/** Removes the campaign after the sign-up, when the server knows it. */
export function forgetCampaign(): void {
  sharedStorage.remove(KEY);
}
