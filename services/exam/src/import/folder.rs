//! The folder as authored, parsed and checked: `exams/<id>.yaml` with their papers,
//! `checks/<id>.yaml`, `schools.yaml`, `figures/<name>.svg` and, for a demo, `candidates.yaml`.

use kit_content::{Faults, files};
use time::OffsetDateTime;

use super::candidates::{DemoCandidates, read_candidates};
use super::checks::{AuthoredCheck, read_check};
use super::exams::{AuthoredExam, read_exam};
use super::figures::Figures;
use super::schools::{AuthoredSchool, read_schools};
use super::taken::TakenIds;

/// The content of a folder.
pub(super) struct Folder {
    pub(super) exams: Vec<AuthoredExam>,
    pub(super) checks: Vec<AuthoredCheck>,
    pub(super) schools: Vec<AuthoredSchool>,
    pub(super) candidates: Vec<DemoCandidates>,
    pub(super) figures: Figures,
}

impl Folder {
    /// Parses all files of `folder` and checks them against each other.
    pub(super) fn parse(folder: &kit_content::Folder, now: OffsetDateTime) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let mut taken = TakenIds::default();
        let mut figures = Figures::default();
        let exams = documents(folder, "exams", &mut faults);
        let exams =
            exams.iter().filter_map(|name| read_exam(folder, name, &mut taken, &mut figures, &mut faults));
        let exams: Vec<AuthoredExam> = exams.collect();
        let checks =
            if folder.has_part("checks") { documents(folder, "checks", &mut faults) } else { Vec::new() };
        let checks =
            checks.iter().filter_map(|name| read_check(folder, name, &mut taken, &mut figures, &mut faults));
        let checks = checks.collect();
        let schools = read_schools(folder, &mut faults).unwrap_or_default();
        let candidates = read_candidates(folder, &exams, now, &mut faults);
        faults.into_result()?;
        Ok(Self { exams, checks, schools, candidates, figures })
    }
}

/// Lists the YAML files directly in `part`. Papers are in folders below it.
fn documents(folder: &kit_content::Folder, part: &str, faults: &mut Faults) -> Vec<String> {
    let mut names = files(folder, part, faults);
    names.retain(|name| name.strip_suffix(".yaml").is_some());
    names
}
