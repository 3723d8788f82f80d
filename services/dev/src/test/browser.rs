//! The browser of the site's tests.

use std::path::{Path, PathBuf};

use tokio::process::Command;
use tooling::command::{find_program, run_or_fail};
use tooling::failure::{Outcome, fail};

use super::Session;

/// The headless build of Chromium. It opens pages ten times as fast.
const SHELL: &str = "chromium-headless-shell";
/// Other names of Chromium.
const OTHERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Fonts for Japanese text.
const FONTS: &str = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";

impl Session {
    /// Returns the path of Chromium. If there is none, installs Debian's package if permitted.
    pub(super) async fn browser(&mut self) -> Outcome<PathBuf> {
        let is_debian_root = rustix::process::geteuid().is_root() && find_program("apt-get").is_some();
        let found = || find_program(SHELL).or_else(|| OTHERS.iter().find_map(|name| find_program(name)));
        if is_debian_root && (found().is_none() || !Path::new(FONTS).exists()) {
            self.install().await?;
        }
        match found() {
            Some(chromium) => Ok(chromium),
            None => fail(
                "there is no Chromium: install it (Debian: apt-get install chromium-headless-shell fonts-noto-cjk)",
            ),
        }
    }

    /// Installs Debian's packages; without a headless build, the full one.
    async fn install(&self) -> Outcome {
        let log = self.state.log("apt-get");
        let apt = |arguments: &[&str]| {
            let mut command = Command::new("apt-get");
            command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
            command
        };
        self.steps.say("installing Debian's chromium-headless-shell and fonts-noto-cjk");
        run_or_fail(&mut apt(&["update"]), &log).await?;
        let install = ["install", "--yes", "--no-install-recommends", "fonts-noto-cjk"];
        if run_or_fail(apt(&install).arg(SHELL), &log).await.is_ok() {
            return Ok(());
        }
        self.steps.say("there is none: installing Debian's chromium");
        run_or_fail(apt(&install).arg(OTHERS[0]), &log).await.map(drop)
    }
}
