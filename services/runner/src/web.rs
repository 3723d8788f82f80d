//! The site's files: content asked of the running API, then a build, each only when what it is made of has changed.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use tooling::command::run_or_fail;
use tooling::failure::{Doing as _, Outcome};

use crate::inputs::{all, stamp};
use crate::npm::npm;
use crate::places;
use crate::state::State;

/// Makes the site's files from the content as the edge at `edge` has it.
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
    let snapshot = Stamp::for_step("snapshot");
    if !snapshot.matches(asked) || !content().exists() {
        ask(state, &format!("http://{edge}")).await?;
        snapshot.save(asked)?;
    }
    let sources = stamp(&[&places::web()], &is_source)?;
    let built = Stamp::for_step("build");
    if !built.matches(sources) || !site.join("dist/client").exists() {
        let mut command = npm(state, &places::web())?;
        command.args(["run", "--silent", "build"]);
        run_or_fail(&mut command, &state.log("web-build")).await?;
        built.save(sources)?;
    }
    Ok(())
}

/// The content that the site's public pages are made from.
#[must_use]
pub fn content() -> PathBuf {
    places::web().join("apps/site/content/snapshot.json")
}

/// Asks the API at `api` for its content; `build` will ask again, as it may be another one's.
pub async fn ask(state: &State, api: &str) -> Outcome {
    Stamp::for_step("snapshot").forget()?;
    let mut command = npm(state, &places::web())?;
    command.args(["run", "--silent", "snapshot", "--", "--api", api]);
    run_or_fail(&mut command, &state.log("web-snapshot")).await?;
    Ok(())
}

/// Builds the site's files for `origin` from the current content. Returns their folder.
pub async fn publish(state: &State, origin: &str) -> Outcome<PathBuf> {
    Stamp::for_step("build").forget()?;
    let mut command = npm(state, &places::web())?;
    command.args(["run", "--silent", "build"]).env("SITE_ORIGIN", origin);
    run_or_fail(&mut command, &state.log("web-build")).await?;
    Ok(places::web().join("apps/site/dist/client"))
}

/// Whether a file or folder of web/ has a part in the site's files.
fn is_source(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    !matches!(name, "node_modules" | "dist" | ".nx" | "site-e2e" | "testing" | "__screenshots__")
        && !name.contains(".test.")
        && !name.ends_with(".tsbuildinfo")
}

/// The inputs that a step last ran with, kept beside its outputs: all state folders of a checkout share one build.
struct Stamp(PathBuf);

impl Stamp {
    fn for_step(step: &str) -> Self {
        Self(places::web().join("node_modules/.konomana").join(step))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_what_is_made_have_no_part_in_the_sites_files() {
        for source in ["libs/ui/src/page/Head.tsx", "apps/site/content/snapshot.json", "package-lock.json"] {
            assert!(is_source(Path::new(source)), "{source}");
        }
        for other in ["apps/site/dist", "node_modules", "libs/http/src/client/send.test.ts", "apps/site-e2e"] {
            assert!(!is_source(Path::new(other)), "{other}");
        }
    }
}
