//! The protocol between the services: lint and breaking changes.

use runner::{npm, places};
use tokio::process::Command;
use tooling::command::run;
use tooling::failure::Outcome;

use super::Session;

impl Session {
    /// Runs buf's lint and breaking-change checks.
    pub(super) async fn proto(&mut self) -> Outcome {
        npm::install(&places::tools(), &self.state).await?;
        let buf = || {
            let mut command = Command::new(npm::buf());
            command.current_dir(places::repository()).env("BUF_CACHE_DIR", self.state.path("buf-cache"));
            command
        };
        let (mut lint, mut breaking) = (buf(), buf());
        self.report.run_check("buf lint", lint.arg("lint")).await?;
        if let Some(reference) = earlier().await? {
            breaking.args(["breaking", "--against", &format!(".git#ref={reference}")]);
            self.report.run_check(&format!("buf breaking against {reference}"), &mut breaking).await?;
        } else {
            self.report
                .add_passed("buf breaking: no earlier commit has a protocol", std::time::Instant::now());
        }
        Ok(())
    }
}

/// Returns the reference to compare with: the newest release, or the main branch.
async fn earlier() -> Outcome<Option<String>> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(places::repository());
        command
    };
    let described = run(&mut git(&["describe", "--tags", "--abbrev=0"])).await?;
    let tag = described.status.success().then(|| described.stdout.trim().to_owned());
    for reference in tag.as_deref().into_iter().chain(["main", "origin/main", "HEAD"]) {
        let listed = run(&mut git(&["ls-tree", "--name-only", reference, "proto/"])).await?;
        if listed.status.success() && !listed.stdout.trim().is_empty() {
            return Ok(Some(reference.to_owned()));
        }
    }
    Ok(None)
}
