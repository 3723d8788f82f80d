import { isInternalPath, paths } from "@konomana/paths";

/** Apps with an in-app browser. */
export type InApp = "line" | "tiktok";

/** The app and system that a user agent names. */
export interface Surroundings {
  /** The app whose in-app browser it is; null in an ordinary browser. */
  readonly app: InApp | null;
  readonly system: "android" | "ios" | "other";
}

/** Patterns of the apps' user agents. TikTok has had several names. */
const signs: readonly (readonly [InApp, RegExp])[] = [
  ["line", /\bLine\/\d/],
  ["tiktok", /\b(?:TikTok|musical_ly|BytedanceWebview|trill)(?:[_/\s]|$)/i],
];

/** Finds the app and the system in a user agent. */
export function surroundingsOf(userAgent: string): Surroundings {
  const [app] = signs.find(([, sign]) => sign.test(userAgent)) ?? [null];
  if (/Android/.test(userAgent)) return { app, system: "android" };
  return { app, system: /iPhone|iPad|iPod/.test(userAgent) ? "ios" : "other" };
}

const bridges = new Set<string>([paths.lineBridge.pattern, paths.tiktokBridge.pattern]);

/**
 * Target of a bridge page: the internal path in its query. Anything else, and another bridge,
 * becomes the front page.
 */
export function targetOf(query: URLSearchParams): string {
  const to = query.get("to");
  if (!isInternalPath(to)) return paths.home();
  const { pathname } = new URL(to, "https://site.invalid");
  return bridges.has(pathname.replace(/\/+$/, "")) ? paths.home() : to;
}

/**
 * Builds an address that leaves the in-app browser when it is opened, with the documented method of
 * each app. Returns null if there is none: people then use the app's own menu.
 *
 * LINE uses the parameter `openExternalBrowser=1`. Android uses an `intent:` address without a
 * package. It opens the default browser, or `S.browser_fallback_url` if no app accepts it.
 */
export function wayOut(
  { app, system }: Surroundings,
  target: string,
  origin: string,
): string | null {
  const url = new URL(target, origin);
  if (app === "line") {
    url.searchParams.set("openExternalBrowser", "1");
    return url.href;
  }
  if (system !== "android") return null;
  const scheme = url.protocol.slice(0, -1);
  const rest = url.href.slice(url.protocol.length);
  const fallback = encodeURIComponent(url.href);
  return (
    `intent:${rest.replace(/#.*$/, "")}#Intent;scheme=${scheme};action=android.intent.action.VIEW;` +
    `category=android.intent.category.BROWSABLE;S.browser_fallback_url=${fallback};end`
  );
}
