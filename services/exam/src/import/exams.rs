//! `exams/<id>.yaml`, and the files of their papers.

use kit_content::{Faults, File, date_time};
use serde::{Deserialize, Serialize};
use serde_saphyr::Spanned;
use time::{Duration, OffsetDateTime};

use super::figures::Figures;
use super::questions::{Owner, QuestionEntry, check_questions};
use super::taken::TakenIds;
use crate::question::Question;

/// The maximum length of a paper, in minutes.
const MOST_MINUTES: i32 = 300;
/// The maximum number of papers of an exam.
const MOST_PAPERS: usize = 10;

/// An exam without its papers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct ExamContent {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) school_year: String,
    pub(super) product_id: Option<i64>,
    pub(super) capacity: Option<i32>,
    pub(super) application_opens_at: OffsetDateTime,
    pub(super) application_closes_at: OffsetDateTime,
    pub(super) starts_at: OffsetDateTime,
    pub(super) ends_at: OffsetDateTime,
    pub(super) results_at: OffsetDateTime,
}

/// An exam with its papers.
pub(super) struct AuthoredExam {
    pub(super) content: ExamContent,
    pub(super) papers: Vec<AuthoredPaper>,
}

/// A paper with its questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AuthoredPaper {
    pub(super) id: i64,
    pub(super) exam_id: i64,
    /// From 1.
    pub(super) position: i32,
    pub(super) subject: String,
    pub(super) minutes: i32,
    pub(super) questions: Vec<Question>,
}

impl AuthoredPaper {
    /// Returns the sum of the points of its questions.
    pub(super) fn points(&self) -> i32 {
        self.questions.iter().map(|question| question.content.points).sum()
    }

