//! The folder as authored, parsed and checked: `teachers.yaml`, `courses/<id>.yaml`,
//! `classes.yaml`, `learners.yaml`.

use kit_content::Faults;
use time::OffsetDateTime;

use super::classes::read_classes;
use super::courses::{AuthoredCourse, read_courses};
use super::learners::{self, DemoLearner};
use super::teachers::{AuthoredTeacher, read_teachers};
use crate::class::content::ClassContent;

/// The content of a folder.
pub(super) struct Folder {
    pub(super) teachers: Vec<AuthoredTeacher>,
    pub(super) courses: Vec<AuthoredCourse>,
    pub(super) classes: Vec<ClassContent>,
    pub(super) learners: Vec<DemoLearner>,
}

impl Folder {
    /// Parses all files of `folder` and checks them against each other.
    pub(super) fn parse(folder: &kit_content::Folder, now: OffsetDateTime) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let teachers = read_teachers(folder, &mut faults);
        let courses = read_courses(folder, teachers.as_deref(), &mut faults);
        let known = teachers.as_deref().unwrap_or_default();
        let classes = read_classes(folder, known, &courses, now, &mut faults);
        let learners = learners::parse_learners(folder, &courses, &classes, now, &mut faults);
        faults.into_result()?;
        Ok(Self { teachers: teachers.unwrap_or_default(), courses, classes, learners })
    }
}
