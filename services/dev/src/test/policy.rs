//! Which licences and sources we depend on.

use tokio::process::Command;

use super::Session;
use crate::command::must;
use crate::failure::Outcome;
use crate::places;

/// The checker of deny.toml, built once into the state folder.
const VERSION: &str = "0.20.2";

impl Session {
    /// cargo-deny's offline parts: licences, sources, bans and duplicates.
    pub(super) async fn policy(&mut self) -> Outcome {
        let tools = self.state.path(&format!("cargo-deny-{VERSION}"));
        let deny = tools.join("bin/cargo-deny");
        if !deny.exists() {
            self.steps.say(&format!("building cargo-deny {VERSION} into {}, once", tools.display()));
            // Unoptimised it is built in half the time, and checks as fast as anybody looks.
            let package = format!("cargo-deny@{VERSION}");
            let mut install = Self::cargo(&["install", "--quiet", "--debug", "--locked", &package, "--root"]);
            install.arg(&tools).env("CARGO_TARGET_DIR", self.state.path("cargo-deny-build"));
            must(&mut install, &self.state.log("cargo-deny")).await?;
            std::fs::remove_dir_all(self.state.path("cargo-deny-build"))?;
        }
        let mut command = Command::new(deny);
        command.current_dir(places::repository()).args(["--offline", "check", "bans", "licenses", "sources"]);
        self.check("licences, sources, duplicates", &mut command).await?;
        Ok(())
    }
}
