//! Sealing: the end of a sitting.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

use super::transcript::Transcript;
use super::{PaperCache, Row, SealedBy, Sitting, SittingState, StoredTranscript};
use crate::config::Rules;
use crate::error::Error;
use crate::question::Question;
use crate::{answer, answer_picture};

/// Seals a sitting that the caller has locked. It counts as sealed by the candidate before the
/// deadline, and by the deadline after it.
pub(super) async fn seal(
    connection: &mut PgConnection,
    papers: &PaperCache,
    mut sitting: Sitting,
    now: OffsetDateTime,
) -> Result<Sitting, Error> {
    let (sealed_by, handed_in_at) = match sitting.state(now) {
        SittingState::Running => (SealedBy::Candidate, now),
        SittingState::Grace => (SealedBy::Deadline, sitting.deadline_at),
        SittingState::Sealed => return Ok(sitting),
    };
    let paper = papers.find(connection, sitting.paper_id).await?;
    if paper.questions.iter().any(Question::takes_picture) {
        answer_picture::delete_unused(connection, sitting.id).await?;
    }
    let answers = answer::list_by_sitting(connection, sitting.id).await?;
    let transcript =
        StoredTranscript::write(&Transcript::new(&sitting, &paper, &answers, sealed_by, handed_in_at)?)?;
    sqlx::query!(
        "UPDATE sitting SET transcript = $2, digest = $3 WHERE id = $1",
        sitting.id,
        transcript.document,
        transcript.digest,
    )
    .execute(connection)
    .instrument(span("UPDATE sitting"))
    .await?;
    sitting.transcript = Some(transcript);
    Ok(sitting)
}

/// Whether there is a sitting whose grace is over. `ended_before` is now minus the grace.
pub(crate) async fn has_due(
    connection: &mut PgConnection,
    ended_before: OffsetDateTime,
) -> sqlx::Result<bool> {
    // No span, because it runs every second and usually finds nothing.
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM sitting WHERE transcript IS NULL AND deadline_at <= $1) AS "is_due!""#,
        ended_before,
    )
    .fetch_one(connection)
    .await
}

/// Seals at most `limit` sittings whose grace is over. Returns their number. Skips those that
/// another replica or a call has locked.
pub(crate) async fn seal_due(
    connection: &mut PgConnection,
    papers: &PaperCache,
    now: OffsetDateTime,
    rules: Rules,
    limit: i64,
) -> Result<usize, Error> {
    let due = sqlx::query_as!(
        Row,
        "
        SELECT
            id, learner_id, paper_id, started_at, deadline_at, epoch, device_id, away_seconds, transcript, digest
        FROM sitting
        WHERE transcript IS NULL AND deadline_at <= $1
        ORDER BY deadline_at
        LIMIT $2
        FOR UPDATE SKIP LOCKED
        ",
        now - rules.grace,
        limit,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT sitting"))
    .await?;
    let count = due.len();
    for row in due {
        seal(connection, papers, row.into(), now).await?;
    }
    Ok(count)
}
