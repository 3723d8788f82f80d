/**
 * The public origin of the site, for absolute URLs: the sitemap, canonical addresses, and data for
 * messengers and search engines. The environment variable `SITE_ORIGIN` sets it (`cargo dev images
 * --origin`).
 */
export const origin = process.env["SITE_ORIGIN"] ?? "http://127.0.0.1:8080";

/** A page in the sitemap. */
export interface SitemapPage {
  readonly path: string;
  /** The last change of its content (RFC 3339, or a day), if known. */
  readonly modified: string | undefined;
}

/** The sitemap of the public pages. */
export function sitemap(pages: readonly SitemapPage[]): string {
  const urls = pages.map(({ path, modified }) => {
    const lastmod = modified === undefined ? "" : `<lastmod>${modified}</lastmod>`;
    return `  <url><loc>${new URL(path, origin).href}</loc>${lastmod}</url>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>",
    "",
  ].join("\n");
}

/** The robots.txt. It allows everything: pages that must not be indexed have a `noindex` tag. */
export function robots(): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${new URL("/sitemap.xml", origin).href}\n`;
}
