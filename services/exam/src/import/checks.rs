//! `checks/<id>.yaml`.

use kit_content::{Faults, File};
use serde::{Deserialize, Serialize};
use serde_saphyr::Spanned;

use super::figures::Figures;
use super::questions::{Owner, QuestionEntry, check_questions};
use super::taken::TakenIds;
use crate::question::Question;

/// A free check with its questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AuthoredCheck {
    pub(super) id: i64,
    pub(super) school_year: String,
    pub(super) subject: String,
    pub(super) title: String,
    pub(super) course_ids: Vec<i64>,
    pub(super) questions: Vec<Question>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckFile {
    id: Spanned<i64>,
    school_year: Spanned<String>,
    subject: Spanned<String>,
    title: Spanned<String>,
    courses: Spanned<Vec<Spanned<i64>>>,
    questions: Spanned<Vec<QuestionEntry>>,
}

/// Parses a free check. `None` if the file cannot be parsed; the fault is noted.
pub(super) fn read_check(
    folder: &kit_content::Folder,
    name: &str,
    taken: &mut TakenIds,
    figures: &mut Figures,
    faults: &mut Faults,
) -> Option<AuthoredCheck> {
    let mut file = File { name, faults };
    let check: CheckFile = file.read_document(folder)?;
    let id = file.id(&check.id, &mut taken.checks);
    if name != format!("checks/{id}.yaml") {
        file.fault(&check.id, "id", format!("{id} is not the name of the file"));
    }
    let mut course_ids = Vec::new();
    for course in file.some(check.courses, "courses") {
        if course.value < 1 || course_ids.contains(&course.value) {
            file.fault(&course, "courses", format!("{} is not positive, or there twice", course.value));
        }
        course_ids.push(course.value);
    }
    let owner = Owner::Check(id);
    Some(AuthoredCheck {
        id,
        school_year: file.one_of(check.school_year, "school_year", &forms::SCHOOL_YEARS),
        subject: file.text(check.subject, "subject"),
        title: file.text(check.title, "title"),
        course_ids,
        questions: check_questions(&mut file, folder, check.questions, owner, &mut taken.questions, figures),
    })
}
