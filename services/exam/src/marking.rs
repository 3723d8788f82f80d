//! Marks: the points of sealed sittings.
//!
//! Sealing a sitting puts it on the marking queue. A mark is computed from the transcript, which
//! never changes, and from the keys of its paper, which are frozen since the first sitting.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use kit_db::span;
use serde::Serialize;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::question::{self, Question};
use crate::sitting::Transcript;
use crate::statistics;

/// A mark to store.
#[derive(Serialize)]
struct Mark {
    sitting_id: Uuid,
    learner_id: Uuid,
    paper_id: i64,
    points: i32,
    right_question_ids: Vec<i64>,
}

/// Whether a sitting is on the queue.
pub(crate) async fn has_queued(connection: &mut PgConnection) -> sqlx::Result<bool> {
    // No span, because it runs every second and usually finds nothing.
    sqlx::query_scalar!(r#"SELECT EXISTS (SELECT FROM marking_queue) AS "is_queued!""#)
        .fetch_one(connection)
        .await
}

/// Marks at most `limit` sittings of the queue. Returns their number. Skips those that another
/// replica is marking.
pub(crate) async fn mark_queued(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> Result<usize, Error> {
    let queued = sqlx::query!(
        r#"
        SELECT sitting_id, paper.id AS paper_id, paper.exam_id, learner_id, transcript AS "transcript!"
        FROM marking_queue
        JOIN sitting ON sitting.id = sitting_id
        JOIN paper ON paper.id = marking_queue.paper_id
        ORDER BY sitting_id
        LIMIT $1
        FOR UPDATE OF marking_queue SKIP LOCKED
        "#,
        limit,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT marking_queue"))
    .await?;
    if queued.is_empty() {
        return Ok(0);
    }
    let mut papers: HashMap<i64, Vec<Question>> = HashMap::new();
    for row in &queued {
        if let Entry::Vacant(paper) = papers.entry(row.paper_id) {
            paper.insert(question::list_by_paper(connection, row.paper_id).await?);
        }
    }
    let marks = queued.iter().map(|row| {
        let questions = papers.get(&row.paper_id).map_or(&[][..], Vec::as_slice);
        let transcript = Transcript::from_document(&row.transcript)?;
        let right = questions.iter().filter(|question| is_right(question, &transcript));
        let (ids, points): (Vec<_>, Vec<_>) =
            right.map(|question| (question.id, question.content.points)).unzip();
        Ok(Mark {
            sitting_id: row.sitting_id,
            learner_id: row.learner_id,
            paper_id: row.paper_id,
            points: points.into_iter().sum(),
            right_question_ids: ids,
        })
    });
    let marks = marks.collect::<Result<Vec<_>, Error>>()?;
    store(connection, &marks, now).await?;
    let exams: Vec<i64> = queued.iter().map(|row| row.exam_id).collect();
    statistics::note_new_marks(connection, &exams).await?;
    Ok(marks.len())
}

fn is_right(question: &Question, transcript: &Transcript) -> bool {
    let given = transcript.answers.iter().find(|answer| answer.question_id == question.id);
    given.and_then(|given| given.answer.as_ref()).is_some_and(|answer| question.content.key.admits(answer))
}

/// Stores marks and removes their sittings from the queue.
async fn store(connection: &mut PgConnection, marks: &[Mark], now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO mark (sitting_id, learner_id, paper_id, points, right_question_ids, marked_at)
        SELECT sitting_id, learner_id, paper_id, points, right_question_ids, $2
        FROM jsonb_to_recordset($1) AS given
            (sitting_id uuid, learner_id uuid, paper_id bigint, points integer, right_question_ids bigint[])
        ",
        Json(marks) as _,
        now,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT mark"))
    .await?;
    let sittings: Vec<Uuid> = marks.iter().map(|mark| mark.sitting_id).collect();
    sqlx::query!("DELETE FROM marking_queue WHERE sitting_id = ANY ($1)", &sittings)
        .execute(connection)
        .instrument(span("DELETE marking_queue"))
        .await?;
    Ok(())
}

/// Deletes the learner's marks. The statistics keep their points anonymously.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM mark WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE mark"))
        .await?;
    Ok(())
}
