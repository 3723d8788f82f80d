//! A learner's streams: running players. Their number is limited.
//!
//! A stream holds a slot from its start until its end. It ends when its player ends it, when its
//! device opens another lesson, when the course is revoked, or when another device needs the slot.
//! Any start may take the slot of a silent stream. Only a take-over may take that of an active one.
//! An ended stream never continues, and its signed URLs stop working.

pub(crate) mod ended;

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::config::Rules;
use crate::error::Error;
use crate::lesson::opening;
use crate::{learner, lesson, watch_credit};

/// Streams that are silent for this long are deleted at the learner's next start.
const SILENCE_RETENTION: Duration = Duration::DAY;

/// A request to start a stream.
pub(crate) struct StreamStart {
    pub(crate) lesson: i64,
    /// One tab of one browser.
    pub(crate) device: Uuid,
    /// Whether to end another stream if all slots are taken.
    pub(crate) take_over: bool,
}

/// A stream that may play.
pub(crate) struct StartedStream {
    pub(crate) id: Uuid,
    /// When the entitlement ends. `None` for no end.
    pub(crate) expire_at: Option<OffsetDateTime>,
}

/// A running stream of another device.
struct OtherStream {
    device: Uuid,
    last_seen: OffsetDateTime,
}

/// Starts a stream. A device with a running stream of the same lesson continues it.
pub(crate) async fn start(
    connection: &mut PgConnection,
    learner: Uuid,
    start: StreamStart,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<StartedStream, Error> {
    learner::lock(connection, learner).await?;
    let owned = lesson::find_usable(connection, learner, start.lesson, now).await?;
    let others = list_others(connection, learner, start.device, now - SILENCE_RETENTION).await?;
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
    watch_credit::open(connection, learner, start.lesson, now).await?;
    opening::record(connection, learner, start.lesson, now).await?;
    Ok(StartedStream { id, expire_at: owned.expire_at })
}

/// A stream before its heartbeat.
pub(crate) struct PlayingStream {
    pub(crate) lesson: i64,
    /// The time of its last heartbeat or its start.
    pub(crate) last_seen: OffsetDateTime,
}

/// Records a heartbeat of the learner's stream. The caller holds the learner's lock.
///
/// A heartbeat that arrives after its stream ended is accepted for `stream_silence`. Later it fails with
/// [`Error::StreamEnded`].
pub(crate) async fn record_heartbeat(
    connection: &mut PgConnection,
    learner: Uuid,
    stream: Uuid,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<PlayingStream, Error> {
    let found = sqlx::query!(
        "SELECT device, lesson_id, last_seen, ended_at FROM stream WHERE learner_id = $1 AND id = $2",
        learner,
        stream,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT stream"))
    .await?
    .ok_or(Error::StreamEnded)?;
    let playing = PlayingStream { lesson: found.lesson_id, last_seen: found.last_seen };
    if let Some(ended_at) = found.ended_at {
        return if ended_at > now - rules.stream_silence { Ok(playing) } else { Err(Error::StreamEnded) };
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
    Ok(playing)
}

/// Ends the learner's stream. Returns whether it exists, ended or not.
pub(crate) async fn end(
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
        watch_credit::close(connection, learner, &[lesson], now).await?;
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
    watch_credit::close(connection, learner, &lessons, now).await
}

/// Lists the running streams of the learner's other devices, the longest silent first.
async fn list_others(
    connection: &mut PgConnection,
    learner: Uuid,
    device: Uuid,
    since: OffsetDateTime,
) -> sqlx::Result<Vec<OtherStream>> {
    sqlx::query_as!(
        OtherStream,
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

/// Ends and deletes the streams that a start replaces: those of the devices in `displaced`, old ones, and the
/// device's own if it has ended or plays another lesson.
async fn remove(
    connection: &mut PgConnection,
    learner: Uuid,
    displaced: &[Uuid],
    start: &StreamStart,
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
        now - SILENCE_RETENTION,
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
    watch_credit::close(connection, learner, &lessons, now).await
}

/// A stream in a learner's export.
pub(crate) struct StreamExport {
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) device: Uuid,
    pub(crate) last_seen: OffsetDateTime,
}

/// Exports the learner's streams, the longest silent first.
pub(crate) async fn export(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<StreamExport>> {
    sqlx::query_as!(
        StreamExport,
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
