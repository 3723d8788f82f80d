import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

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
  test: /libs\/form\/src\/(?!phone)|libs\/calls\/src\/SaveForm|node_modules\/(?:@mantine\/form|valibot)\//,
  includeDependenciesRecursively: false,
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react()],
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
        rolldownOptions: { output: { codeSplitting: { groups: [foundation, form] } } },
      },
  // The prerender runs from one file: stylesheets of packages mean nothing to Node.
  ssr: { noExternal: true },
}));
