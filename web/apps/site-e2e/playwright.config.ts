import { defineConfig, devices } from "@playwright/test";
import { baseURL, launchOptions } from "./fixtures/chromium";

/**
 * The product runs already (`cargo dev up`); the tests see it from outside.
 * With `--trace retain-on-failure` it is kept how a failure came about, in a fifth more time.
 * E2E_BASE_URL          where it answers
 * CHROMIUM              the browser, where it is not the system's
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
    baseURL,
    locale: "ja-JP",
    timezoneId: "Asia/Tokyo",
    launchOptions,
  },
});
