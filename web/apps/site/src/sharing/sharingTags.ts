import type { Screen } from "@konomana/screens";

/** The picture of a page in shared links. */
export interface SharePicture {
  /** Its path on the site. */
  readonly path: string;
  /** Its alternative text. */
  readonly alt: string;
}

/** The size of every share picture in pixels, as messengers require it. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

interface TaggedPage {
  readonly path: string;
  readonly screen: Pick<Screen, "hidden">;
  /** The head tags of the screen. Its title and description are repeated in the sharing tags. */
  readonly head: string;
  readonly picture: SharePicture;
  /** The public origin of the site. */
  readonly origin: string;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

function meta(attribute: "name" | "property", name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${content}">`;
}

/**
 * The tags for search engines and messengers: canonical address, title, description and picture.
 * Only the prerender writes them. A page that is excluded from search engines gets a `noindex` tag
 * instead.
 */
export function sharingTags({ path, screen, head, picture, origin }: TaggedPage): string {
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
