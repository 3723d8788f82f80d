import { sharedStorage } from "@konomana/browser";

/** For all tabs: who comes back another day still comes from there. */
const KEY = "konomana.campaign";

/** As long as a campaign counts after somebody came from it. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** What the server takes for a campaign's name. */
const NAME = /^[\w./-]{1,64}$/;

/** Keeps where somebody came from until they sign up, for 30 days; the newest campaign counts. */
export function rememberCampaign(name: string | null, now = Date.now()): void {
  if (name !== null && NAME.test(name)) sharedStorage.write(KEY, `${now + KEPT_MS} ${name}`);
}

/** The campaign that somebody came from within the last 30 days. */
export function rememberedCampaign(now = Date.now()): string | undefined {
  const [until, name = ""] = (sharedStorage.read(KEY) ?? "").split(" ");
  return Number(until) > now && NAME.test(name) ? name : undefined;
}

/** They have signed up: it is known on the server now. */
export function forgetCampaign(): void {
  sharedStorage.remove(KEY);
}
