import react from "@vitejs/plugin-react";
import { readFile } from "node:fs/promises";
import { defineConfig, minify, type Plugin, transformWithOxc } from "vite";

/** Where the rest of the product answers while the site is being worked on (`npm run dev`). */
const product = "http://127.0.0.1:8080";

/** What every page stands on, in one file: it compresses better, and outlives most releases. */
const foundation = {
  name: "foundation",
  test: /node_modules\/(?:react|react-dom|react-router|scheduler)\//,
};

/** What nearly every form is made of, in one file: every page names all files that others consist of. */
const form = {
  name: "form",
  test: /libs\/form\/src\/(?!phone)|libs\/session\/src\/drafts|libs\/calls\/src\/SaveForm|node_modules\/(?:@mantine\/form|valibot)\//,
  includeDependenciesRecursively: false,
};

/**
 * What every page calls the API with and draws its frame of, in one file: small ones each begin to be packed
 * anew. What only some pages need stays out.
 */
const shell = {
  name: "shell",
  test: new RegExp(
    [
      "libs/http/src/(?!settings|entry|sentences|desk|lecture|questions|study)",
      "libs/(?:paths|session)/(?!src/(?:drafts|looked))",
      "libs/ui/base/src/(?:alert/|button/|page/|states/(?:states|CopyTrace)|art/subjects)",
      "libs/catalog/src/data/",
      "node_modules/clsx/",
      "@tanstack/query-core/build/modern/(?:query|queryC\\w+|mutation|mutationCache|infiniteQueryBehavior|utils|retryer|\\w+Manager|removable|subscribable)[.]js",
      "@tanstack/react-query/build/modern/(?:QueryClientProvider|queryOptions)",
    ].join("|"),
  ),
  includeDependenciesRecursively: false,
};

/** KaTeX names each of its faces in three formats. Every browser that can run the site takes the first. */
const newestFaces = {
  name: "newest-faces",
  enforce: "pre" as const,
  transform: (code: string, id: string) =>
    id.includes("/katex/dist/") && id.endsWith(".css")
      ? code.replaceAll(/,\s*url\([^)]+\.(?:woff|ttf)\)\s*format\("[^"]+"\)/g, "")
      : undefined,
};

/** What begins a page. It stands alone: as a second entry of the build it would break up the first. */
const start: Plugin = {
  name: "start",
  applyToEnvironment: ({ name }) => name === "client",
  async generateBundle() {
    const file = "src/start.ts";
    const { code } = await transformWithOxc(await readFile(file, "utf8"), file, {
      sourcemap: false,
    });
    const { code: source } = await minify(file, code, { module: true });
    this.emitFile({ type: "asset", name: "start.js", originalFileName: file, source });
  },
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), newestFaces, start],
  // The edge takes writes from its own origin only.
  server: {
    proxy: { "/api": { target: product, changeOrigin: true, headers: { origin: product } } },
  },
  build: isSsrBuild
    ? { outDir: "dist/server", emptyOutDir: true, copyPublicDir: false }
    : {
        outDir: "dist/client",
        emptyOutDir: true,
        manifest: true,
        // The Content-Security-Policy takes faces from files, not out of a stylesheet.
        assetsInlineLimit: (file) => (file.endsWith(".woff2") ? false : undefined),
        // It only announces scripts to browsers that can't do so themselves; they load them all the same.
        modulePreload: { polyfill: false },
        rolldownOptions: { output: { codeSplitting: { groups: [foundation, form, shell] } } },
      },
  // The prerender runs from one file: stylesheets of packages mean nothing to Node.
  ssr: { noExternal: true },
}));
