import { breakpoints, css } from "@konomana/ui-base/stylesheets";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Address of the running product during development (`npm run dev`). */
const product = "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), breakpoints],
  css,
  // The edge accepts writes only from its own origin.
  server: {
    proxy: { "/api": { target: product, changeOrigin: true, headers: { origin: product } } },
  },
  // The site's build copies these files beside its own. The static service caches files below
  // /assets for a year.
  build: { assetsDir: "assets/console", modulePreload: { polyfill: false } },
});
