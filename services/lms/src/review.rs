//! The review queue. A question that was answered wrong comes back at growing intervals, until it is right after the
//! last.

use kit::page::Page;
use kit_content::question::AnswerValue;
use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::question::Question;

/// Reviews a page.
pub(crate) const PAGE_SIZE: u32 = 20;
/// The interval of each step. The first follows a wrong answer.
const INTERVALS: [Duration; 4] =
    [Duration::days(1), Duration::days(3), Duration::days(7), Duration::days(14)];

/// A question that is due.
pub(crate) struct DueReview {
    pub(crate) question_id: i64,
    pub(crate) prompt: String,
    pub(crate) lesson_id: i64,
    pub(crate) lesson_name: String,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    pub(crate) due_at: OffsetDateTime,
    pub(crate) step: i32,
    /// The number of due reviews on all pages.
    pub(crate) count: i64,
}

/// Lists one page of the learner's due reviews, the longest due first, of courses with an active entitlement. Empty
/// beyond the last page.
pub(crate) async fn list_page(
    connection: &mut PgConnection,
    learner: Uuid,
    page: Page,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<DueReview>> {
    sqlx::query_as!(
        DueReview,
        r#"
        SELECT
            question.id AS question_id,
            question.prompt,
            lesson.id AS lesson_id,
            lesson.name AS lesson_name,
            course.id AS course_id,
            course.name AS course_name,
            review.due_at AS "due_at!",
            review.step,
            count(*) OVER () AS "count!"
        FROM review
        JOIN question ON question.id = review.question_id
        JOIN lesson ON lesson.id = question.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE
            review.learner_id = $1
            AND review.due_at <= $2
            AND EXISTS (
                SELECT
                FROM entitlement
                WHERE
                    entitlement.learner_id = $1
                    AND entitlement.course_id = lesson.course_id
                    AND entitlement.active_until > $2
            )
        ORDER BY review.due_at, question.id
        LIMIT $3 OFFSET $4
        "#,
        learner,
        now,
        page.limit(),
        page.offset(),
    )
    .fetch_all(connection)
    .instrument(span("SELECT review"))
    .await
}

/// Counts the learner's due reviews of courses with an active entitlement.
pub(crate) async fn count_due(
    connection: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"
        SELECT count(*) AS "count!"
        FROM review
        JOIN question ON question.id = review.question_id
        JOIN lesson ON lesson.id = question.lesson_id
        JOIN entitlement ON entitlement.learner_id = review.learner_id AND entitlement.course_id = lesson.course_id
        WHERE review.learner_id = $1 AND review.due_at <= $2 AND entitlement.active_until > $2
        "#,
        learner,
        now,
    )
    .fetch_one(connection)
    .instrument(span("SELECT review"))
    .await
}

/// Puts a question at the first interval of the queue.
pub(crate) async fn schedule(
    connection: &mut PgConnection,
    learner: Uuid,
    question: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO review (learner_id, question_id, step, due_at)
        VALUES ($1, $2, 1, $3)
        ON CONFLICT (learner_id, question_id) DO UPDATE SET step = 1, due_at = excluded.due_at
        ",
        learner,
        question,
        now + INTERVALS[0],
    )
    .execute(connection)
    .instrument(span("INSERT review"))
    .await?;
    Ok(())
}

struct Review {
    step: i32,
    due_at: Option<OffsetDateTime>,
    given: Option<AnswerValue>,
    is_right: Option<bool>,
}

/// Records an answer to a question that is due. Returns whether it is right.
///
/// A right answer starts the next interval, or removes the question from the queue after the last. A wrong one starts
/// the first interval. The same answer again changes nothing. The caller holds the learner's lock.
pub(crate) async fn answer(
    connection: &mut PgConnection,
    learner: Uuid,
    question: &Question,
    given: &AnswerValue,
    now: OffsetDateTime,
) -> Result<bool, Error> {
    let review = find(connection, learner, question.id).await?.ok_or(Error::NotDue)?;
    if review.due_at.is_none_or(|due| due > now) {
        let again = review.given.is_some_and(|before| before.is_same(given));
        return review.is_right.filter(|_| again).ok_or(Error::NotDue);
    }
    let is_right = question.key.admits(given);
    let done = if is_right { review.step } else { 0 };
    let next = usize::try_from(done).ok().and_then(|done| INTERVALS.get(done));
    sqlx::query!(
        "
        UPDATE review
        SET step = $3, due_at = $4, given = $5, is_right = $6
        WHERE learner_id = $1 AND question_id = $2
        ",
        learner,
        question.id,
        next.map_or(done, |_| done + 1),
        next.map(|interval| now + *interval),
        Json(given) as Json<&AnswerValue>,
        is_right,
    )
    .execute(connection)
    .instrument(span("UPDATE review"))
    .await?;
    Ok(is_right)
}

async fn find(connection: &mut PgConnection, learner: Uuid, question: i64) -> sqlx::Result<Option<Review>> {
    let row = sqlx::query!(
        r#"
        SELECT step, due_at, given AS "given: Json<AnswerValue>", is_right
        FROM review
        WHERE learner_id = $1 AND question_id = $2
        "#,
        learner,
        question,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT review"))
    .await?;
    Ok(row.map(|row| Review {
        step: row.step,
        due_at: row.due_at,
        given: row.given.map(|given| given.0),
        is_right: row.is_right,
    }))
}

/// A review in a learner's export.
pub(crate) struct ReviewExport {
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) question: String,
    pub(crate) step: i32,
    pub(crate) due_at: Option<OffsetDateTime>,
}

/// Exports the learner's reviews, by due date.
pub(crate) async fn export(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<ReviewExport>> {
    sqlx::query_as!(
        ReviewExport,
        "
        SELECT
            course.name AS course,
            lesson.name AS lesson,
            question.prompt AS question,
            review.step,
            review.due_at
        FROM review
        JOIN question ON question.id = review.question_id
        JOIN lesson ON lesson.id = question.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE review.learner_id = $1
        ORDER BY review.due_at, question.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT review"))
    .await
}

/// Deletes the learner's reviews.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM review WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE review"))
        .await?;
    Ok(())
}
