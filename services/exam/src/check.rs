//! Free checks: questions that anyone can answer. They are graded at once and never stored.

use kit::error::FieldError;
use kit::page::Page;
use kit_content::question::AnswerValue as GradedValue;
use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

use crate::error::Error;
use crate::question::{AnswerInput, AnswerValue, Question};

/// Checks on a page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// A free check without its questions.
#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) id: i64,
    pub(crate) school_year: String,
    pub(crate) subject: String,
    pub(crate) title: String,
    /// Courses of lms that teach it.
    pub(crate) course_ids: Vec<i64>,
    pub(crate) question_count: i32,
}

/// An answer to a question of a check, graded.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) question: Question,
    /// `None` if the question was not answered.
    pub(crate) given: Option<AnswerValue>,
    pub(crate) is_right: bool,
}

/// Lists one page of the checks by school year and subject, and counts all of them.
pub(crate) async fn list_page(connection: &mut PgConnection, page: Page) -> sqlx::Result<(i64, Vec<Check>)> {
    let years = forms::SCHOOL_YEARS.map(str::to_owned);
    let rows = sqlx::query!(
        r#"
        SELECT id, school_year, subject, title, course_ids, question_count, count(*) OVER () AS "count!"
        FROM free_check
        ORDER BY array_position($1::text[], school_year), subject COLLATE "ja-x-icu", id
        LIMIT $2 OFFSET $3
        "#,
        &years[..],
        page.limit(),
        page.offset(),
    )
    .fetch_all(connection)
    .instrument(span("SELECT free_check"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let checks = rows.into_iter().map(|row| Check {
        id: row.id,
        school_year: row.school_year,
        subject: row.subject,
        title: row.title,
        course_ids: row.course_ids,
        question_count: row.question_count,
    });
    Ok((count, checks.collect()))
}

/// Finds a check.
pub(crate) async fn find(connection: &mut PgConnection, id: i64) -> sqlx::Result<Option<Check>> {
    sqlx::query_as!(
        Check,
        "SELECT id, school_year, subject, title, course_ids, question_count FROM free_check WHERE id = $1",
        id,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT free_check"))
    .await
}

/// Grades answers to `questions`, by question id. `None` is no answer. A question may be left out.
///
/// # Errors
///
/// [`Error::Field`] for an answer to another question, a second answer to a question, and an
/// invalid answer.
pub(crate) fn grade(
    questions: Vec<Question>,
    answers: Vec<(i64, Option<AnswerInput>)>,
) -> Result<Vec<Outcome>, Error> {
    let wrong = |code| Error::Field(FieldError::new("answers", code));
    let outcome = |question| Outcome { question, given: None, is_right: false };
    let mut outcomes: Vec<Outcome> = questions.into_iter().map(outcome).collect();
    let mut answered = Vec::new();
    for (id, answer) in answers {
        let outcome = outcomes.iter_mut().find(|outcome| outcome.question.id == id);
        let outcome = outcome.ok_or_else(|| wrong("UNKNOWN_CHOICE"))?;
        if answered.contains(&id) {
            return Err(wrong("INVALID_FORMAT"));
        }
        answered.push(id);
        if answer.is_some() {
            let content = &outcome.question.content;
            // A free check has no written question.
            let kind = content.kind.to_graded().ok_or_else(|| wrong("INVALID_FORMAT"))?;
            let answer = answer.and_then(AnswerInput::into_graded).ok_or_else(|| wrong("INVALID_FORMAT"))?;
            let given = GradedValue::parse(Some(answer), kind, content.choices.len()).map_err(wrong)?;
            outcome.is_right = content.key.admits(&given);
            outcome.given = Some(given.into());
        }
    }
    Ok(outcomes)
}
