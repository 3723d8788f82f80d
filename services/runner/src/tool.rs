//! Third-party cargo commands, each built once into the state folder.

use std::path::PathBuf;

use tokio::process::Command;
use tooling::command::run_or_fail;
use tooling::failure::Outcome;
use tooling::steps::Steps;

use crate::places;
use crate::state::State;

/// The binary `name` in this version, built if missing.
pub async fn installed(state: &State, steps: &Steps, name: &str, version: &str) -> Outcome<PathBuf> {
    let folder = state.path(&format!("{name}-{version}"));
    let binary = folder.join("bin").join(name);
    if !binary.exists() {
        steps.say(&format!("building {name} {version} into {}, once", folder.display()));
        let scratch = state.path(&format!("{name}-build"));
        let mut install = Command::new("cargo");
        // Without optimisation and debug information the build takes a third of the time, and the tool is fast enough.
        install
            .args(["install", "--quiet", "--debug", "--locked", &format!("{name}@{version}"), "--root"])
            .arg(&folder)
            .current_dir(places::repository())
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_TARGET_DIR", &scratch);
        run_or_fail(&mut install, &state.log(name)).await?;
        std::fs::remove_dir_all(scratch)?;
    }
    Ok(binary)
}
