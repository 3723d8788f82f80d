import { existsSync } from "node:fs";
import { defineConfig, devices } from "@playwright/test";

/** The browser that the system brings along; playwright's own is used where there is none. */
const systemChromium = "/usr/bin/chromium";

/**
 * The product runs already (`cargo dev up`); the tests see it from outside.
 * E2E_BASE_URL          where it answers
 * E2E_MAINTENANCE_FILE  the file of MaintenanceWindows that its maintenance service watches
 */
export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  forbidOnly: true,
  retries: 0,
  // One at a time: a maintenance closes the site for everybody, and the learners are shared.
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1264, height: 900 },
    baseURL: process.env["E2E_BASE_URL"] ?? "http://127.0.0.1:8080",
    locale: "ja-JP",
    timezoneId: "Asia/Tokyo",
    trace: "retain-on-failure",
    launchOptions: {
      ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
  },
});
