//! Debian packages that tests need. They are installed if permitted.

use rustix::process::geteuid;
use tokio::process::Command;
use tooling::command::{find_program, run_or_fail};
use tooling::failure::Outcome;

use super::Session;

/// Whether packages can be installed: as root, on Debian or a system like it.
pub(super) fn can_install() -> bool {
    geteuid().is_root() && find_program("apt-get").is_some()
}

impl Session {
    /// Installs these packages.
    pub(super) async fn install_debian(&self, packages: &[&str]) -> Outcome {
        let log = self.state.log("apt-get");
        let apt = |arguments: &[&str]| {
            let mut command = Command::new("apt-get");
            command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
            command
        };
        self.steps.say(&format!("installing Debian's {}", packages.join(", ")));
        run_or_fail(&mut apt(&["update"]), &log).await?;
        let mut install = apt(&["install", "--yes", "--no-install-recommends"]);
        run_or_fail(install.args(packages), &log).await.map(drop)
    }
}
