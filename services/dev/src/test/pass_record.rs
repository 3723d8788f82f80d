//! Parts that passed and need not be run again: nothing that they test has changed since, and it was today.
//!
//! The long parts only, and only where all parts are asked for; a part asked for by name is always run.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::process::Command;
use tooling::command::run;
use tooling::failure::{Doing as _, Outcome};
use tooling::report::Tally;

use crate::cli::Part;
use crate::inputs::{all, stamp};
use crate::places;
use crate::state::State;

/// Some tests depend on the date.
const KEPT: Duration = Duration::from_hours(24);

/// Where it is written that a part passed, and on what.
pub(super) struct Kept {
    file: PathBuf,
    /// Of all that the part tests and is tested with.
    stamp: u64,
}

impl Kept {
    /// `None` for a part that is quick, and where git does not know what belongs to the repository.
    pub(super) async fn of(part: Part, state: &State) -> Outcome<Option<Self>> {
        if !is_long(part) {
            return Ok(None);
        }
        let mut git = Command::new("git");
        git.args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
        let listed = run(git.current_dir(places::repository())).await?;
        if !listed.status.success() {
            return Ok(None);
        }
        let repository = places::repository();
        let mut files: Vec<PathBuf> = listed
            .stdout
            .split_terminator('\0')
            .filter(|file| has_a_part(part, file))
            .map(|file| repository.join(file))
            .collect();
        // The compiler is a part of what is tested.
        let compiler = state.path("compiler");
        let version = run(Command::new("rustc").arg("-vV")).await?.stdout;
        fs::write(&compiler, version).doing(|| format!("writing {}", compiler.display()))?;
        files.push(compiler);
        let roots: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        let folder = state.path("passed");
        fs::create_dir_all(&folder).doing(|| format!("making {}", folder.display()))?;
        let file = folder.join(format!("{part:?}").to_lowercase());
        Ok(Some(Self { file, stamp: stamp(&roots, &all)? }))
    }

    /// How many tests passed, if that is still true.
    pub(super) fn passed(&self) -> Option<usize> {
        let text = fs::read_to_string(&self.file).ok()?;
        let age = fs::metadata(&self.file).ok()?.modified().ok()?.elapsed().ok()?;
        let (stamp, passed) = text.split_once(' ')?;
        (stamp == self.stamp.to_string() && age < KEPT).then(|| passed.parse().ok())?
    }

    /// Keeps what came out, where everything was tested and passed.
    pub(super) fn set(&self, tally: Tally) -> Outcome {
        if tally.failed > 0 || tally.skipped > 0 {
            return Ok(());
        }
        fs::write(&self.file, format!("{} {}", self.stamp, tally.passed))
            .doing(|| format!("writing {}", self.file.display()))
    }
}

fn is_long(part: Part) -> bool {
    matches!(part, Part::K8s | Part::Rust | Part::Web | Part::E2e | Part::Schema | Part::Faults)
}

/// Whether a part may come out otherwise when this file of the repository changes.
fn has_a_part(part: Part, file: &str) -> bool {
    let web = file.starts_with("web/");
    let is = |extension| Path::new(file).extension().is_some_and(|found| found == extension);
    match part {
        Part::Web => web || file.starts_with("services/dev/"),
        // Cases that both sides keep to, and the document of the API.
        Part::Rust => !web || is("json"),
        Part::K8s => !web,
        Part::E2e | Part::Schema | Part::Faults => !file.starts_with("k8s/") && !is("md"),
        Part::Format | Part::Proto | Part::Policy | Part::Fuzz => true,
    }
}

#[cfg(test)]
mod tests {
    use tooling::scratch::Scratch;

    use super::*;

    #[test]
    fn what_passed_is_kept_while_nothing_changes() {
        let folder = Scratch::new();
        let kept = |stamp| Kept { file: folder.path().join("rust"), stamp };
        let tally = |passed, failed, skipped| Tally { passed, failed, skipped };
        assert_eq!(kept(1).passed(), None);
        kept(1).set(tally(7, 0, 0)).expect("it writes");
        assert_eq!(kept(1).passed(), Some(7));
        assert_eq!(kept(2).passed(), None);
        kept(2).set(tally(7, 1, 0)).expect("it writes");
        kept(2).set(tally(7, 0, 1)).expect("it writes");
        assert_eq!(kept(2).passed(), None);
    }

    #[test]
    fn a_pass_of_yesterday_says_nothing() {
        let folder = Scratch::new();
        let kept = Kept { file: folder.path().join("rust"), stamp: 1 };
        kept.set(Tally { passed: 7, failed: 0, skipped: 0 }).expect("it writes");
        let file = fs::File::options().write(true).open(&kept.file).expect("it is there");
        let written = file.metadata().and_then(|data| data.modified()).expect("it has an age");
        file.set_modified(written - KEPT).expect("it is ours");
        assert_eq!(kept.passed(), None);
    }

    #[test]
    fn a_part_is_run_again_for_what_it_tests() {
        for (part, file, again) in [
            (Part::Web, "web/libs/ui/src/index.ts", true),
            (Part::Web, "services/lms/src/course.rs", false),
            (Part::Rust, "web/libs/form/src/cases.json", true),
            (Part::Rust, "web/libs/ui/src/index.ts", false),
            (Part::Rust, "k8s/base/maintenance/crd.yaml", true),
            (Part::K8s, "web/package.json", false),
            (Part::E2e, "services/lms/demo/courses/101.yaml", true),
            (Part::Faults, "README.md", false),
        ] {
            assert_eq!(has_a_part(part, file), again, "{part:?} {file}");
        }
    }
}
