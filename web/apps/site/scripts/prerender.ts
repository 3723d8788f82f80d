/**
 * Builds the static site: one HTML file and one `_payload.json` for each public page, a shell with
 * a preview for each other page, the route table of the static service, and the files for search
 * engines.
 */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Screen } from "@konomana/screens";
import type * as Server from "../src/entry.server.tsx";
import { entryOf, hlsTags, loadedFiles, type Manifest, pageAssets } from "./assets.ts";
import { leakingForms } from "./forms.ts";
import { isOnDemand } from "./on-demand.ts";
import { places } from "./places.ts";
import { type SitemapPage, origin, robots, sitemap } from "./search-engines.ts";
import { pngMaker } from "./share-pictures.ts";
import { readSnapshot, run } from "./snapshot-file.ts";
import { inlineStyles, splitKit } from "./styles.ts";

async function write(path: string, text: string | Uint8Array): Promise<void> {
  const file = join(places.client, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

function readStylesheet(path: string): Promise<string> {
  return readFile(join(places.client, path), "utf8");
}

/** Replaces a placeholder of the template. Throws if the placeholder is missing. */
function fill(template: string, mark: string, text: string): string {
  if (!template.includes(mark)) throw new Error(`The template has no ${mark}.`);
  return template.replace(mark, () => text);
}

/** An executable inline script. The Content-Security-Policy forbids it. */
const INLINE_SCRIPT = /<script(?![^>]*\b(?:src=|type="application\/(?:ld\+)?json"))/;

/** The script tag of the entry. */
const ENTRY = /<script type="module"[^>]* src="([^"]+)"><\/script>/;

/**
 * Replaces the entry script by `src/start.ts`, which fetches the scripts after the page is on the
 * screen.
 */
function withPatientScripts(html: string, start: string): string {
  const [script, entry] = ENTRY.exec(html) ?? [];
  if (script === undefined) throw new Error("A page has no script.");
  return html
    .replace(script, `<link rel="modulepreload" crossorigin href="${entry}" data-entry>`)
    .replaceAll('<link rel="modulepreload" ', '$&media="not all" ')
    .replace("</head>", `<script type="module" src="${start}"></script>$&`);
}

async function writePage(path: string, html: string): Promise<void> {
  if (INLINE_SCRIPT.test(html)) throw new Error(`${path} holds an inline script.`);
  for (const form of leakingForms(html))
    throw new Error(`${path}: without scripts ${form} puts its fields into the address.`);
  await write(path, html);
}

/** The path of the staff console. */
const CONSOLE = "/console";

/** Copies the files of the staff console beside the site's. Returns the file of its page. */
async function addConsole(): Promise<string> {
  const page = "shells/console.html";
  await cp(join(places.console, "assets"), join(places.client, "assets"), { recursive: true });
  await writePage(page, await readFile(join(places.console, "index.html"), "utf8"));
  return page;
}

/** The screens of a running exam, which open without the network. */
const SITTING = /^\/mypage\/mockexam\/:id\/exam(?:\/checkpage)?$/;
/** Chunks that load on a user action and may be needed without the network. */
const SITTING_PARTS = /\/tex\/draw\.ts$|\/LoginAgain\.tsx$/;

/** The files that `libs/exam/src/sitting/outage/examShell.ts` caches. */
function examFiles(manifest: Manifest, screens: readonly Screen[], server: typeof Server) {
  const modules = screens
    .filter(({ pattern }) => SITTING.test(pattern))
    .flatMap((screen) => server.modulesOf(screen));
  const { file } = entryOf(manifest, "src/start.ts");
  return [`/${file}`, ...loadedFiles(manifest, modules, isLeftOut)];
}

function isLeftOut(key: string): boolean {
  return isOnDemand(key) && !SITTING_PARTS.test(key);
}

async function prerender(): Promise<void> {
  const snapshot = await readSnapshot();
  const server = (await import(places.server)) as typeof Server;
  const manifest = JSON.parse(
    await readFile(join(places.client, ".vite/manifest.json"), "utf8"),
  ) as Manifest;
  const template = await readFile(join(places.client, "index.html"), "utf8");
  const screens = await server.loadAllScreens();
  const table = server.routeTable(screens, snapshot);
  const start = `/${entryOf(manifest, "src/start.ts").file}`;

  const listed: SitemapPage[] = [];
  for (const path of table.prerendered) {
    const page = await server.renderPage(path, snapshot, origin);
    const { head, app, data, payload, modules } = page;
    const assets = pageAssets(manifest, modules);
    const withHead = fill(template, "<!--head-->", head + assets.scriptTags);
    const withApp = fill(withHead, "<!--app-->", app).replace("</head>", `${assets.styleTags}$&`);
    const folder = path === "/" ? "" : path.slice(1);
    const html = await inlineStyles(fill(withApp, "<!--data-->", data), readStylesheet);
    await writePage(join(folder, "index.html"), withPatientScripts(html, start));
    await write(join(folder, "_payload.json"), JSON.stringify(payload));
    if (!page.hidden) listed.push({ path, modified: page.modified });
  }

  const noScript =
    "<noscript>このページを表示するには、ブラウザのJavaScriptを有効にしてください。</noscript>";
  const writeShell = async (file: string, tags: string, preview: string) => {
    const withHead = fill(template, "<!--head-->", "<title>コノマナ</title>");
    // After the entry's files, which are the largest: HTTP/1.1 fetches six files at a time, in
    // document order.
    const withApp = fill(withHead, "<!--app-->", noScript + preview).replace(
      "</head>",
      `${tags}$&`,
    );
    const { page, kit } = splitKit(await inlineStyles(withApp, readStylesheet));
    // After the preview, which does not use the kit's styles and must not wait for them.
    await writePage(file, fill(page, "<!--data-->", kit));
  };
  await writeShell("app.html", "", await server.renderPreview("default"));
  for (const screen of screens) {
    const file = table.shell[screen.pattern];
    if (file === undefined) continue;
    const { scriptTags, styleTags } = pageAssets(manifest, server.modulesOf(screen));
    const hls = screen.playsVideo ? hlsTags(manifest) : "";
    await writeShell(file, hls + scriptTags + styleTags, await server.renderPreview(screen.layout));
  }
  const shell = { ...table.shell, [CONSOLE]: await addConsole() };
  await write("routes.json", `${JSON.stringify({ ...table, shell }, null, 2)}\n`);
  await write("exam-files.json", JSON.stringify({ files: examFiles(manifest, screens, server) }));
  // For the end-to-end tests, which open each screen. The file is beside the site's folder, so it
  // is not served.
  await writeFile(places.screens, `${JSON.stringify(screens, null, 2)}\n`);
  const toPng = await pngMaker();
  for (const { path, svg } of server.drawings(snapshot)) await write(path, toPng(svg));
  await write("sitemap.xml", sitemap(listed));
  await write("robots.txt", robots());
  console.log(`prerendered: ${table.prerendered.length} pages`);
}

await run(prerender);
