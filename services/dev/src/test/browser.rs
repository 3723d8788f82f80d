//! The browser that the site's tests run in.

use std::path::Path;

use tokio::process::Command;

use super::Session;
use crate::command::{find, must};
use crate::failure::{Outcome, fail};

/// Where Chromium may be called otherwise.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Japanese text needs these.
const FONTS: &str = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";

impl Session {
    /// Where Chromium is; Debian's is installed where there is none and we may.
    pub(super) async fn browser(&mut self) -> Outcome<std::path::PathBuf> {
        let found = || NAMES.iter().find_map(|name| find(name));
        let is_debian_root = rustix::process::geteuid().is_root() && find("apt-get").is_some();
        let fonts = Path::new(FONTS).exists();
        if let Some(chromium) = found()
            && (fonts || !is_debian_root)
        {
            return Ok(chromium);
        }
        if !is_debian_root {
            return fail(
                "there is no Chromium: install it (Debian: apt-get install chromium fonts-noto-cjk)",
            );
        }
        self.steps.say("installing Debian's chromium and fonts-noto-cjk");
        let log = self.state.log("apt-get");
        let apt = |arguments: &[&str]| {
            let mut command = Command::new("apt-get");
            command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
            command
        };
        must(&mut apt(&["update"]), &log).await?;
        must(&mut apt(&["install", "--yes", "--no-install-recommends", "chromium", "fonts-noto-cjk"]), &log)
            .await?;
        match found() {
            Some(chromium) => Ok(chromium),
            None => fail("Debian's chromium is installed and still not on PATH"),
        }
    }
}
