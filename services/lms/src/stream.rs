//! Who is watching: a learner's players, of which only so many may run at once.
//!
//! A stream holds a place from its start until it ends. It ends when its player ends it, when its device opens another
//! lesson, or when another device needs the place: one that was silent for a while goes without asking, a living one only
//! by take-over. An ended stream never comes back, and the addresses of its files die with it.

pub(crate) mod ended;

use kit::db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::config::Rules;
use crate::error::Error;
use crate::{learner, lesson, watch_credit as credit};

/// A stream that was silent for so long is forgotten with the learner's next start.
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

/// A stream that is not the caller's and has not ended.
struct Other {
    device: Uuid,
    last_seen: OffsetDateTime,
}

/// Begins a stream. A device that has one of the same lesson goes on with it.
pub(crate) async fn start(
    connection: &mut PgConnection,
    learner: Uuid,
    start: Start,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<Started, Error> {
    learner::lock(connection, learner).await?;
    let owned = lesson::find_usable(connection, learner, start.lesson, now).await?;
    let others = others(connection, learner, start.device, now - KEPT).await?;
    let too_many = (others.len() + 1).saturating_sub(rules.stream_limit).min(others.len());
    let displaced = &others[..too_many];
    let living = now - rules.stream_silence;
    if !start.take_over && displaced.iter().any(|other| other.last_seen > living) {
        return Err(Error::TooManyStreams);
    }
    let devices: Vec<_> = displaced.iter().map(|other| other.device).collect();
    remove(connection, learner, &devices, &start, now, rules).await?;
    let id = sqlx::query_scalar!(
        "
        INSERT INTO stream (learner_id, device, id, lesson_id, last_seen)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (learner_id, device) DO UPDATE SET
            last_seen = greatest(excluded.last_seen, stream.last_seen)
        RETURNING id
        ",
        learner,
        start.device,
        Uuid::new_v4(),
        start.lesson,
        now,
    )
    .fetch_one(&mut *connection)
    .instrument(span("INSERT stream"))
    .await?;
    credit::open(connection, learner, start.lesson, now).await?;
    Ok(Started { id, expire_at: owned.expire_at })
}

/// A stream that had a beat.
pub(crate) struct Heard {
    pub(crate) lesson: i64,
    /// When it was heard of before.
    pub(crate) before: OffsetDateTime,
}

/// A beat of the learner's stream came. The caller holds the learner's lock.
///
/// A beat that its stream's end overtook is taken for as long as a silent stream counts as living.
pub(crate) async fn heard(
    connection: &mut PgConnection,
    learner: Uuid,
    stream: Uuid,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<Heard, Error> {
    let found = sqlx::query!(
        "SELECT device, lesson_id, last_seen, ended_at FROM stream WHERE learner_id = $1 AND id = $2",
        learner,
        stream,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT stream"))
    .await?
    .ok_or(Error::StreamEnded)?;
    let heard = Heard { lesson: found.lesson_id, before: found.last_seen };
    if let Some(ended_at) = found.ended_at {
        return if ended_at > now - rules.stream_silence { Ok(heard) } else { Err(Error::StreamEnded) };
    }
    sqlx::query!(
        "UPDATE stream SET last_seen = greatest(last_seen, $3) WHERE learner_id = $1 AND device = $2",
        learner,
        found.device,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE stream"))
    .await?;
    Ok(heard)
}

/// Ends the learner's stream. Whether there is one, ended or not.
pub(crate) async fn stop(
    connection: &mut PgConnection,
    learner: Uuid,
    stream: Uuid,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<bool, Error> {
    learner::lock(connection, learner).await?;
    let ended = sqlx::query_scalar!(
        "
        UPDATE stream SET ended_at = $3
        WHERE learner_id = $1 AND id = $2 AND ended_at IS NULL
        RETURNING lesson_id
        ",
        learner,
        stream,
        now,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("UPDATE stream"))
    .await?;
    if let Some(lesson) = ended {
        ended::record(connection, &[stream], now, rules.link_time).await?;
        credit::close(connection, learner, &[lesson], now).await?;
        return Ok(true);
    }
    let known = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM stream WHERE learner_id = $1 AND id = $2) AS "known!""#,
        learner,
        stream,
    )
    .fetch_one(connection)
    .instrument(span("SELECT stream"))
    .await?;
    Ok(known)
}

/// Ends the learner's streams of all lessons of a course. The caller holds the learner's lock.
pub(crate) async fn end_course(
    connection: &mut PgConnection,
    learner: Uuid,
    course: i64,
    now: OffsetDateTime,
    rules: Rules,
) -> sqlx::Result<()> {
    let ended = sqlx::query!(
        "
        UPDATE stream SET ended_at = $3
        FROM lesson
        WHERE
            stream.learner_id = $1
            AND lesson.id = stream.lesson_id
            AND lesson.course_id = $2
            AND stream.ended_at IS NULL
        RETURNING stream.id, stream.lesson_id
        ",
        learner,
        course,
        now,
    )
    .fetch_all(&mut *connection)
    .instrument(span("UPDATE stream"))
    .await?;
    if ended.is_empty() {
        return Ok(());
    }
    let (ids, lessons): (Vec<_>, Vec<_>) = ended.iter().map(|stream| (stream.id, stream.lesson_id)).unzip();
    ended::record(connection, &ids, now, rules.link_time).await?;
    credit::close(connection, learner, &lessons, now).await
}

/// The streams of the learner's other devices that have not ended, the longest silent first.
async fn others(
    connection: &mut PgConnection,
    learner: Uuid,
    device: Uuid,
    since: OffsetDateTime,
) -> sqlx::Result<Vec<Other>> {
    sqlx::query_as!(
        Other,
        "
        SELECT device, last_seen
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

/// Removes, and ends, what a start replaces: the streams of `displaced`, those that are forgotten, and the device's own
/// if it has ended or is of another lesson.
async fn remove(
    connection: &mut PgConnection,
    learner: Uuid,
    displaced: &[Uuid],
    start: &Start,
    now: OffsetDateTime,
    rules: Rules,
) -> sqlx::Result<()> {
    let removed = sqlx::query!(
        "
        DELETE FROM stream
        WHERE
            learner_id = $1
            AND (
                device = ANY ($2)
                OR last_seen <= $3
                OR (device = $4 AND (lesson_id <> $5 OR ended_at IS NOT NULL))
            )
        RETURNING id, lesson_id, ended_at
        ",
        learner,
        displaced,
        now - KEPT,
        start.device,
        start.lesson,
    )
    .fetch_all(&mut *connection)
    .instrument(span("DELETE stream"))
    .await?;
    let ended: Vec<_> = removed.iter().filter(|stream| stream.ended_at.is_none()).collect();
    if ended.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = ended.iter().map(|stream| stream.id).collect();
    let lessons: Vec<_> = ended.iter().map(|stream| stream.lesson_id).collect();
    ended::record(connection, &ids, now, rules.link_time).await?;
    credit::close(connection, learner, &lessons, now).await
}

/// A stream in a learner's export.
pub(crate) struct ExportRow {
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) device: Uuid,
    pub(crate) last_seen: OffsetDateTime,
}

/// Exports the learner's streams, the longest silent first.
pub(crate) async fn export(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<ExportRow>> {
    sqlx::query_as!(
        ExportRow,
        "
        SELECT course.name AS course, lesson.name AS lesson, stream.device, stream.last_seen
        FROM stream
        JOIN lesson ON lesson.id = stream.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE stream.learner_id = $1
        ORDER BY stream.last_seen, stream.device
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT stream"))
    .await
}
/// Deletes the learner's streams.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM stream WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE stream"))
        .await?;
    Ok(())
}
