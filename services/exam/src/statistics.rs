//! Statistics of exams: the number of candidates by points.
//!
//! Only integers are stored, so the same marks give the same statistics in any order. A job renews
//! them while an exam runs, and finalizes them after it. Results use these. `statistics_version`
//! keeps them with the item analysis.

mod distribution;
mod point_counts;
mod standing;
mod tenths;

pub(crate) use distribution::{Bucket, Distribution};
pub(crate) use point_counts::{PaperCounts, PointCounts};
pub(crate) use standing::Standing;
pub(crate) use tenths::Tenths;

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;

use crate::missed_question;

/// The minimum time between two renewals of an exam's statistics.
const RENEWAL_PAUSE: Duration = Duration::seconds(10);

/// The statistics of an exam's totals.
#[derive(Clone, Debug)]
pub(crate) struct ExamStatistics {
    /// `None` before the first time.
    pub(crate) computed_at: Option<OffsetDateTime>,
    pub(crate) is_final: bool,
    /// Candidates who sat every paper.
    pub(crate) totals: Distribution,
}

/// Finds the statistics of an exam. `None` before its first mark.
pub(crate) async fn find(connection: &mut PgConnection, exam: i64) -> sqlx::Result<Option<ExamStatistics>> {
    let row =
        sqlx::query!("SELECT computed_at, is_final, counts FROM exam_statistics WHERE exam_id = $1", exam,)
            .fetch_optional(connection)
            .instrument(span("SELECT exam_statistics"))
            .await?;
    Ok(row.map(|row| ExamStatistics {
        computed_at: row.computed_at,
        is_final: row.is_final,
        totals: Distribution::from_counts(row.counts),
    }))
}

/// Records that exams have new marks. It locks their rows, so another renewal follows one that does
/// not see the marks yet.
pub(crate) async fn note_new_marks(connection: &mut PgConnection, exams: &[i64]) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO exam_statistics (exam_id, is_stale, is_final, counts)
        SELECT DISTINCT exam_id, true, false, '{}'::bigint[] FROM unnest($1::bigint[]) AS marked (exam_id)
        ORDER BY exam_id
        ON CONFLICT ON CONSTRAINT exam_statistics_pkey DO UPDATE SET is_stale = true
        ",
        exams,
    )
    .execute(connection)
    .instrument(span("INSERT exam_statistics"))
    .await?;
    Ok(())
}

/// Whether the statistics of an exam have to be renewed or finalized, now or soon. `ended_before`
/// is now minus the grace. An exam whose written answers are being marked is not due.
pub(crate) async fn has_due(
    connection: &mut PgConnection,
    ended_before: OffsetDateTime,
) -> sqlx::Result<bool> {
    // No span, because it runs every second and usually finds nothing.
    sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM exam_statistics JOIN exam ON exam.id = exam_id
            WHERE NOT is_final AND (
                is_stale
                OR ends_at <= $1 AND NOT EXISTS (
                    SELECT FROM partial_mark JOIN paper ON paper.id = paper_id WHERE paper.exam_id = exam.id
                )
            )
        ) AS "is_due!"
        "#,
        ended_before,
    )
    .fetch_one(connection)
    .await
}

/// Renews the statistics of one exam with new marks. Returns whether there was one. Skips exams
/// that another replica renews.
pub(crate) async fn renew_stale(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<bool> {
    let stale = sqlx::query_scalar!(
        "
        SELECT exam_id FROM exam_statistics
        WHERE is_stale AND NOT is_final AND coalesce(computed_at <= $1, true)
        ORDER BY computed_at NULLS FIRST
        LIMIT 1
        FOR UPDATE SKIP LOCKED
        ",
        now - RENEWAL_PAUSE,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT exam_statistics"))
    .await?;
    let Some(exam) = stale else { return Ok(false) };
    compute(connection, exam, now).await?;
    Ok(true)
}

/// Finalizes the statistics of one exam and queues its learners for the publication of missed
/// questions. Returns whether there was one. An exam is due once its last sitting is sealed and
/// marked, with its written answers. `ended_before` is now minus the grace.
pub(crate) async fn finalize_due(
    connection: &mut PgConnection,
    ended_before: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let due = sqlx::query_scalar!(
        "
        SELECT exam_id FROM exam_statistics
        JOIN exam ON exam.id = exam_id
        WHERE NOT is_final AND ends_at <= $1
            AND NOT EXISTS (
                SELECT FROM sitting JOIN paper ON paper.id = paper_id
                WHERE paper.exam_id = exam.id AND transcript IS NULL
            )
            AND NOT EXISTS (
                SELECT FROM marking_queue JOIN paper ON paper.id = paper_id WHERE paper.exam_id = exam.id
            )
            AND NOT EXISTS (
                SELECT FROM partial_mark JOIN paper ON paper.id = paper_id WHERE paper.exam_id = exam.id
            )
        LIMIT 1
        FOR UPDATE OF exam_statistics SKIP LOCKED
        ",
        ended_before,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT exam_statistics"))
    .await?;
    let Some(exam) = due else { return Ok(false) };
    compute(connection, exam, now).await?;
    count_right_answers(connection, exam).await?;
    sqlx::query!("UPDATE exam_statistics SET is_final = true WHERE exam_id = $1", exam)
        .execute(&mut *connection)
        .instrument(span("UPDATE exam_statistics"))
        .await?;
    missed_question::queue(connection, exam).await?;
    Ok(true)
}

/// Counts the candidates of an exam by points: for each paper, and for the total of those who sat
/// every paper.
async fn compute(connection: &mut PgConnection, exam: i64, now: OffsetDateTime) -> sqlx::Result<()> {
    let counts = PointCounts::count(connection, exam).await?;
    for PaperCounts { paper_id, counts } in &counts.papers {
        sqlx::query!(
            "
            INSERT INTO paper_statistics (paper_id, counts) VALUES ($1, $2)
            ON CONFLICT ON CONSTRAINT paper_statistics_pkey DO UPDATE SET counts = excluded.counts
            ",
            paper_id,
            counts,
        )
        .execute(&mut *connection)
        .instrument(span("INSERT paper_statistics"))
        .await?;
    }
    sqlx::query!(
        "UPDATE exam_statistics SET computed_at = $2, is_stale = false, counts = $3 WHERE exam_id = $1",
        exam,
        now,
        &counts.total,
    )
    .execute(connection)
    .instrument(span("UPDATE exam_statistics"))
    .await?;
    Ok(())
}

/// Counts the candidates who answered each question of an exam right.
async fn count_right_answers(connection: &mut PgConnection, exam: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "
        WITH right_answer AS (
            SELECT unnest(right_question_ids) AS question_id
            FROM mark JOIN paper ON paper.id = paper_id
            WHERE exam_id = $1
        )
        INSERT INTO question_statistics (question_id, right_count)
        SELECT question.id, count(right_answer.question_id)
        FROM question
        JOIN paper ON paper.id = question.paper_id
        LEFT JOIN right_answer ON right_answer.question_id = question.id
        WHERE exam_id = $1
        GROUP BY question.id
        ON CONFLICT ON CONSTRAINT question_statistics_pkey DO UPDATE SET right_count = excluded.right_count
        ",
        exam,
    )
    .execute(connection)
    .instrument(span("INSERT question_statistics"))
    .await?;
    Ok(())
}
