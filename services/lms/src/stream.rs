//! Who is watching: a learner's players, of which only so many may run at once.
//!
//! A stream lives while it started or had a beat not long ago. One that fell silent takes no room, and goes on with its
//! next beat if there is room for it then. So does one that its player ended, but beats that overtook the end are kept
//! and bring nothing back.

use kit::db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::config::Rules;
use crate::error::Error;
use crate::{learner, lesson};

/// Nobody goes on with a stream that was silent for so long.
const KEPT: Duration = Duration::DAY;

/// A player that begins.
pub(crate) struct Start {
    pub(crate) lesson: i64,
    /// One tab of one browser.
    pub(crate) device: Uuid,
    /// Whether it ends another one where there is no room.
    pub(crate) take_over: bool,
}

/// A stream that may go on.
pub(crate) struct Started {
    pub(crate) id: Uuid,
    /// When what is played runs out; none: never.
    pub(crate) expire_at: Option<OffsetDateTime>,
}

/// Begins a stream. A device that has one goes on with it.
pub(crate) async fn start(
    connection: &mut PgConnection,
    learner: Uuid,
    start: Start,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<Started, Error> {
    learner::lock(connection, learner).await?;
    let owned = lesson::owned(connection, learner, start.lesson, now).await?.ok_or(Error::NotFound)?;
    if !owned.is_active {
        return Err(Error::ExpiredItem);
    }
    let others = alive(connection, learner, start.device, now - rules.stream_silence).await?;
    let too_many = (others.len() + 1).saturating_sub(rules.stream_limit);
    if too_many > 0 && !start.take_over {
        return Err(Error::TooManyStreams);
    }
    end(connection, learner, &others[..too_many.min(others.len())], now - KEPT).await?;
    let id = sqlx::query_scalar!(
        "
        INSERT INTO stream (learner_id, device, id, lesson_id, last_seen)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (learner_id, device) DO UPDATE SET
            lesson_id = excluded.lesson_id,
            last_seen = greatest(excluded.last_seen, stream.last_seen),
            ended_at = NULL
        RETURNING id
        ",
        learner,
        start.device,
        Uuid::new_v4(),
        start.lesson,
        now,
    )
    .fetch_one(connection)
    .instrument(span("INSERT stream"))
    .await?;
    Ok(Started { id, expire_at: owned.expire_at })
}

/// A beat of the learner's stream came: it goes on. The caller holds the learner's lock.
pub(crate) async fn heard(
    connection: &mut PgConnection,
    learner: Uuid,
    stream: Uuid,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<(), Error> {
    let found = sqlx::query!(
        "SELECT device, last_seen, ended_at FROM stream WHERE learner_id = $1 AND id = $2",
        learner,
        stream,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT stream"))
    .await?
    .ok_or(Error::StreamEnded)?;
    let living = now - rules.stream_silence;
    if found.ended_at.is_some_and(|end| end > living) {
        return Ok(());
    }
    if found.last_seen <= living {
        let others = alive(connection, learner, found.device, living).await?;
        if others.len() >= rules.stream_limit {
            return Err(Error::StreamEnded);
        }
    }
    sqlx::query!(
        "
        UPDATE stream
        SET last_seen = greatest(last_seen, $3), ended_at = NULL
        WHERE learner_id = $1 AND device = $2
        ",
        learner,
        found.device,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE stream"))
    .await?;
    Ok(())
}

/// Ends the learner's stream: it takes no room from now on. Whether there is one, ended or not.
pub(crate) async fn stop(
    connection: &mut PgConnection,
    learner: Uuid,
    stream: Uuid,
    now: OffsetDateTime,
) -> Result<bool, Error> {
    learner::lock(connection, learner).await?;
    let found = sqlx::query!(
        "UPDATE stream SET ended_at = coalesce(ended_at, $3) WHERE learner_id = $1 AND id = $2",
        learner,
        stream,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE stream"))
    .await?;
    Ok(found.rows_affected() > 0)
}

/// The learner's other devices that were heard of after `since` and have not ended, the longest silent first.
async fn alive(
    connection: &mut PgConnection,
    learner: Uuid,
    device: Uuid,
    since: OffsetDateTime,
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "
        SELECT device
        FROM stream
        WHERE learner_id = $1 AND device <> $2 AND last_seen > $3 AND ended_at IS NULL
        ORDER BY last_seen, device
        ",
        learner,
        device,
        since,
    )
    .fetch_all(connection)
    .instrument(span("SELECT stream"))
    .await
}

/// Ends the streams of these devices, and those that were silent since before `forgotten`.
async fn end(
    connection: &mut PgConnection,
    learner: Uuid,
    devices: &[Uuid],
    forgotten: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM stream WHERE learner_id = $1 AND (device = ANY ($2) OR last_seen < $3)",
        learner,
        devices,
        forgotten,
    )
    .execute(connection)
    .instrument(span("DELETE stream"))
    .await?;
    Ok(())
}
