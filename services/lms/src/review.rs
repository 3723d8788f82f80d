//! The review queue. A question that was answered wrong is due again at growing intervals, until it
//! is answered right after the last one. Intervals are in days, which begin at 04:00 in Tokyo.

use kit::page::Page;
use kit_content::question::AnswerValue;
use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::day;
use crate::error::Error;
use crate::question::Question;

/// Number of reviews on a page.
pub(crate) const PAGE_SIZE: u32 = 20;
/// The interval of each step. The first one follows a wrong answer.
const INTERVALS: [Duration; 4] =
    [Duration::days(1), Duration::days(3), Duration::days(7), Duration::days(14)];

/// Returns when a question is due after `done` intervals in a row, at the start of a day. `None`
/// after the last interval.
pub(crate) fn next_due_at(done: i32, now: OffsetDateTime) -> Option<OffsetDateTime> {
    let interval = usize::try_from(done).ok().and_then(|done| INTERVALS.get(done))?;
    Some(day::start_of_day(now) + *interval)
}

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

/// Lists one page of the learner's due reviews in courses with an active entitlement, the longest
/// due first. Empty beyond the last page.
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

/// Counts the learner's reviews that are due at `until`, in courses with an active entitlement. Reviews that are due only
/// after the course has ended are left out.
pub(crate) async fn count_due(
    connection: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
    until: OffsetDateTime,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"
        SELECT count(*) AS "count!"
        FROM review
        JOIN question ON question.id = review.question_id
        JOIN lesson ON lesson.id = question.lesson_id
        JOIN entitlement ON entitlement.learner_id = review.learner_id AND entitlement.course_id = lesson.course_id
        WHERE
            review.learner_id = $1
            AND review.due_at <= $3
            AND review.due_at < entitlement.active_until
            AND entitlement.active_until > $2
        "#,
        learner,
        now,
        until,
    )
    .fetch_one(connection)
    .instrument(span("SELECT review"))
    .await
}

/// Puts a question into the queue with the first interval.
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
        next_due_at(0, now),
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

/// Records an answer to a due question. Returns whether it is right.
///
/// A right answer starts the next interval, or removes the question from the queue after the last
/// one. A wrong answer starts the first interval. A repeated answer changes nothing. The caller
/// holds the learner's lock.
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
    let due_at = next_due_at(done, now);
    sqlx::query!(
        "
        UPDATE review
        SET step = $3, due_at = $4, given = $5, is_right = $6, answered_at = $7
        WHERE learner_id = $1 AND question_id = $2
        ",
        learner,
        question.id,
        due_at.map_or(done, |_| done + 1),
        due_at,
        Json(given) as Json<&AnswerValue>,
        is_right,
        now,
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

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::next_due_at;

    #[test]
    fn a_review_is_due_at_the_start_of_a_day_in_tokyo() {
        let evening = datetime!(2026-11-20 23:30 +9);
        let due = |done| next_due_at(done, evening);
        assert_eq!(due(0), Some(datetime!(2026-11-21 04:00 +9)));
        assert_eq!(due(1), Some(datetime!(2026-11-23 04:00 +9)));
        assert_eq!(due(2), Some(datetime!(2026-11-27 04:00 +9)));
        assert_eq!(due(3), Some(datetime!(2026-12-04 04:00 +9)));
        assert_eq!(due(4), None);
        assert_eq!(next_due_at(0, datetime!(2026-11-21 03:59 +9)), due(0), "the same day");
    }
}
