//! The tables `answer` and `late_answer`.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{Answer, Content, Digest, LateAnswer, SavedAnswer, Version};

/// A row of `answer`.
struct Row {
    question_id: i64,
    epoch: i32,
    sequence: i64,
    answer: Option<String>,
    is_flagged: bool,
    digest: Vec<u8>,
    saved_at: OffsetDateTime,
}

impl Row {
    fn into_answer(self) -> sqlx::Result<SavedAnswer> {
        let digest = Digest::try_from(self.digest)
            .map_err(|digest| sqlx::Error::Decode(format!("a digest of {} bytes", digest.len()).into()))?;
        Ok(SavedAnswer {
            answer: Answer {
                question_id: self.question_id,
                version: Version { epoch: self.epoch, sequence: self.sequence },
                content: Content { answer: self.answer, is_flagged: self.is_flagged, digest },
            },
            saved_at: self.saved_at,
        })
    }
}

/// Lists the stored answers of a sitting, by question.
pub(crate) async fn list_by_sitting(
    connection: &mut PgConnection,
    sitting: Uuid,
) -> sqlx::Result<Vec<SavedAnswer>> {
    let rows = sqlx::query_as!(
        Row,
        "
        SELECT question_id, epoch, sequence, answer, is_flagged, digest, saved_at
        FROM answer
        WHERE sitting_id = $1
        ORDER BY question_id
        ",
        sitting,
    )
    .fetch_all(connection)
    .instrument(span("SELECT answer"))
    .await?;
    rows.into_iter().map(Row::into_answer).collect()
}

/// Lists the stored answers of a sitting to these questions.
pub(crate) async fn list_by_questions(
    connection: &mut PgConnection,
    sitting: Uuid,
    questions: &[i64],
) -> sqlx::Result<Vec<SavedAnswer>> {
    let rows = sqlx::query_as!(
        Row,
        "
        SELECT question_id, epoch, sequence, answer, is_flagged, digest, saved_at
        FROM answer
        WHERE sitting_id = $1 AND question_id = ANY ($2)
        ",
        sitting,
        questions,
    )
    .fetch_all(connection)
    .instrument(span("SELECT answer"))
    .await?;
    rows.into_iter().map(Row::into_answer).collect()
}

/// Stores answers in place of older versions. The caller holds the lock of the sitting and has
/// compared the versions.
pub(crate) async fn store(
    connection: &mut PgConnection,
    sitting: Uuid,
    answers: &[Answer],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    if answers.is_empty() {
        return Ok(());
    }
    let texts: Vec<_> = answers.iter().map(|answer| answer.content.answer.clone()).collect();
    let digests: Vec<_> = answers.iter().map(|answer| answer.content.digest.to_vec()).collect();
    sqlx::query!(
        "
        INSERT INTO answer (sitting_id, question_id, epoch, sequence, answer, is_flagged, digest, saved_at)
        SELECT $1, given.question_id, given.epoch, given.sequence, given.answer, given.is_flagged, given.digest, $2
        FROM unnest($3::bigint[], $4::integer[], $5::bigint[], $6::text[], $7::boolean[], $8::bytea[])
            AS given (question_id, epoch, sequence, answer, is_flagged, digest)
        ON CONFLICT ON CONSTRAINT answer_pkey DO UPDATE SET
            epoch = excluded.epoch,
            sequence = excluded.sequence,
            answer = excluded.answer,
            is_flagged = excluded.is_flagged,
            digest = excluded.digest,
            saved_at = excluded.saved_at
        ",
        sitting,
        now,
        &answers.iter().map(|answer| answer.question_id).collect::<Vec<_>>(),
        &answers.iter().map(|answer| answer.version.epoch).collect::<Vec<_>>(),
        &answers.iter().map(|answer| answer.version.sequence).collect::<Vec<_>>(),
        &texts as &[Option<String>],
        &answers.iter().map(|answer| answer.content.is_flagged).collect::<Vec<_>>(),
        &digests,
    )
    .execute(connection)
    .instrument(span("INSERT answer"))
    .await?;
    Ok(())
}

/// Stores answers that were given too late. For each question the highest version is kept.
pub(crate) async fn store_late(
    connection: &mut PgConnection,
    sitting: Uuid,
    answers: &[LateAnswer],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    if answers.is_empty() {
        return Ok(());
    }
    let texts: Vec<_> = answers.iter().map(|late| late.answer.content.answer.clone()).collect();
    sqlx::query!(
        "
        INSERT INTO late_answer (sitting_id, question_id, epoch, sequence, answer, answered_at, received_at)
        SELECT $1, given.question_id, given.epoch, given.sequence, given.answer, given.answered_at, $2
        FROM unnest($3::bigint[], $4::integer[], $5::bigint[], $6::text[], $7::timestamptz[])
            AS given (question_id, epoch, sequence, answer, answered_at)
        ON CONFLICT ON CONSTRAINT late_answer_pkey DO UPDATE SET
            epoch = excluded.epoch,
            sequence = excluded.sequence,
            answer = excluded.answer,
            answered_at = excluded.answered_at,
            received_at = excluded.received_at
        WHERE (late_answer.epoch, late_answer.sequence) < (excluded.epoch, excluded.sequence)
        ",
        sitting,
        now,
        &answers.iter().map(|late| late.answer.question_id).collect::<Vec<_>>(),
        &answers.iter().map(|late| late.answer.version.epoch).collect::<Vec<_>>(),
        &answers.iter().map(|late| late.answer.version.sequence).collect::<Vec<_>>(),
        &texts as &[Option<String>],
        &answers.iter().map(|late| late.answered_at).collect::<Vec<_>>(),
    )
    .execute(connection)
    .instrument(span("INSERT late_answer"))
    .await?;
    Ok(())
}
