import react from "@vitejs/plugin-react";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig, minify, type Plugin, transformWithOxc } from "vite";
import { breakpoints, css } from "@konomana/ui-base/stylesheets";
import { screenModules } from "./scripts/screen-modules.ts";
import { unusedRouter } from "./scripts/unused-router.ts";

const workspace = fileURLToPath(new URL("../..", import.meta.url));

/** Address of the running product during development (`npm run dev`). */
const product = "http://127.0.0.1:8080";

/**
 * React and the router in one file, which compresses better and rarely changes between releases.
 */
const foundation = {
  name: "foundation",
  test: /node_modules\/(?:react|react-dom|react-router|scheduler)\//,
};

/**
 * The stylesheets of the UI kit in one file that pages share and browsers cache. Pages find it by
 * this name and inline all others (scripts/styles.ts).
 */
const kit = {
  name: "kit",
  test: /libs\/ui\/kit\/src\/.*\.css$/,
  includeDependenciesRecursively: false,
};

/** The static imports of the entry in one file: many small files compress badly. */
const shell = { name: "shell", tags: ["$initial" as const], includeDependenciesRecursively: false };

/**
 * The part of a script's name that changes with its content. Rolldown needs at least seven
 * characters; more would lengthen the list of scripts that every page carries. Other files keep the
 * default, because prerendered pages name them as the build for the server does.
 */
const VERSION = "[hash:7]";

/** The entry and the files that it imports. */
const IN_ENTRY = /^assets\/(?:index|foundation|rolldown-runtime)-[\w-]+\.js$/;

/** A chunk of the modules that match `test` and that at least `minShareCount` screens import. */
function group(name: string, test: RegExp, minShareCount = 1) {
  return { name, test, minShareCount, includeDependenciesRecursively: false };
}

/**
 * Modules that many screens share. By default each set of screens with a common module gets its own
 * file. My page had 53 scripts that way, which HTTP/1.1 fetches six at a time, and small files
 * compress badly. The first group that matches a module takes it.
 */
const shared = [
  group("queries", /node_modules\/@tanstack\//),
  // The public screens of the catalogue.
  group("catalog", /libs\/catalog\/src\/(?:api\/|data\/(?!courseFilters)|list\/CourseCard)/),
  group("art", /libs\/ui\/base\/src\/art\//),
  // Imports of the domains' screen lists and of the public loaders. They are too small for files of
  // their own.
  group(
    "pages",
    /libs\/(?:screens\/src\/params|exam-card\/src\/api\/publicExams|http\/src\/payload|paths\/src\/(?:success|capabilities))\.ts$|libs\/ui\/base\/src\/layout\/Rows/,
  ),
  group("base", /libs\/ui\/base\/src\/(?!chart).*\.(?:tsx?|module\.css)$/, 12),
  // Data of the signed-in user, and the error messages. With the applications for exams in "exams",
  // public pages would load all of this.
  group(
    "person",
    /libs\/(?:(?:session|learner|query|http|browser)\/src|form\/src\/rules\/(?:text|fieldSentences|limits)|exam-card\/src\/api\/exam(?:Keys|Applications))(?!.*SaveForm).*\.(?:tsx?|module\.css)$/,
    3,
  ),
  group(
    "forms",
    /node_modules\/(?:@mantine\/form|klona|fast-deep-equal|valibot)\/|libs\/(?:form\/src\/(?:rules\/|useSchemaForm)|query\/src\/SaveForm).*\.(?:tsx?|m?js|module\.css)$/,
    4,
  ),
  group("fields", /libs\/ui\/kit\/src\/.*\.(?:tsx?|module\.css)$/),
  // The exams on offer, and the shared modules of a sitting.
  group("exams", /libs\/exam-card\/src\/(?:api\/|data\/examSource).*\.ts$/),
  group(
    "sitting",
    /libs\/exam\/src\/(?:device\/deviceId|sitting\/(?:protocol\/|clock\/|sitting\.module)).*\.(?:tsx?|module\.css)$/,
  ),
  group(
    "questions",
    /libs\/question\/src\/(?:Figure|Prompt|tex\/(?:TexText|pieces)).*\.(?:tsx?|module\.css)$/,
    2,
  ),
  // Live lessons, interviews and events on my page.
  group(
    "ahead",
    /libs\/(?:class|interview|school-event)\/src\/(?:\w+Calls|LiveLessonPanel|EventTags).*\.(?:tsx?|module\.css)$/,
    2,
  ),
  group(
    "learning",
    // guardianLinks is for guardians only. The progress bar is too small for a file of its own.
    /libs\/(?:learning\/src\/(?:parts\/|api\/(?!guardianLinks)|lecture\/watching\/resume)|ui\/base\/src\/notice\/ProgressBar).*\.(?:tsx?|module\.css)$/,
    2,
  ),
];

/** KaTeX lists each font in three formats. Every supported browser uses the first one. */
const newestFaces = {
  name: "newest-faces",
  enforce: "pre" as const,
  transform: (code: string, id: string) =>
    id.includes("/katex/dist/") && id.endsWith(".css")
      ? code.replaceAll(/,\s*url\([^)]+\.(?:woff|ttf)\)\s*format\("[^"]+"\)/g, "")
      : undefined,
};

async function readScript(file: string): Promise<string> {
  const text = await readFile(file, "utf8");
  const { code } = await transformWithOxc(text, file, { sourcemap: false });
  return (await minify(file, code, { module: true })).code;
}

/** Scripts that are built separately: as further entries of the build they would split the first one. */
const scripts: Plugin = {
  name: "scripts",
  applyToEnvironment: ({ name }) => name === "client",
  async generateBundle() {
    // The start script of a page, and the one of a screen with a video.
    for (const name of ["start", "hls-start"]) {
      const file = `src/${name}.ts`;
      const source = await readScript(file);
      this.emitFile({ type: "asset", name: `${name}.js`, originalFileName: file, source });
    }
    // Browsers look for a newer worker under the same name.
    for (const name of ["exam-worker", "push-worker"]) {
      const worker = await readScript(`src/${name}.ts`);
      this.emitFile({ type: "asset", fileName: `${name}.js`, source: worker });
    }
  },
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), breakpoints, newestFaces, scripts, screenModules(workspace), unusedRouter],
  css,
  // The edge accepts writes only from its own origin.
  server: {
    proxy: { "/api": { target: product, changeOrigin: true, headers: { origin: product } } },
  },
  build: isSsrBuild
    ? { outDir: "dist/server", emptyOutDir: true, copyPublicDir: false }
    : {
        outDir: "dist/client",
        emptyOutDir: true,
        manifest: true,
        // The Content-Security-Policy allows fonts from files, not inlined in a stylesheet.
        assetsInlineLimit: (file) => (file.endsWith(".woff2") ? false : undefined),
        modulePreload: {
          // The polyfill only announces scripts to browsers without modulepreload. They load the
          // scripts in any case.
          polyfill: false,
          // A script runs after the entry, so the files of the entry are loaded.
          resolveDependencies: (_file, parts, { hostType }) =>
            hostType === "js" ? parts.filter((part) => !IN_ENTRY.test(part)) : parts,
        },
        rolldownOptions: {
          output: {
            entryFileNames: `assets/[name]-${VERSION}.js`,
            chunkFileNames: `assets/[name]-${VERSION}.js`,
            codeSplitting: { groups: [foundation, kit, shell, ...shared] },
          },
        },
      },
  // The prerender is one bundle, because Node can't import the packages' stylesheets.
  ssr: { noExternal: true },
}));
