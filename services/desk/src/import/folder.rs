//! Parses and checks a folder of content: `notices.yaml`, `faqs.yaml`, `success/<year>.yaml`, `entry-exams.yaml`,
//! `interviews.yaml`, `events.yaml`.

mod interview_hours;
mod school_events;

use std::ops::RangeInclusive;

use kit_content::{Faults, File, date_time, files};
use serde::Deserialize;
use serde_saphyr::Spanned;
use time::{Date, OffsetDateTime};

use super::prose;
use crate::entry_exam::{self, Exam};
use crate::interview::hours;
use crate::success::{self, Figure, School, VoiceContent};
use crate::{faq, notice, notice_category, school_event};

/// Plausible years.
const YEARS: RangeInclusive<i32> = 2000..=2100;
/// A voice's id is its year followed by two digits.
const VOICES: i64 = 100;

/// The content of a folder.
pub(super) struct Folder {
    pub(super) notices: Vec<notice::Content>,
    pub(super) faqs: Vec<faq::Content>,
    pub(super) success: Vec<success::Content>,
    pub(super) exams: Vec<Exam>,
    pub(super) hours: Vec<hours::Content>,
    pub(super) events: Vec<school_event::Content>,
}

impl Folder {
    /// Parses all files and checks their references.
    pub(super) fn parse(folder: &kit_content::Folder) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let notices = parse_notices(folder, &mut File { name: "notices.yaml", faults: &mut faults });
        let faqs = parse_faqs(folder, &mut File { name: "faqs.yaml", faults: &mut faults });
        let years = files(folder, "success", &mut faults);
        let success = years
            .iter()
            .filter_map(|name| parse_year(folder, &mut File { name, faults: &mut faults }))
            .collect();
        let exams = parse_exams(folder, &mut File { name: "entry-exams.yaml", faults: &mut faults });
        let hours =
            interview_hours::parse(folder, &mut File { name: "interviews.yaml", faults: &mut faults });
        let events = school_events::parse(folder, &mut File { name: "events.yaml", faults: &mut faults });
        faults.into_result()?;
        Ok(Self { notices, faqs, success, exams, hours, events })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoticesFile {
    notices: Vec<NoticeEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoticeEntry {
    id: Spanned<i64>,
    category: Spanned<String>,
    audience: Spanned<String>,
    course: Option<Spanned<i64>>,
    school_year: Option<Spanned<String>>,
    state: Spanned<String>,
    #[serde(default)]
    pinned: bool,
    published: Spanned<String>,
    title: Spanned<String>,
    readings: Option<Spanned<String>>,
    summary: Spanned<String>,
    body: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaqsFile {
    faqs: Vec<FaqEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaqEntry {
    id: Spanned<i64>,
    category: Spanned<String>,
    question: Spanned<String>,
    readings: Option<Spanned<String>>,
    answer: Spanned<String>,
    #[serde(default)]
    related: Vec<Spanned<i64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct YearFile {
    year: Spanned<i32>,
    as_of: Spanned<String>,
    figures: Spanned<Vec<Spanned<Figure>>>,
    schools: Spanned<Vec<Spanned<School>>>,
    voices: Vec<VoiceEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VoiceEntry {
    id: Spanned<i64>,
    name: Spanned<String>,
    school: Spanned<String>,
    school_year: Spanned<String>,
    consent_until: Spanned<String>,
    courses: Spanned<Vec<Spanned<i64>>>,
    text: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExamsFile {
    exams: Vec<ExamEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExamEntry {
    id: Spanned<i64>,
    prefecture: Spanned<String>,
    kind: Spanned<String>,
    name: Spanned<String>,
    apply_from: Spanned<String>,
    apply_until: Spanned<String>,
    exam_on: Spanned<String>,
    result_on: Spanned<String>,
    subjects: Spanned<Vec<Spanned<String>>>,
    note: Option<Spanned<String>>,
}

fn parse_notices(folder: &kit_content::Folder, file: &mut File<'_>) -> Vec<notice::Content> {
    let Some(NoticesFile { notices }) = file.read_document(folder) else { return Vec::new() };
    let mut taken = Vec::new();
    let check = |entry: NoticeEntry| {
        let published_at = parse_time(file, &entry.published, "published");
        let readings = check_optional(file, entry.readings, "readings");
        if entry.id.value >= notice::FIRST_PERSONAL_ID {
            file.fault(&entry.id, "id", format!("is {} or more", notice::FIRST_PERSONAL_ID));
        }
        check_presence(file, &entry.audience, "course", entry.course.is_some());
        check_presence(file, &entry.audience, "school_year", entry.school_year.is_some());
        if let Some(course) = entry.course.as_ref().filter(|course| course.value < 1) {
            file.fault(course, "course", "is not positive");
        }
        let school_year =
            entry.school_year.map(|year| file.one_of(year, "school_year", &notice::SCHOOL_YEARS));
        notice::Content {
            id: file.id(&entry.id, &mut taken),
            category: file.one_of(entry.category, "category", &notice_category::CATEGORIES),
            audience: file.one_of(entry.audience, "audience", &notice::AUDIENCES),
            course_id: entry.course.map(|course| course.value),
            school_year,
            state: file.one_of(entry.state, "state", &notice::STATES),
            is_pinned: entry.pinned,
            title: check_line(file, entry.title, "title"),
            summary: check_line(file, entry.summary, "summary"),
            body: check_prose(file, entry.body, "body"),
            published_at,
            title_words: String::new(),
            words: String::new(),
        }
        .with_words(&readings)
    };
    notices.into_iter().map(check).collect()
}

fn parse_faqs(folder: &kit_content::Folder, file: &mut File<'_>) -> Vec<faq::Content> {
    let Some(FaqsFile { faqs }) = file.read_document(folder) else { return Vec::new() };
    let ids: Vec<i64> = faqs.iter().map(|entry| entry.id.value).collect();
    let mut taken = Vec::new();
    let check = |(entry, position): (FaqEntry, i32)| {
        for related in &entry.related {
            if !ids.contains(&related.value) || related.value == entry.id.value {
                file.fault(related, "related", format!("{} is not another question", related.value));
            }
        }
        let readings = check_optional(file, entry.readings, "readings");
        faq::Content {
            id: file.id(&entry.id, &mut taken),
            position,
            category: file.one_of(entry.category, "category", &faq::CATEGORIES),
            question: check_line(file, entry.question, "question"),
            answer: check_prose(file, entry.answer, "answer"),
            related: entry.related.into_iter().map(|related| related.value).collect(),
            title_words: String::new(),
            words: String::new(),
        }
        .with_words(&readings)
    };
    faqs.into_iter().zip(1..).map(check).collect()
}

fn parse_year(folder: &kit_content::Folder, file: &mut File<'_>) -> Option<success::Content> {
    let entry: YearFile = file.read_document(folder)?;
    let year = entry.year.value;
    if file.name != format!("success/{year}.yaml") || !YEARS.contains(&year) {
        file.fault(&entry.year, "year", format!("{year} is not the year in the file name, or not plausible"));
    }
    for figure in &entry.figures.value {
        if figure.value.count > figure.value.of || figure.value.of == 0 {
            file.fault(figure, "count", "is more than its total, or the total is 0");
        }
        check_words(file, figure, "figures", &[&figure.value.label, &figure.value.unit]);
    }
    for school in &entry.schools.value {
        check_words(file, school, "schools", &[&school.value.name, &school.value.kind]);
    }
    let mut taken = Vec::new();
    let voices = entry.voices.into_iter().map(|voice| check_voice(file, voice, year, &mut taken)).collect();
    Some(success::Content {
        year,
        as_of: parse_day(file, &entry.as_of, "as_of"),
        figures: file.some(entry.figures, "figures").into_iter().map(|figure| figure.value).collect(),
        schools: file.some(entry.schools, "schools").into_iter().map(|school| school.value).collect(),
        voices,
    })
}

fn check_voice(file: &mut File<'_>, voice: VoiceEntry, year: i32, taken: &mut Vec<i64>) -> VoiceContent {
    let id = file.id(&voice.id, taken);
    if id / VOICES != i64::from(year) {
        file.fault(&voice.id, "id", format!("{id} is not {year} followed by 00 to 99"));
    }
    let courses = file.some(voice.courses, "courses");
    for course in &courses {
        if course.value < 1 {
            file.fault(course, "courses", "is not positive");
        }
    }
    VoiceContent {
        id,
        name: check_line(file, voice.name, "name"),
        school: check_line(file, voice.school, "school"),
        school_year: check_line(file, voice.school_year, "school_year"),
        text: check_prose(file, voice.text, "text"),
        course_ids: courses.into_iter().map(|course| course.value).collect(),
        consent_until: parse_day(file, &voice.consent_until, "consent_until"),
    }
}

fn parse_exams(folder: &kit_content::Folder, file: &mut File<'_>) -> Vec<Exam> {
    let Some(ExamsFile { exams }) = file.read_document(folder) else { return Vec::new() };
    let mut taken = Vec::new();
    let check = |entry: ExamEntry| {
        let [apply_from, apply_until, exam_on, result_on] = [
            (&entry.apply_from, "apply_from"),
            (&entry.apply_until, "apply_until"),
            (&entry.exam_on, "exam_on"),
            (&entry.result_on, "result_on"),
        ]
        .map(|(value, field)| parse_day(file, value, field));
        if apply_until < apply_from {
            file.fault(&entry.apply_until, "apply_until", "is before apply_from");
        }
        if exam_on < apply_until {
            file.fault(&entry.exam_on, "exam_on", "is before apply_until");
        }
        if result_on < exam_on {
            file.fault(&entry.result_on, "result_on", "is before exam_on");
        }
        let subjects = file.some(entry.subjects, "subjects");
        Exam {
            id: file.id(&entry.id, &mut taken),
            prefecture: file.one_of(entry.prefecture, "prefecture", &entry_exam::REGIONS),
            kind: file.one_of(entry.kind, "kind", &entry_exam::KINDS),
            name: check_line(file, entry.name, "name"),
            apply_from,
            apply_until,
            exam_on,
            result_on,
            subjects: subjects.into_iter().map(|subject| check_line(file, subject, "subjects")).collect(),
            note: entry.note.map(|note| check_line(file, note, "note")).unwrap_or_default(),
        }
    };
    exams.into_iter().map(check).collect()
}

/// Checks that a notice has the field that its audience is named after, and no other.
fn check_presence(file: &mut File<'_>, audience: &Spanned<String>, field: &str, is_present: bool) {
    if (audience.value == field) != is_present {
        let fault = if is_present { "belongs to another audience" } else { "is missing for this audience" };
        file.fault(audience, field, fault);
    }
}

/// Checks a text of one line.
fn check_line(file: &mut File<'_>, value: Spanned<String>, field: &str) -> String {
    if value.value.trim_end().contains('\n') {
        file.fault(&value, field, "is more than one line");
    }
    file.text(value, field).trim_end().to_owned()
}

/// Checks a text with the markup of `prose`.
fn check_prose(file: &mut File<'_>, value: Spanned<String>, field: &str) -> String {
    // The content of a block starts in the line after its key.
    for (line, fault) in prose::find_faults(value.value.trim_end()) {
        file.faults.add(file.name, value.referenced.line() + line, field, fault);
    }
    file.text(value, field).trim_end().to_owned()
}

fn check_optional(file: &mut File<'_>, value: Option<Spanned<String>>, field: &str) -> String {
    value.map(|value| check_line(file, value, field)).unwrap_or_default()
}

fn check_words<T>(file: &mut File<'_>, at: &Spanned<T>, field: &str, words: &[&str]) {
    if words.iter().any(|word| word.trim().is_empty() || word.chars().any(char::is_control)) {
        file.fault(at, field, "has an empty word, or one with a control character");
    }
}

fn parse_time(file: &mut File<'_>, value: &Spanned<String>, field: &str) -> OffsetDateTime {
    date_time::parse_instant(&value.value).unwrap_or_else(|reason| {
        file.fault(value, field, reason);
        OffsetDateTime::UNIX_EPOCH
    })
}

fn parse_day(file: &mut File<'_>, value: &Spanned<String>, field: &str) -> Date {
    date_time::parse_date(&value.value).unwrap_or_else(|reason| {
        file.fault(value, field, reason);
        Date::MIN
    })
}
