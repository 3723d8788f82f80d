//! `teachers.yaml`.

use kit_content::{Faults, File};
use serde::{Deserialize, Serialize};
use serde_saphyr::Spanned;

use super::check::take_readings;
use super::entry;
use crate::search::Entry;
use crate::teacher::Teacher;

/// A teacher with their search entry.
#[derive(PartialEq, Serialize)]
pub(super) struct AuthoredTeacher {
    #[serde(flatten)]
    pub(super) teacher: Teacher,
    pub(super) search: Option<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TeachersFile {
    teachers: Vec<TeacherEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TeacherEntry {
    id: Spanned<i64>,
    name: Spanned<String>,
    #[serde(default)]
    readings: Vec<Spanned<String>>,
    kana: Spanned<String>,
    subjects: Vec<Spanned<String>>,
    message: Spanned<String>,
    career: Spanned<String>,
}

/// Parses the teachers. `None` if the file cannot be parsed; the fault is noted.
pub(super) fn read_teachers(
    folder: &kit_content::Folder,
    faults: &mut Faults,
) -> Option<Vec<AuthoredTeacher>> {
    let mut file = File { name: "teachers.yaml", faults };
    let TeachersFile { teachers: entries } = file.read_document(folder)?;
    let (mut teachers, mut taken) = (Vec::new(), Vec::new());
    for entry in entries {
        let teacher = Teacher {
            id: file.id(&entry.id, &mut taken),
            name: file.text(entry.name, "name"),
            kana: file.text(entry.kana, "kana"),
            subjects: entry.subjects.into_iter().map(|subject| file.text(subject, "subjects")).collect(),
            message: file.text(entry.message, "message"),
            career: file.text(entry.career, "career"),
        };
        let search = entry::teacher_entry(&teacher, &take_readings(&mut file, entry.readings));
        teachers.push(AuthoredTeacher { teacher, search: Some(search) });
    }
    Some(teachers)
}
