//! The whole product in a real browser.

use bench::fill;
use runner::product::MAINTENANCE_FILE;
use runner::{npm, places};
use tooling::failure::Outcome;

use super::{Session, count};

/// Id and content of a course that is newer than the build of the site.
const NEWER_COURSE: (u32, &str) = (901, include_str!("newer-course.yaml"));

/// Learners for the tests, each of whom is used once. `fixtures/learners.ts` has the number for each worker.
const LEARNERS: u32 = 2_000;

impl Session {
    /// Runs the Playwright tests against a product of their own.
    pub(super) async fn e2e(&mut self) -> Outcome {
        npm::install(&places::web(), &self.state).await?;
        let chromium = self.browser().await?;
        let learners = self.state.path("learners.csv");
        let product = self.product().await?;
        // Before the newer course is imported, because it has no videos.
        fill::into(product.server()?, product.state(), LEARNERS, fill::USUAL, Some(&learners)).await?;
        let (newer, content) = NEWER_COURSE;
        product.publish(newer, content).await?;
        let (origin, mails, windows) =
            (product.origin(), product.mails()?, product.state().path(MAINTENANCE_FILE));
        let results = self.state.path("playwright");
        let report = self.state.path("playwright.json");
        let mut command = npm::npm(&self.state, &places::web())?;
        command
            .args(["run", "--silent", "--workspace=@konomana/site-e2e", "e2e", "--"])
            .args(["--reporter=list,json", "--output"])
            .arg(&results)
            .env("PLAYWRIGHT_JSON_OUTPUT_NAME", &report)
            .env("E2E_BASE_URL", &origin)
            .env("E2E_LEARNERS", &learners)
            .env("E2E_MAIL_URL", &mails)
            .env("E2E_NEWER_COURSE", newer.to_string())
            .env("E2E_MAINTENANCE_FILE", windows)
            .env("CHROMIUM", &chromium);
        self.reported("end to end", &mut command, &report, count::playwright).await?;
        let mut command = npm::npm(&self.state, &places::web())?;
        command
            .args(["run", "--silent", "lighthouse", "--", "right"])
            .env("E2E_BASE_URL", origin)
            .env("CHROMIUM", chromium);
        self.report.run_check("Lighthouse: accessibility, best practices, SEO", &mut command).await?;
        Ok(())
    }
}
