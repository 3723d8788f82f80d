/** The public address of the site, where whole URLs have to be told. `SITE_ORIGIN` sets it. */
export const origin = process.env["SITE_ORIGIN"] ?? "http://127.0.0.1:8080";

/** The public pages, as search engines read them. */
export function sitemap(paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${new URL(path, origin).href}</loc></url>`);
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
