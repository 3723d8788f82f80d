//! Questions that a learner answered wrong or left blank.
//!
//! When a result becomes final, its learners are queued. The marking job publishes the final result, so
//! that auth notifies them, and the questions that they missed, which lms adds to their review queue.

use std::collections::BTreeMap;

use kit::timestamp::to_timestamp;
use kit_db::outbox::Outbox;
use kit_db::span;
use proto::exam::{ExamQuestionsMissed, ExamResultFinal};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// A question that was not answered right.
#[derive(Clone, Debug)]
pub(crate) struct MissedQuestion {
    pub(crate) paper_id: i64,
    pub(crate) subject: String,
    pub(crate) number: i32,
    /// The points that the answer did not get.
    pub(crate) points: i32,
}

/// Lists the questions that a learner missed in the papers of an exam that they sat. Those that
/// most candidates got right come first.
pub(crate) async fn list(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
) -> sqlx::Result<Vec<MissedQuestion>> {
    sqlx::query_as!(
        MissedQuestion,
        r#"
        SELECT
            paper.id AS paper_id, subject, number,
            (content ->> 'points')::integer - coalesce(written_answer.points, 0) AS "points!"
        FROM mark
        JOIN paper ON paper.id = mark.paper_id
        JOIN question ON question.paper_id = paper.id
        JOIN question_statistics ON question_statistics.question_id = question.id
        LEFT JOIN written_answer
            ON written_answer.sitting_id = mark.sitting_id AND written_answer.question_id = question.id
        WHERE learner_id = $1 AND exam_id = $2 AND question.id <> ALL (right_question_ids)
        ORDER BY right_count DESC, position, number
        "#,
        learner,
        exam,
    )
    .fetch_all(connection)
    .instrument(span("SELECT question"))
    .await
}

/// Returns the first questions that together have at least `points`.
pub(crate) fn take_points(missed: &[MissedQuestion], points: i32) -> &[MissedQuestion] {
    let mut sum = 0;
    let enough = missed.iter().position(|question| {
        sum += question.points;
        sum >= points
    });
    enough.map_or(missed, |last| &missed[..=last])
}

/// Queues every learner with a mark in an exam.
pub(crate) async fn queue(connection: &mut PgConnection, exam: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO missed_queue (exam_id, learner_id)
        SELECT DISTINCT exam_id, learner_id FROM mark JOIN paper ON paper.id = paper_id WHERE exam_id = $1
        ",
        exam,
    )
    .execute(connection)
    .instrument(span("INSERT missed_queue"))
    .await?;
    Ok(())
}

/// Whether a learner is queued.
pub(crate) async fn has_queued(connection: &mut PgConnection) -> sqlx::Result<bool> {
    // No span, because it runs every second and usually finds nothing.
    sqlx::query_scalar!(r#"SELECT EXISTS (SELECT FROM missed_queue) AS "is_queued!""#)
        .fetch_one(connection)
        .await
}

/// Publishes the final results and the missed questions of at most `limit` queued learners. Returns the
/// number of learners. Skips those that another replica has locked.
pub(crate) async fn publish_queued(
    connection: &mut PgConnection,
    outbox: &Outbox,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<usize> {
    // No span, because it runs every second and usually finds nothing.
    let queued = sqlx::query!(
        "
        DELETE FROM missed_queue
        WHERE (exam_id, learner_id) IN (
            SELECT exam_id, learner_id FROM missed_queue
            ORDER BY exam_id, learner_id
            LIMIT $1
            FOR UPDATE SKIP LOCKED
        )
        RETURNING exam_id, learner_id
        ",
        limit,
    )
    .fetch_all(&mut *connection)
    .await?;
    if queued.is_empty() {
        return Ok(0);
    }
    let (exams, learners): (Vec<i64>, Vec<Uuid>) =
        queued.iter().map(|row| (row.exam_id, row.learner_id)).unzip();
    let rows = sqlx::query!(
        r#"
        SELECT paper.exam_id, mark.learner_id, question.id, computed_at AS "final_at!"
        FROM unnest($1::bigint[], $2::uuid[]) AS queued (exam_id, learner_id)
        JOIN exam_statistics ON exam_statistics.exam_id = queued.exam_id
        JOIN paper ON paper.exam_id = queued.exam_id
        JOIN mark ON mark.paper_id = paper.id AND mark.learner_id = queued.learner_id
        JOIN question ON question.paper_id = paper.id AND question.id <> ALL (right_question_ids)
        ORDER BY question.id
        "#,
        &exams,
        &learners,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT question"))
    .await?;
    let mut missed: BTreeMap<(i64, Uuid), ExamQuestionsMissed> = BTreeMap::new();
    for row in rows {
        let event = missed.entry((row.exam_id, row.learner_id)).or_insert_with(|| ExamQuestionsMissed {
            learner_id: row.learner_id.to_string(),
            exam_id: row.exam_id,
            question_ids: Vec::new(),
            final_at: Some(to_timestamp(row.final_at)),
        });
        event.question_ids.push(row.id);
    }
    for event in missed.values() {
        outbox.publish(connection, event, now).await?;
    }
    let names = list_names(connection, &exams).await?;
    for row in &queued {
        let event = ExamResultFinal {
            learner_id: row.learner_id.to_string(),
            exam_id: row.exam_id,
            exam_name: names.get(&row.exam_id).cloned().unwrap_or_default(),
        };
        outbox.publish(connection, &event, now).await?;
    }
    Ok(queued.len())
}

/// Lists the names of exams, by id.
async fn list_names(connection: &mut PgConnection, exams: &[i64]) -> sqlx::Result<BTreeMap<i64, String>> {
    let rows = sqlx::query!("SELECT id, name FROM exam WHERE id = ANY ($1)", exams)
        .fetch_all(connection)
        .instrument(span("SELECT exam"))
        .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.name)).collect())
}

/// Removes learners from the queue.
pub(crate) async fn unqueue(connection: &mut PgConnection, learners: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM missed_queue WHERE learner_id = ANY ($1)", learners)
        .execute(connection)
        .instrument(span("DELETE missed_queue"))
        .await?;
    Ok(())
}

/// Removes the learner from the queue.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM missed_queue WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE missed_queue"))
        .await?;
    Ok(())
}
