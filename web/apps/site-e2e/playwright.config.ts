import { defineConfig, devices } from "@playwright/test";
import { baseURL, launchOptions } from "./fixtures/chromium";

const LESSONS = "watch-lesson.spec.ts";
const MAINTENANCE = "maintenance.spec.ts";

/**
 * End-to-end tests of a running product (`cargo dev up`). `--trace retain-on-failure` records
 * failures and takes a fifth more time.
 *
 * E2E_BASE_URL: address of the product.
 * CHROMIUM: path of the browser. Default: the system's.
 * E2E_LEARNERS: list of learners, from `cargo dev fill --learners 2000 --csv FILE`.
 * E2E_MAIL_URL: address of the mail catcher.
 * E2E_MAINTENANCE_FILE: file of MaintenanceWindows that the maintenance service watches.
 */
export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  forbidOnly: true,
  retries: 0,
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  projects: [
    // First, because one of these tests takes longest. Meanwhile the other worker runs the rest.
    { name: "lessons", testMatch: LESSONS },
    { name: "product", testIgnore: [LESSONS, MAINTENANCE] },
    // A maintenance closes the site for all tests, so nothing else runs meanwhile.
    {
      name: "maintenance",
      testMatch: MAINTENANCE,
      dependencies: ["lessons", "product"],
      workers: 1,
    },
  ],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1264, height: 900 },
    baseURL,
    locale: "ja-JP",
    timezoneId: "Asia/Tokyo",
    launchOptions,
  },
});
