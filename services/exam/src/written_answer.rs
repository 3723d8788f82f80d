//! Answers to written questions: what people have to mark, and what they decided.

use std::collections::HashMap;

use kit_db::span;
use serde::Serialize;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// Markers of an answer, before there is a difference.
const MARKERS: i32 = 2;

/// A written answer of a sealed sitting.
#[derive(Serialize)]
pub(crate) struct WrittenAnswer {
    pub(crate) sitting_id: Uuid,
    pub(crate) question_id: i64,
    pub(crate) full_points: i32,
    /// JSON. `None` for a blank answer, which gets no points and no marker.
    pub(crate) answer: Option<String>,
}

/// The decided mark of a written answer.
#[derive(Debug)]
pub(crate) struct WrittenMark {
    pub(crate) points: i32,
    /// Remarks of those who decided the points. None is empty.
    pub(crate) comments: Vec<String>,
}

/// The decided mark of a written answer with all that led to it.
pub(crate) struct MarkHistory {
    pub(crate) points: i32,
    /// The third marker comes last.
    pub(crate) given: Vec<GivenMark>,
}

/// What a marker gave. It does not name the marker.
pub(crate) struct GivenMark {
    pub(crate) points: i32,
    /// May be empty.
    pub(crate) comment: String,
}

/// Adds the written answers of sittings. Blank ones are decided at once.
pub(crate) async fn add(
    connection: &mut PgConnection,
    answers: &[WrittenAnswer],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    if answers.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "
        INSERT INTO written_answer (
            sitting_id, question_id, full_points, answer, markers_wanted, markers_taken, points, decided_at
        )
        SELECT
            sitting_id, question_id, full_points, answer, CASE WHEN answer IS NULL THEN 0 ELSE $3::integer END, 0,
            CASE WHEN answer IS NULL THEN 0 END, CASE WHEN answer IS NULL THEN $2::timestamptz END
        FROM jsonb_to_recordset($1) AS given (sitting_id uuid, question_id bigint, full_points integer, answer text)
        ",
        Json(answers) as _,
        now,
        MARKERS,
    )
    .execute(connection)
    .instrument(span("INSERT written_answer"))
    .await?;
    Ok(())
}

/// Lists the decided marks of a sitting, by question.
pub(crate) async fn list_marks(
    connection: &mut PgConnection,
    sitting: Uuid,
) -> sqlx::Result<HashMap<i64, WrittenMark>> {
    let rows = sqlx::query!(
        r#"
        SELECT question_id, points AS "points!", ARRAY (
            SELECT DISTINCT ON (comment) comment FROM marking_task
            WHERE marking_task.sitting_id = written_answer.sitting_id
                AND marking_task.question_id = written_answer.question_id
                AND marking_task.points = written_answer.points AND comment <> ''
                AND is_third = (markers_wanted = 3)
            ORDER BY comment
        ) AS "comments!"
        FROM written_answer
        WHERE sitting_id = $1 AND decided_at IS NOT NULL
        "#,
        sitting,
    )
    .fetch_all(connection)
    .instrument(span("SELECT written_answer"))
    .await?;
    let marks = rows
        .into_iter()
        .map(|row| (row.question_id, WrittenMark { points: row.points, comments: row.comments }));
    Ok(marks.collect())
}

/// Lists the marks of sittings whose result is final, by sitting and question.
pub(crate) async fn list_histories(
    connection: &mut PgConnection,
    sittings: &[Uuid],
) -> sqlx::Result<HashMap<(Uuid, i64), MarkHistory>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            written_answer.sitting_id, written_answer.question_id, written_answer.points AS "points!",
            marking_task.points AS "given_points?", comment AS "comment?"
        FROM written_answer
        JOIN question ON question.id = question_id
        JOIN paper ON paper.id = paper_id
        JOIN exam_statistics ON exam_statistics.exam_id = paper.exam_id
        LEFT JOIN marking_task
            ON marking_task.sitting_id = written_answer.sitting_id
            AND marking_task.question_id = written_answer.question_id AND given_at IS NOT NULL
        WHERE written_answer.sitting_id = ANY ($1) AND is_final AND decided_at IS NOT NULL
        ORDER BY is_third, marking_task.id
        "#,
        sittings,
    )
    .fetch_all(connection)
    .instrument(span("SELECT written_answer"))
    .await?;
    let mut histories: HashMap<_, MarkHistory> = HashMap::new();
    for row in rows {
        let history = histories
            .entry((row.sitting_id, row.question_id))
            .or_insert_with(|| MarkHistory { points: row.points, given: Vec::new() });
        let given = row.given_points.zip(row.comment);
        history.given.extend(given.map(|(points, comment)| GivenMark { points, comment }));
    }
    Ok(histories)
}
