import { defineConfig, devices } from "@playwright/test";
import { baseURL, launchOptions } from "./fixtures/chromium";

const LESSONS = "watch-lesson.spec.ts";
const MAINTENANCE = "maintenance.spec.ts";

/**
 * The product runs already (`cargo dev up`); the tests see it from outside.
 * With `--trace retain-on-failure` it is kept how a failure came about, in a fifth more time.
 * E2E_BASE_URL          where it answers
 * CHROMIUM              the browser, where it is not the system's
 * E2E_LEARNERS          a list of learners: `cargo dev fill --learners 2000 --csv FILE`
 * E2E_MAIL_URL          where its mail catcher answers
 * E2E_MAINTENANCE_FILE  the file of MaintenanceWindows that its maintenance service watches
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
