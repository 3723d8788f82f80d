//! The content of the database before an import.

use std::collections::{BTreeMap, HashMap};

use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use tracing::Instrument as _;

use crate::import::checks::AuthoredCheck;
use crate::import::exams::{AuthoredPaper, ExamContent};
use crate::import::schools::{AuthoredDepartment, AuthoredSchool};
use crate::question::{Content, Question};

/// The content, by id.
pub(super) struct StoredContent {
    pub(super) exams: BTreeMap<i64, ExamContent>,
    pub(super) papers: BTreeMap<i64, StoredPaper>,
    pub(super) checks: BTreeMap<i64, AuthoredCheck>,
    pub(super) schools: BTreeMap<i64, AuthoredSchool>,
}

/// A paper with its questions.
pub(super) struct StoredPaper {
    pub(super) paper: AuthoredPaper,
    /// Whether a learner has started it.
    pub(super) is_frozen: bool,
}

/// Loads everything. A sitting that starts meanwhile waits for the import.
pub(super) async fn load(connection: &mut PgConnection) -> sqlx::Result<StoredContent> {
    let papers = sqlx::query!(
        r#"
        SELECT id, exam_id, position, subject, minutes, frozen_at IS NOT NULL AS "is_frozen!"
        FROM paper ORDER BY id FOR UPDATE
        "#
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT paper"))
    .await?;
    let mut questions = load_questions(connection).await?;
    let mut of =
        |paper: Option<i64>, check: Option<i64>| questions.remove(&(paper, check)).unwrap_or_default();
    let papers = papers.into_iter().map(|row| {
        let paper = AuthoredPaper {
            id: row.id,
            exam_id: row.exam_id,
            position: row.position,
            subject: row.subject,
            minutes: row.minutes,
            questions: of(Some(row.id), None),
        };
        (row.id, StoredPaper { paper, is_frozen: row.is_frozen })
    });
    let papers = papers.collect();
    let checks = sqlx::query!("SELECT id, school_year, subject, title, course_ids FROM free_check")
        .fetch_all(&mut *connection)
        .instrument(span("SELECT free_check"))
        .await?;
    let checks = checks.into_iter().map(|row| {
        let check = AuthoredCheck {
            id: row.id,
            school_year: row.school_year,
            subject: row.subject,
            title: row.title,
            course_ids: row.course_ids,
            questions: of(None, Some(row.id)),
        };
        (row.id, check)
    });
    let checks = checks.collect();
    let exams = sqlx::query_as!(
        ExamContent,
        "
        SELECT
            id, name, description, school_year, product_id, capacity,
            application_opens_at, application_closes_at, starts_at, ends_at, results_at
        FROM exam
        "
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT exam"))
    .await?;
    let exams = exams.into_iter().map(|exam| (exam.id, exam)).collect();
    Ok(StoredContent { exams, papers, checks, schools: load_schools(connection).await? })
}

/// Loads all questions, in order, by paper and check.
async fn load_questions(
    connection: &mut PgConnection,
) -> sqlx::Result<HashMap<(Option<i64>, Option<i64>), Vec<Question>>> {
    let rows = sqlx::query!(
        r#"SELECT id, paper_id, check_id, number, content AS "content: Json<Content>" FROM question ORDER BY number"#
    )
    .fetch_all(connection)
    .instrument(span("SELECT question"))
    .await?;
    let mut questions: HashMap<_, Vec<Question>> = HashMap::new();
    for row in rows {
        let question = Question { id: row.id, number: row.number, content: row.content.0 };
        questions.entry((row.paper_id, row.check_id)).or_default().push(question);
    }
    Ok(questions)
}

async fn load_schools(connection: &mut PgConnection) -> sqlx::Result<BTreeMap<i64, AuthoredSchool>> {
    let schools = sqlx::query!("SELECT id, name, kana, prefecture, counts_school_marks FROM school")
        .fetch_all(&mut *connection)
        .instrument(span("SELECT school"))
        .await?;
    let schools = schools.into_iter().map(|row| {
        let school = AuthoredSchool {
            id: row.id,
            name: row.name,
            kana: row.kana,
            prefecture: row.prefecture,
            counts_school_marks: row.counts_school_marks,
            departments: Vec::new(),
        };
        (row.id, school)
    });
    let mut schools: BTreeMap<i64, AuthoredSchool> = schools.collect();
    let departments = sqlx::query!(
        "SELECT id, school_id, name, border_tenths FROM department ORDER BY school_id, position"
    )
    .fetch_all(connection)
    .instrument(span("SELECT department"))
    .await?;
    for row in departments {
        if let Some(school) = schools.get_mut(&row.school_id) {
            let department =
                AuthoredDepartment { id: row.id, name: row.name, border_tenths: row.border_tenths };
            school.departments.push(department);
        }
    }
    Ok(schools)
}
