//! Records of parts that passed. A run of all parts skips a long part that passed within 24 hours on the same files. A part
//! that is named on the command line always runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use runner::inputs::{all, stamp};
use runner::places;
use runner::state::State;
use tokio::process::Command;
use tooling::command::run;
use tooling::failure::{Doing as _, Outcome};
use tooling::report::Tally;

use crate::cli::Part;

/// Validity of a record: some tests depend on the date.
const VALIDITY: Duration = Duration::from_hours(24);

/// The crates of `cargo dev`.
const TOOLS: [&str; 3] = ["services/dev/", "services/runner/", "services/tooling/"];

/// The record that a part passed, and on which files.
pub(super) struct PassRecord {
    file: PathBuf,
    /// Digest of everything that the part tests and uses.
    stamp: u64,
}

impl PassRecord {
    /// Returns `None` for a short part, and if git cannot list the files of the repository.
    pub(super) async fn open(part: Part, state: &State) -> Outcome<Option<Self>> {
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
            .filter(|file| affects(part, file))
            .map(|file| repository.join(file))
            .collect();
        // The compiler counts as an input.
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

    /// Returns the number of passed tests if the record is valid.
    pub(super) fn passed(&self) -> Option<usize> {
        let text = fs::read_to_string(&self.file).ok()?;
        let age = fs::metadata(&self.file).ok()?.modified().ok()?.elapsed().ok()?;
        let (stamp, passed) = text.split_once(' ')?;
        (stamp == self.stamp.to_string() && age < VALIDITY).then(|| passed.parse().ok())?
    }

    /// Stores the result if all tests ran and passed.
    pub(super) fn save(&self, tally: Tally) -> Outcome {
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

/// Whether a change of this file may change the result of the part.
fn affects(part: Part, file: &str) -> bool {
    let web = file.starts_with("web/");
    let is = |extension| Path::new(file).extension().is_some_and(|found| found == extension);
    match part {
        Part::Web => web || TOOLS.iter().any(|folder| file.starts_with(folder)),
        // Shared test cases, and the document of the API.
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
    fn a_record_is_valid_while_no_file_changes() {
        let folder = Scratch::new();
        let record = |stamp| PassRecord { file: folder.path().join("rust"), stamp };
        let tally = |passed, failed, skipped| Tally { passed, failed, skipped };
        assert_eq!(record(1).passed(), None);
        record(1).save(tally(7, 0, 0)).expect("save the record");
        assert_eq!(record(1).passed(), Some(7));
        assert_eq!(record(2).passed(), None);
        record(2).save(tally(7, 1, 0)).expect("save the record");
        record(2).save(tally(7, 0, 1)).expect("save the record");
        assert_eq!(record(2).passed(), None);
    }

    #[test]
    fn a_record_older_than_a_day_is_not_valid() {
        let folder = Scratch::new();
        let record = PassRecord { file: folder.path().join("rust"), stamp: 1 };
        record.save(Tally { passed: 7, failed: 0, skipped: 0 }).expect("save the record");
        let file = fs::File::options().write(true).open(&record.file).expect("open the record");
        let written = file.metadata().and_then(|data| data.modified()).expect("read the modification time");
        file.set_modified(written - VALIDITY).expect("set the modification time");
        assert_eq!(record.passed(), None);
    }

    #[test]
    fn a_part_runs_again_after_a_change_of_its_files() {
        for (part, file, again) in [
            (Part::Web, "web/libs/ui/src/index.ts", true),
            (Part::Web, "services/lms/src/course.rs", false),
            (Part::Web, "services/runner/src/web.rs", true),
            (Part::Rust, "web/libs/form/src/cases.json", true),
            (Part::Rust, "web/libs/browser/src/calendarCases.json", true),
            (Part::Schema, "services/edge/src/calendar.rs", true),
            (Part::Rust, "web/libs/ui/src/index.ts", false),
            (Part::Rust, "k8s/base/maintenance/crd.yaml", true),
            (Part::K8s, "web/package.json", false),
            (Part::E2e, "services/lms/demo/courses/101.yaml", true),
            (Part::Faults, "README.md", false),
        ] {
            assert_eq!(affects(part, file), again, "{part:?} {file}");
        }
    }
}
