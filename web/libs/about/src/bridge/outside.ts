import { isInternalPath, paths } from "@konomana/paths";

/** Apps that open links in a browser of their own. */
export type InApp = "line" | "tiktok";

/** Where somebody came from, as far as their browser tells. */
export interface Surroundings {
  /** The app whose browser it is; null in an ordinary browser. */
  readonly app: InApp | null;
  readonly system: "android" | "ios" | "other";
}

/** How these apps sign their browsers. TikTok has had several names. */
const signs: readonly (readonly [InApp, RegExp])[] = [
  ["line", /\bLine\/\d/],
  ["tiktok", /\b(?:TikTok|musical_ly|BytedanceWebview|trill)(?:[_/\s]|$)/i],
];

/** Reads a browser's user agent. */
export function surroundingsOf(userAgent: string): Surroundings {
  const [app] = signs.find(([, sign]) => sign.test(userAgent)) ?? [null];
  if (/Android/.test(userAgent)) return { app, system: "android" };
  return { app, system: /iPhone|iPad|iPod/.test(userAgent) ? "ios" : "other" };
}

const bridges = new Set<string>([paths.lineBridge.pattern, paths.tiktokBridge.pattern]);

/** Where a bridge leads: the path in its query, if it is one of ours and no bridge again; otherwise home. */
export function targetOf(query: URLSearchParams): string {
  const to = query.get("to");
  if (!isInternalPath(to)) return paths.home();
  const { pathname } = new URL(to, "https://site.invalid");
  return bridges.has(pathname.replace(/\/+$/, "")) ? paths.home() : to;
}

/**
 * An address that leaves the app's browser when it is opened, by the way that is documented for it; null
 * where there is none, and people have to use the app's own menu.
 *
 * LINE: the parameter `openExternalBrowser=1`. Android: an `intent:` address without a package, which goes
 * to the person's own browser, and to `S.browser_fallback_url` where none takes it.
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
