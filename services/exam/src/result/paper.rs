//! The result of one paper, question by question. It contains the keys, so it exists only once the
//! result is final.

use std::collections::HashMap;

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::question::{self, AnswerValue, Question};
use crate::seat;
use crate::sitting::Transcript;
use crate::statistics::{Distribution, Standing, Tenths};
use crate::written_answer::{self, WrittenMark};

/// The final result of a paper.
#[derive(Debug)]
pub(crate) struct FinalPaperResult {
    pub(crate) exam_id: i64,
    pub(crate) subject: String,
    pub(crate) standing: Standing,
    /// In order.
    pub(crate) questions: Vec<QuestionResult>,
}

/// The result of one question.
#[derive(Debug)]
pub(crate) struct QuestionResult {
    pub(crate) question: Question,
    /// `None` for a blank answer.
    pub(crate) given: Option<AnswerValue>,
    pub(crate) is_right: bool,
    /// Percentage of candidates with the right answer.
    pub(crate) right_rate: Tenths,
    /// `None` for a question with a key.
    pub(crate) written_mark: Option<WrittenMark>,
}

/// Finds the final result of a paper. Fails with [`Error::NotFinal`] before it is final, with
/// [`Error::NothingHandedIn`] if the learner has a seat and did not sit the paper, and with
/// [`Error::NotFound`] without a seat.
pub(crate) async fn find(
    connection: &mut PgConnection,
    learner: Uuid,
    paper: i64,
) -> Result<FinalPaperResult, Error> {
    let row = sqlx::query!(
        r#"
        SELECT
            exam_id, subject, paper.points AS full_points, sitting.id AS "sitting_id?", mark.points AS "points?",
            right_question_ids AS "right_question_ids?", transcript AS "transcript?",
            paper_statistics.counts AS "counts?", coalesce(is_final, false) AS "is_final!"
        FROM paper
        LEFT JOIN exam_statistics USING (exam_id)
        LEFT JOIN paper_statistics ON paper_statistics.paper_id = paper.id
        LEFT JOIN sitting ON sitting.paper_id = paper.id AND sitting.learner_id = $1
        LEFT JOIN mark ON mark.sitting_id = sitting.id
        WHERE paper.id = $2
        "#,
        learner,
        paper,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT paper"))
    .await?
    .ok_or(Error::NotFound)?;
    let (Some(sitting), Some(transcript)) = (row.sitting_id, row.transcript) else {
        let has_seat = seat::has_seat(connection, learner, row.exam_id).await?;
        return Err(if has_seat { Error::NothingHandedIn } else { Error::NotFound });
    };
    if !row.is_final {
        return Err(Error::NotFinal);
    }
    let distribution = Distribution::from_counts(row.counts.unwrap_or_default());
    let candidates = distribution.candidates();
    let standing = row.points.and_then(|points| Standing::new(points, row.full_points, distribution));
    let standing = standing.ok_or(Error::NotFinal)?;
    let transcript = Transcript::from_document(&transcript)?;
    let mut answers: HashMap<_, _> =
        transcript.answers.into_iter().map(|answer| (answer.question_id, answer.answer)).collect();
    let right = row.right_question_ids.unwrap_or_default();
    let right_counts = list_right_counts(connection, paper).await?;
    let mut written = written_answer::list_marks(connection, sitting).await?;
    let questions = question::list_by_paper(connection, paper).await?.into_iter().map(|question| {
        let right_count = right_counts.get(&question.id).copied().unwrap_or(0);
        QuestionResult {
            given: answers.remove(&question.id).flatten(),
            is_right: right.contains(&question.id),
            right_rate: Tenths::from_ratio(100 * right_count, candidates),
            written_mark: written.remove(&question.id),
            question,
        }
    });
    Ok(FinalPaperResult {
        exam_id: row.exam_id,
        subject: row.subject,
        standing,
        questions: questions.collect(),
    })
}

/// Counts the candidates who answered each question of a paper right, by question.
async fn list_right_counts(connection: &mut PgConnection, paper: i64) -> sqlx::Result<HashMap<i64, i64>> {
    let rows = sqlx::query!(
        "
        SELECT question_id, right_count FROM question_statistics
        JOIN question ON question.id = question_id
        WHERE paper_id = $1
        ",
        paper,
    )
    .fetch_all(connection)
    .instrument(span("SELECT question_statistics"))
    .await?;
    Ok(rows.into_iter().map(|row| (row.question_id, row.right_count)).collect())
}
