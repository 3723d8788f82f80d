/** A stylesheet link in a page's HTML. */
const LINK = /<link rel="stylesheet"[^>]* href="([^"]+)">/g;

/** The CSS file of the build's group `kit` (vite.config.ts). */
const KIT = /\/kit-[\w-]+\.css$/;

function linkTo(path: string, disabled: "" | "disabled "): string {
  return `<link ${disabled}rel="stylesheet" crossorigin href="${path}">`;
}

/**
 * Inlines the stylesheets that a page links, each once. On a slow network a link would delay the
 * first paint by a round trip. The UI kit's stylesheet stays a link: pages share it, so the browser
 * caches it as a file.
 *
 * The inlined sheets keep their order. Their links stay too, disabled, so the chunk loader sees
 * that the styles are present. Everything is placed where the first link was.
 *
 * @param read returns the text of a stylesheet by its path, e.g. `/assets/index-1a2b.css`
 */
export async function inlineStyles(
  html: string,
  read: (path: string) => Promise<string>,
): Promise<string> {
  const paths = [...new Set([...html.matchAll(LINK)].map(([, path = ""]) => path))];
  const inlined = paths.filter((path) => !KIT.test(path));
  if (inlined.length === 0) throw new Error("A page has no inlined stylesheet.");
  const sheets = await Promise.all(inlined.map(read));
  const tags = [
    // First, because these styles declare the order of the cascade layers and the kit's sheet only
    // fills one layer.
    `<style>${sheets.join("").trim()}</style>`,
    ...paths.map((path) => linkTo(path, KIT.test(path) ? "" : "disabled ")),
  ].join("");
  let isPlaced = false;
  return html.replaceAll(LINK, () => {
    if (isPlaced) return "";
    isPlaced = true;
    return tags;
  });
}

/**
 * Removes the link to the kit's stylesheet from a page whose styles are inlined, and returns it as
 * `kit`. `kit` is empty if there is none.
 */
export function splitKit(html: string): { page: string; kit: string } {
  const kit = [...html.matchAll(LINK)].find(([, path = ""]) => KIT.test(path))?.[0] ?? "";
  return { page: html.replace(kit, ""), kit };
}
