import { breakpoints, css } from "@konomana/ui-base/stylesheets";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where the rest of the product answers during development (`npm run dev`). */
const product = "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), breakpoints],
  css,
  // The edge takes writes from its own origin only.
  server: {
    proxy: { "/api": { target: product, changeOrigin: true, headers: { origin: product } } },
  },
  // The site's build puts these files beside its own: the service caches what is below /assets for a year.
  build: { assetsDir: "assets/console", modulePreload: { polyfill: false } },
});
