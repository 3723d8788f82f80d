import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { launchOptions } from "./apps/site-e2e/fixtures/chromium";
import { breakpoints, css } from "./libs/ui/base/src/theme/stylesheets";
import { films } from "./libs/ui/base/src/video/testing/videoServer";

/**
 * Two kinds of tests by file name. `*.test.ts` runs in Node without a page. `*.browser.test.tsx`
 * runs in a real browser, with real layout, focus and input methods.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{libs,apps}/**/*.test.ts", "*.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**", "**/*.browser.test.*"],
          environment: "node",
        },
      },
      {
        plugins: [react(), breakpoints, films],
        css,
        // Prebundled, because the tab that runs the tests must not reload when the bundler finds a
        // new package.
        optimizeDeps: {
          include: [
            "react",
            "react-dom",
            "react-dom/client",
            "react/jsx-runtime",
            "react/jsx-dev-runtime",
            "react-router",
            "react-router/dom",
            "@tanstack/react-query",
            "@mantine/form",
            "@mantine/hooks",
            "axe-core",
            "hls.js/light",
            "katex",
            "libphonenumber-js/core",
            "media-chrome/react/media-store",
            "valibot",
            "vitest-browser-react",
          ],
        },
        test: {
          name: "browser",
          include: ["{libs,apps}/**/*.browser.test.{ts,tsx}"],
          exclude: ["**/node_modules/**", "**/dist/**"],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
