//! The format of all sources.

use runner::{npm, places};
use tooling::failure::Outcome;

use super::Session;

impl Session {
    /// Checks the format of Rust, then of the sources in web/.
    pub(super) async fn format(&mut self) -> Outcome {
        self.report.run_check("cargo fmt", &mut Self::cargo(&["fmt", "--all", "--check"])).await?;
        npm::install(&places::web(), &self.state).await?;
        let mut command = npm::npm(&self.state, &places::web())?;
        self.report.run_check("web format", command.args(["run", "--silent", "format:check"])).await?;
        Ok(())
    }
}
