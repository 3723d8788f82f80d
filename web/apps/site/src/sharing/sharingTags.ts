import type { Screen } from "@konomana/screens";

/** A picture that stands for a page where it is shared. */
export interface SharePicture {
  /** Its path on the site. */
  readonly path: string;
  /** What it shows, for who can't see it. */
  readonly alt: string;
}

/** The measures of every such picture, in pixels: what messengers ask for. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

interface Shared {
  readonly path: string;
  readonly screen: Pick<Screen, "hidden">;
  /** What the screen itself wants in the head; its title and description are told once more here. */
  readonly head: string;
  readonly picture: SharePicture;
  /** The public address of the site. */
  readonly origin: string;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

function meta(attribute: "name" | "property", name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${content}">`;
}

/**
 * The tags by which search engines and messengers know a page: its one address, title, text and picture.
 * The prerender alone writes them; a page that is kept from search engines says so in their place.
 */
export function sharingTags({ path, screen, head, picture, origin }: Shared): string {
  if (screen.hidden) return meta("name", "robots", "noindex");
  const absolute = (to: string) => escaped(new URL(to, origin).href);
  // React has escaped them already.
  const title = /<title>([\s\S]*?)<\/title>/.exec(head)?.[1];
  const description = /<meta name="description" content="([^"]*)"/.exec(head)?.[1];
  if (!title || !description) throw new Error(`${path} has no title or no description.`);
  return [
    `<link rel="canonical" href="${absolute(path)}">`,
    meta("property", "og:site_name", "コノマナ"),
    meta("property", "og:locale", "ja_JP"),
    meta("property", "og:type", path === "/" ? "website" : "article"),
    meta("property", "og:url", absolute(path)),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:image", absolute(picture.path)),
    meta("property", "og:image:type", "image/png"),
    meta("property", "og:image:width", String(SHARE_SIZE.width)),
    meta("property", "og:image:height", String(SHARE_SIZE.height)),
    meta("property", "og:image:alt", escaped(picture.alt)),
    meta("name", "twitter:card", "summary_large_image"),
  ].join("");
}