    /// Whether the paper is the same for candidates. Only the lessons of its questions may differ.
    pub(super) fn is_same_to_candidates(&self, other: &Self) -> bool {
        let without_lessons = |paper: &Self| {
            let mut paper = paper.clone();
            for Question { content, .. } in &mut paper.questions {
                (content.lesson_id, content.watch_again_at) = (None, None);
            }
            paper
        };
        without_lessons(self) == without_lessons(other)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExamFile {
    id: Spanned<i64>,
    name: Spanned<String>,
    description: Spanned<String>,
    school_year: Spanned<String>,
    product_id: Option<Spanned<i64>>,
    capacity: Option<Spanned<i32>>,
    application_opens_at: Spanned<String>,
    application_closes_at: Spanned<String>,
    starts_at: Spanned<String>,
    ends_at: Spanned<String>,
    results_at: Spanned<String>,
    papers: Spanned<Vec<PaperEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PaperEntry {
    id: Spanned<i64>,
    subject: Spanned<String>,
    minutes: Spanned<i32>,
    file: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PaperFile {
    questions: Spanned<Vec<QuestionEntry>>,
}

/// Parses an exam and its papers. `None` if the file cannot be parsed; the fault is noted.
pub(super) fn read_exam(
    folder: &kit_content::Folder,
    name: &str,
    taken: &mut TakenIds,
    figures: &mut Figures,
    faults: &mut Faults,
) -> Option<AuthoredExam> {
    let mut file = File { name, faults };
    let exam: ExamFile = file.read_document(folder)?;
    let id = file.id(&exam.id, &mut taken.exams);
    if name != format!("exams/{id}.yaml") {
        file.fault(&exam.id, "id", format!("{id} is not the name of the file"));
    }
    if let Some(product) = &exam.product_id {
        if product.value < 1 || taken.products.contains(&product.value) {
            file.fault(product, "product_id", "is not positive, or of another exam too");
        }
        taken.products.push(product.value);
        if let Some(capacity) = &exam.capacity {
            file.fault(capacity, "capacity", "is the product's for an exam that is sold");
        }
    }
    if let Some(capacity) = exam.capacity.as_ref().filter(|capacity| capacity.value < 1) {
        file.fault(capacity, "capacity", "is not positive");
    }
    let application_opens_at = parse_instant(&mut file, &exam.application_opens_at, "application_opens_at");
    let application_closes_at =
        parse_instant(&mut file, &exam.application_closes_at, "application_closes_at");
    let starts_at = parse_instant(&mut file, &exam.starts_at, "starts_at");
    let ends_at = parse_instant(&mut file, &exam.ends_at, "ends_at");
    let results_at = parse_instant(&mut file, &exam.results_at, "results_at");
    for (before, after, place, field, what) in [
        (
            application_opens_at,
            application_closes_at,
            &exam.application_closes_at,
            "application_closes_at",
            "opening",
        ),
        (application_closes_at, ends_at, &exam.ends_at, "ends_at", "close of applications"),
        (starts_at, ends_at, &exam.ends_at, "ends_at", "start"),
        (ends_at, results_at, &exam.results_at, "results_at", "end"),
    ] {
        if before >= after {
            file.fault(place, field, format!("is not after the {what}"));
        }
    }
    // A seat can be returned until applications close. A paper must not be sat before.
    if exam.product_id.is_some() && application_closes_at > starts_at {
        let reason = "is after the start of an exam that is sold, so a seat could be refunded after the exam";
        file.fault(&exam.application_closes_at, "application_closes_at", reason);
    }
    let content = ExamContent {
        id,
        name: file.text(exam.name, "name"),
        description: file.text(exam.description, "description"),
        school_year: file.one_of(exam.school_year, "school_year", &forms::SCHOOL_YEARS),
        product_id: exam.product_id.map(|product| product.value),
        capacity: exam.capacity.map(|capacity| capacity.value),
        application_opens_at,
        application_closes_at,
        starts_at,
        ends_at,
        results_at,
    };
    if exam.papers.value.len() > MOST_PAPERS {
        file.fault(&exam.papers, "papers", format!("has more than {MOST_PAPERS}"));
    }
    let entries = file.some(exam.papers, "papers").into_iter().zip(1..);
    let mut papers: Vec<AuthoredPaper> = Vec::new();
    for (entry, position) in entries {
        let paper_id = file.id(&entry.id, &mut taken.papers);
        if papers.iter().any(|paper| paper.subject == entry.subject.value) {
            file.fault(&entry.subject, "subject", format!("'{}' is there twice", entry.subject.value));
        }
        let window = (ends_at - starts_at).whole_minutes();
        if !(1..=MOST_MINUTES).contains(&entry.minutes.value) {
            file.fault(&entry.minutes, "minutes", format!("are not 1 to {MOST_MINUTES}"));
        } else if i64::from(entry.minutes.value) > window {
            file.fault(&entry.minutes, "minutes", "are more than the exam lasts");
        }
        let path = format!("exams/{}", entry.file.value);
        if entry.file.value.contains("..") || !folder.has(&path) {
            file.fault(&entry.file, "file", format!("there is no {path}"));
            continue;
        }
        let mut paper_file = File { name: &path, faults: &mut *file.faults };
        let Some(PaperFile { questions }) = paper_file.read_document(folder) else { continue };
        let owner = Owner::Paper(paper_id);
        let questions =
            check_questions(&mut paper_file, folder, questions, owner, &mut taken.questions, figures);
        let subject = file.text(entry.subject, "subject");
        papers.push(AuthoredPaper {
            id: paper_id,
            exam_id: id,
            position,
            subject,
            minutes: entry.minutes.value,
            questions,
        });
    }
    Some(AuthoredExam { content, papers })
}

/// Parses a time, to the second.
fn parse_instant(file: &mut File<'_>, text: &Spanned<String>, field: &str) -> OffsetDateTime {
    let instant = date_time::parse_instant(&text.value).unwrap_or_else(|reason| {
        file.fault(text, field, reason);
        OffsetDateTime::UNIX_EPOCH
    });
    instant - Duration::nanoseconds(instant.nanosecond().into())
}
