/** A stylesheet that the page's HTML links. */
const LINK = /<link rel="stylesheet"[^>]* href="([^"]+)">/g;

/** The file of the build's group `kit` (vite.config.ts). */
const KIT = /\/kit-[\w-]+\.css$/;

function linkTo(path: string, disabled: "" | "disabled "): string {
  return `<link ${disabled}rel="stylesheet" crossorigin href="${path}">`;
}

/**
 * Puts the stylesheets that a page links into the page itself, each once: on a slow line the first picture would wait
 * for one more round trip. The UI kit's stylesheet stays a link: pages share it, so the browser caches it as a file.
 *
 * The inlined sheets keep their order. Their links stay too, disabled: they tell the loader of chunks that the styles
 * are there. All comes where the first link was.
 *
 * @param read the text of a stylesheet by its path, e.g. `/assets/index-1a2b.css`
 */
export async function inlineStyles(
  html: string,
  read: (path: string) => Promise<string>,
): Promise<string> {
  const paths = [...new Set([...html.matchAll(LINK)].map(([, path = ""]) => path))];
  const inlined = paths.filter((path) => !KIT.test(path));
  if (inlined.length === 0) throw new Error("A page has no stylesheet of its own.");
  const sheets = await Promise.all(inlined.map(read));
  const tags = [
    // First: the order of the cascade layers is declared here, and the kit's sheet only fills one.
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

/** Takes the link to the kit's stylesheet, `kit`, out of a page whose styles are inlined; `kit` is empty without one. */
export function splitKit(html: string): { page: string; kit: string } {
  const kit = [...html.matchAll(LINK)].find(([, path = ""]) => KIT.test(path))?.[0] ?? "";
  return { page: html.replace(kit, ""), kit };
}
