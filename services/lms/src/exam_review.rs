//! The review queue of mock exams. A missed question is due at the intervals of [`review`], until the learner solves it
//! after the last interval.
//!
//! exam stores the questions, keys and explanations. The learner compares an answer with the key
//! and tells whether it was solved.

use kit::page::Page;
use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::{learner, review};

/// Number of reviews on a page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// The questions of one exam that a learner missed.
pub(crate) struct MissedQuestions {
    pub(crate) learner: Uuid,
    pub(crate) exam: i64,
    pub(crate) questions: Vec<i64>,
    /// When the result became final.
    pub(crate) final_at: Option<OffsetDateTime>,
}

/// A question that is due.
pub(crate) struct DueExamReview {
    pub(crate) question_id: i64,
    pub(crate) exam_id: i64,
    pub(crate) step: i32,
    pub(crate) due_at: OffsetDateTime,
    /// The number of due reviews on all pages.
    pub(crate) count: i64,
}

/// Adds questions with the first interval to the queue. The interval begins at `from`. Questions in
/// the queue stay unchanged.
pub(crate) async fn schedule(
    connection: &mut PgConnection,
    missed: &MissedQuestions,
    from: OffsetDateTime,
) -> sqlx::Result<()> {
    learner::lock(connection, missed.learner).await?;
    if erased_account::contains(connection, missed.learner).await? {
        return Ok(());
    }
    sqlx::query!(
        "
        INSERT INTO exam_review (learner_id, question_id, exam_id, step, due_at)
        SELECT $1, question_id, $2, 1, $4 FROM unnest($3::bigint[]) AS missed (question_id)
        ON CONFLICT ON CONSTRAINT exam_review_pkey DO NOTHING
        ",
        missed.learner,
        missed.exam,
        &missed.questions,
        review::next_due_at(0, from),
    )
    .execute(connection)
    .instrument(span("INSERT exam_review"))
    .await?;
    Ok(())
}

/// Lists one page of the learner's due reviews, the longest due first. Empty beyond the last page.
pub(crate) async fn list_page(
    connection: &mut PgConnection,
    learner: Uuid,
    page: Page,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<DueExamReview>> {
    sqlx::query_as!(
        DueExamReview,
        r#"
        SELECT question_id, exam_id, step, due_at AS "due_at!", count(*) OVER () AS "count!"
        FROM exam_review
        WHERE learner_id = $1 AND due_at <= $2
        ORDER BY due_at, question_id
        LIMIT $3 OFFSET $4
        "#,
        learner,
        now,
        page.limit(),
        page.offset(),
    )
    .fetch_all(connection)
    .instrument(span("SELECT exam_review"))
    .await
}

/// Counts the learner's due reviews.
pub(crate) async fn count_due(
    connection: &mut PgConnection,
    learner: Uuid,
    until: OffsetDateTime,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM exam_review WHERE learner_id = $1 AND due_at <= $2"#,
        learner,
        until,
    )
    .fetch_one(connection)
    .instrument(span("SELECT exam_review"))
    .await
}

/// Records whether a due question was solved. Returns when it is due next. `None` once it is done.
///
/// A solved question starts the next interval, or leaves the queue after the last one. Otherwise it
/// starts the first interval. A repeated answer changes nothing. Fails with [`Error::NotDue`] for a
/// question that is not due.
pub(crate) async fn record(
    connection: &mut PgConnection,
    learner: Uuid,
    question: i64,
    is_solved: bool,
    now: OffsetDateTime,
) -> Result<Option<OffsetDateTime>, Error> {
    learner::lock(connection, learner).await?;
    let review = sqlx::query!(
        "SELECT step, due_at, is_solved FROM exam_review WHERE learner_id = $1 AND question_id = $2",
        learner,
        question,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT exam_review"))
    .await?
    .ok_or(Error::NotDue)?;
    if review.due_at.is_none_or(|due| due > now) {
        return if review.is_solved == Some(is_solved) { Ok(review.due_at) } else { Err(Error::NotDue) };
    }
    let done = if is_solved { review.step } else { 0 };
    let due_at = review::next_due_at(done, now);
    sqlx::query!(
        "UPDATE exam_review SET step = $3, due_at = $4, is_solved = $5 WHERE learner_id = $1 AND question_id = $2",
        learner,
        question,
        due_at.map_or(done, |_| done + 1),
        due_at,
        is_solved,
    )
    .execute(connection)
    .instrument(span("UPDATE exam_review"))
    .await?;
    Ok(due_at)
}

/// A review in a learner's export.
pub(crate) struct ExamReviewExport {
    pub(crate) exam_id: i64,
    pub(crate) question_id: i64,
    pub(crate) step: i32,
    pub(crate) due_at: Option<OffsetDateTime>,
}

/// Exports the learner's reviews, by due date.
pub(crate) async fn export(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<ExamReviewExport>> {
    sqlx::query_as!(
        ExamReviewExport,
        "
        SELECT exam_id, question_id, step, due_at FROM exam_review
        WHERE learner_id = $1
        ORDER BY due_at, question_id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT exam_review"))
    .await
}

/// Deletes the learner's reviews.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM exam_review WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE exam_review"))
        .await?;
    Ok(())
}
