//! Builds the site's files. The content comes from the running API if the demo content has changed. Nx skips unchanged
//! builds.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;

use tooling::command::run_or_fail;
use tooling::failure::{Doing as _, Outcome};

use crate::inputs::{all, stamp};
use crate::npm::npm;
use crate::places;
use crate::state::State;

/// Builds the site's files from the content of the edge at `edge`.
pub async fn build(state: &State, edge: SocketAddr) -> Outcome {
    let site = places::web().join("apps/site");
    let demo = |service| places::service(service).join("demo");
    let asked = stamp(
        &[
            &demo("lms"),
            &demo("desk"),
            &demo("commerce"),
            &site.join("scripts"),
            &places::web().join("libs/http/openapi.json"),
        ],
        &all,
    )?;
    let snapshot = Stamp::of_snapshot();
    if !snapshot.matches(asked) || !content().exists() {
        ask(state, &format!("http://{edge}")).await?;
        snapshot.save(asked)?;
    }
    let mut command = npm(state, &places::web())?;
    command.args(["run", "--silent", "build"]);
    run_or_fail(&mut command, &state.log("web-build")).await?;
    Ok(())
}

/// The content of the site's public pages.
#[must_use]
pub fn content() -> PathBuf {
    places::web().join("apps/site/content/snapshot.json")
}

/// Fetches the content from the API at `api`. Resets the stamp, because the API may belong to another product.
pub async fn ask(state: &State, api: &str) -> Outcome {
    Stamp::of_snapshot().forget()?;
    let mut command = npm(state, &places::web())?;
    command.args(["run", "--silent", "snapshot", "--", "--api", api]);
    run_or_fail(&mut command, &state.log("web-snapshot")).await?;
    Ok(())
}

/// Builds the site's files for `origin` from the current content. Returns their folder.
pub async fn publish(state: &State, origin: &str) -> Outcome<PathBuf> {
    let mut command = npm(state, &places::web())?;
    command.args(["run", "--silent", "build"]).env("SITE_ORIGIN", origin);
    run_or_fail(&mut command, &state.log("web-build")).await?;
    Ok(places::web().join("apps/site/dist/client"))
}

/// The stamp of the demo content of the last snapshot. It is stored beside the build, because all state folders of a
/// checkout share it.
struct Stamp(PathBuf);

impl Stamp {
    fn of_snapshot() -> Self {
        Self(places::web().join("node_modules/.konomana/snapshot"))
    }

    fn matches(&self, stamp: u64) -> bool {
        fs::read_to_string(&self.0).is_ok_and(|text| text == stamp.to_string())
    }

    fn forget(&self) -> Outcome {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).doing(|| format!("deleting {}", self.0.display()))
            }
            _ => Ok(()),
        }
    }

    fn save(&self, stamp: u64) -> Outcome {
        if let Some(folder) = self.0.parent() {
            fs::create_dir_all(folder).doing(|| format!("making {}", folder.display()))?;
        }
        fs::write(&self.0, stamp.to_string()).doing(|| format!("writing {}", self.0.display()))
    }
}
