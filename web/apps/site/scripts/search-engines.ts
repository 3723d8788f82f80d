/**
 * The public address of the site, where whole URLs have to be told: the sitemap, canonical addresses, what
 * messengers and search engines read. The environment's `SITE_ORIGIN` sets it (`cargo dev images --origin`).
 */
export const origin = process.env["SITE_ORIGIN"] ?? "http://127.0.0.1:8080";

/** A page that search engines may list. */
export interface Listed {
  readonly path: string;
  /** When what it shows was last changed (RFC 3339, or a day), where that is known. */
  readonly modified: string | undefined;
}

/** The public pages, as search engines read them. */
export function sitemap(pages: readonly Listed[]): string {
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

/** Robots may read everything; pages that are not for them say so themselves. */
export function robots(): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${new URL("/sitemap.xml", origin).href}\n`;
}
