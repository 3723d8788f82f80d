//! Marks: the points of sealed sittings.
//!
//! Sealing a sitting puts it on the marking queue. A mark is computed from the transcript, which
//! never changes, and from the keys of its paper, which are frozen since the first sitting. Written
//! answers have no key. A sitting with such an answer gets a partial mark, and its mark once people
//! have decided the answer (`written_marking`).

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
use crate::question::{self, AnswerValue, Question, QuestionKind};
use crate::sitting::Transcript;
use crate::statistics;
use crate::written_answer::{self, WrittenAnswer};

/// A mark to store.
#[derive(Serialize)]
struct Mark {
    sitting_id: Uuid,
    learner_id: Uuid,
    paper_id: i64,
    points: i32,
    /// The most points of the questions with a key.
    full_points: i32,
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
    let (mut marks, mut partial, mut written, mut exams) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for row in &queued {
        let questions = papers.get(&row.paper_id).map_or(&[][..], Vec::as_slice);
        let transcript = Transcript::from_document(&row.transcript)?;
        let (with_key, without_key): (Vec<_>, Vec<_>) =
            questions.iter().partition(|question| question.content.kind != QuestionKind::Written);
        let right = with_key.iter().filter(|question| is_right(question, &transcript));
        let (ids, points): (Vec<_>, Vec<_>) =
            right.map(|question| (question.id, question.content.points)).unzip();
        let mark = Mark {
            sitting_id: row.sitting_id,
            learner_id: row.learner_id,
            paper_id: row.paper_id,
            points: points.into_iter().sum(),
            full_points: with_key.iter().map(|question| question.content.points).sum(),
            right_question_ids: ids,
        };
        let answers =
            without_key.into_iter().map(|question| to_written(row.sitting_id, question, &transcript));
        let answers = answers.collect::<Result<Vec<_>, Error>>()?;
        if answers.iter().any(|answer| answer.answer.is_some()) {
            partial.push(mark);
        } else {
            marks.push(mark);
            exams.push(row.exam_id);
        }
        written.extend(answers);
    }
    written_answer::add(connection, &written, now).await?;
    store_partial(connection, &partial).await?;
    store(connection, &marks, now).await?;
    unqueue(connection, &queued.iter().map(|row| row.sitting_id).collect::<Vec<_>>()).await?;
    statistics::note_new_marks(connection, &exams).await?;
    Ok(queued.len())
}

fn is_right(question: &Question, transcript: &Transcript) -> bool {
    find_answer(question, transcript).is_some_and(|answer| answer.is_admitted_by(&question.content.key))
}

fn to_written(sitting: Uuid, question: &Question, transcript: &Transcript) -> Result<WrittenAnswer, Error> {
    Ok(WrittenAnswer {
        sitting_id: sitting,
        question_id: question.id,
        full_points: question.content.points,
        answer: find_answer(question, transcript).map(serde_json::to_string).transpose()?,
    })
}

fn find_answer<'a>(question: &Question, transcript: &'a Transcript) -> Option<&'a AnswerValue> {
    let given = transcript.answers.iter().find(|answer| answer.question_id == question.id);
    given.and_then(|given| given.answer.as_ref())
}

/// Stores the marks of sittings with open written answers.
async fn store_partial(connection: &mut PgConnection, marks: &[Mark]) -> sqlx::Result<()> {
    if marks.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "
        INSERT INTO partial_mark (sitting_id, paper_id, points, full_points, right_question_ids)
        SELECT sitting_id, paper_id, points, full_points, right_question_ids
        FROM jsonb_to_recordset($1) AS given
            (sitting_id uuid, paper_id bigint, points integer, full_points integer, right_question_ids bigint[])
        ",
        Json(marks) as _,
    )
    .execute(connection)
    .instrument(span("INSERT partial_mark"))
    .await?;
    Ok(())
}

/// Turns the partial mark of a sitting into its mark, once all its written answers are decided. Returns whether they are.
/// The caller has locked the partial mark. A written answer is right with full points.
pub(crate) async fn complete(
    connection: &mut PgConnection,
    sitting: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let exam = sqlx::query_scalar!(
        r#"
        WITH completed AS (
            DELETE FROM partial_mark
            WHERE sitting_id = $1
                AND NOT EXISTS (SELECT FROM written_answer WHERE sitting_id = $1 AND decided_at IS NULL)
            RETURNING paper_id, points, right_question_ids
        )
        INSERT INTO mark (sitting_id, learner_id, paper_id, points, right_question_ids, marked_at)
        SELECT
            $1, sitting.learner_id, completed.paper_id,
            completed.points
                + (SELECT coalesce(sum(points), 0)::integer FROM written_answer WHERE sitting_id = $1),
            completed.right_question_ids || ARRAY (
                SELECT question_id FROM written_answer
                WHERE sitting_id = $1 AND points = full_points ORDER BY question_id
            ),
            $2
        FROM completed JOIN sitting ON sitting.id = $1
        RETURNING (SELECT exam_id FROM paper WHERE paper.id = mark.paper_id) AS "exam_id!"
        "#,
        sitting,
        now,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("INSERT mark"))
    .await?;
    let Some(exam) = exam else { return Ok(false) };
    statistics::note_new_marks(connection, &[exam]).await?;
    Ok(true)
}

/// Stores marks.
async fn store(connection: &mut PgConnection, marks: &[Mark], now: OffsetDateTime) -> sqlx::Result<()> {
    if marks.is_empty() {
        return Ok(());
    }
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
    .execute(connection)
    .instrument(span("INSERT mark"))
    .await?;
    Ok(())
}

/// Removes sittings from the queue.
async fn unqueue(connection: &mut PgConnection, sittings: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM marking_queue WHERE sitting_id = ANY ($1)", sittings)
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
