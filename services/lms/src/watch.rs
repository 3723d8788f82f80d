//! Watch history of lessons: the position and the watched intervals.

mod counted;
mod coverage;
mod export;
mod recent;

pub(crate) use coverage::Coverage;
pub(crate) use export::{WatchExport, export};
pub(crate) use recent::{RecentLesson, list_recent};

use std::ops::Range;

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use self::counted::CountedHeartbeats;
use crate::config::Rules;
use crate::error::Error;
use crate::watch_credit::{self, Credit};
use crate::{check, day, learner, lesson, progress, question, stream};

/// A pause of at least this length ends a sitting.
const SITTING_GAP: Duration = Duration::minutes(30);

/// Seconds from the start of a lesson, with an exclusive end.
pub(crate) type WatchedInterval = Range<i32>;

/// A heartbeat: the report that a player sends every few seconds.
pub(crate) struct Heartbeat {
    pub(crate) lesson: i64,
    /// The position in seconds.
    pub(crate) position: i32,
    /// The watched intervals since the last heartbeat, in seconds.
    pub(crate) watched: Vec<WatchedInterval>,
    /// Milliseconds since 1970 by the device's clock. Identifies the heartbeat.
    pub(crate) sequence: i64,
    /// The playing stream, or `None` for playback that was recorded offline.
    pub(crate) stream: Option<Uuid>,
}

/// The state of a lesson after a heartbeat.
pub(crate) struct HeartbeatOutcome {
    /// The position to resume at, in seconds.
    pub(crate) position: i32,
    /// The furthest position ever, in seconds.
    pub(crate) furthest: i32,
    /// Covered seconds.
    pub(crate) covered: i32,
    /// Whether enough was watched and every required question has a graded answer.
    pub(crate) is_done: bool,
    /// Whether the lesson is checked.
    pub(crate) is_check: bool,
}

struct Watch {
    position: i32,
    furthest: i32,
    coverage: Vec<u8>,
    covered: i32,
    times: i32,
    last_seen: OffsetDateTime,
    sequence: i64,
    counted: CountedHeartbeats,
}

/// Records a heartbeat. Heartbeats may arrive late, twice, or from several devices.
///
/// The highest sequence sets the position. A sequence ahead of the server's clock is replaced by
/// the present time, so such a device cannot hold the position.
///
/// The heartbeat that brings the coverage to `rules.done_percent` checks the lesson. A check that
/// the learner removes later stays removed. Played seconds count once for the day for each
/// sequence. The learner's [`Credit`] for the lesson limits the coverage.
///
/// A heartbeat of an ended stream changes nothing and fails with [`Error::StreamEnded`].
pub(crate) async fn record(
    connection: &mut PgConnection,
    learner: Uuid,
    heartbeat: Heartbeat,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<HeartbeatOutcome, Error> {
    learner::lock(connection, learner).await?;
    let owned = lesson::find_usable(connection, learner, heartbeat.lesson, now).await?;
    let playing = match heartbeat.stream {
        Some(stream) => Some(stream::record_heartbeat(connection, learner, stream, now, rules).await?),
        None => None,
    };
    let duration = owned.duration;
    let mut credit = match (watch_credit::find(connection, learner, heartbeat.lesson).await?, playing) {
        (Some(credit), _) => credit,
        // The stream was started by an older release.
        (None, Some(stream)) if stream.lesson == heartbeat.lesson => Credit::opened(stream.last_seen),
        (None, _) => Credit::NONE,
    };
    credit.earn(now, duration);
    let before = find(connection, learner, heartbeat.lesson).await?;
    let covered_before = before.as_ref().map_or(0, |watch| watch.covered);
    let (after, played) = apply_heartbeat(before, &heartbeat, duration, &mut credit, now);
    if credit != Credit::NONE {
        watch_credit::save(connection, learner, heartbeat.lesson, credit).await?;
    }
    save(connection, learner, heartbeat.lesson, &after).await?;
    day::add(connection, learner, now, played).await?;
    progress::record_watch(connection, learner, owned.course_id, now).await?;

    let check::CheckState { count, mut is_set } =
        check::find_state(connection, learner, heartbeat.lesson).await?;
    let done = |covered: i32| i64::from(covered) * 100 >= i64::from(duration) * i64::from(rules.done_percent);
    let is_covered = done(after.covered);
    let just_done = is_covered && !done(covered_before);
    if just_done && !is_set && count < rules.mark_limit {
        check::insert(connection, learner, heartbeat.lesson, owned.course_id, now).await?;
        is_set = true;
    }
    Ok(HeartbeatOutcome {
        position: after.position,
        furthest: after.furthest,
        covered: after.covered,
        is_done: is_covered && !question::has_open_required(connection, learner, heartbeat.lesson).await?,
        is_check: is_set,
    })
}

/// Applies a heartbeat. Returns the new state, and the played seconds that were not counted before.
fn apply_heartbeat(
    before: Option<Watch>,
    heartbeat: &Heartbeat,
    duration: i32,
    credit: &mut Credit,
    now: OffsetDateTime,
) -> (Watch, i32) {
    let ours = now.unix_timestamp() * 1000 + i64::from(now.millisecond());
    let sequence = heartbeat.sequence.min(ours);
    let mut watch = before.unwrap_or(Watch {
        position: heartbeat.position,
        furthest: 0,
        coverage: Vec::new(),
        covered: 0,
        times: 1,
        last_seen: now,
        sequence,
        counted: CountedHeartbeats::default(),
    });
    if sequence >= watch.sequence {
        watch.sequence = sequence;
        watch.position = heartbeat.position;
    }
    if now - watch.last_seen >= SITTING_GAP {
        watch.times = watch.times.saturating_add(1);
    }
    let mut coverage = Coverage::from_bytes(watch.coverage);
    for interval in &heartbeat.watched {
        credit.spend(coverage.add(interval, duration, credit.seconds()));
    }
    let played =
        heartbeat.watched.iter().map(|interval| interval.end.min(duration) - interval.start.min(duration));
    let played =
        if watch.counted.is_new(heartbeat.sequence, ours) { played.fold(0, i32::saturating_add) } else { 0 };
    let reached = heartbeat.watched.iter().map(|interval| interval.end).fold(heartbeat.position, i32::max);
    let after = Watch {
        position: watch.position.min(duration),
        furthest: watch.furthest.max(reached).min(duration),
        covered: coverage.seconds(duration),
        coverage: coverage.into_bytes(),
        last_seen: watch.last_seen.max(now),
        ..watch
    };
    (after, played)
}

async fn find(connection: &mut PgConnection, learner: Uuid, lesson: i64) -> sqlx::Result<Option<Watch>> {
    let row = sqlx::query!(
        "
        SELECT position, furthest, coverage, covered, times, last_seen, sequence, counted, counted_before
        FROM watch
        WHERE learner_id = $1 AND lesson_id = $2
        ",
        learner,
        lesson,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT watch"))
    .await?;
    Ok(row.map(|row| Watch {
        position: row.position,
        furthest: row.furthest,
        coverage: row.coverage,
        covered: row.covered,
        times: row.times,
        last_seen: row.last_seen,
        sequence: row.sequence,
        counted: CountedHeartbeats { newest: row.counted, before: row.counted_before },
    }))
}

async fn save(connection: &mut PgConnection, learner: Uuid, lesson: i64, watch: &Watch) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO watch (
            learner_id, lesson_id, position, furthest, coverage, covered, times, first_seen, last_seen, sequence,
            counted, counted_before
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11)
        ON CONFLICT (learner_id, lesson_id) DO UPDATE SET
            position = excluded.position,
            furthest = excluded.furthest,
            coverage = excluded.coverage,
            covered = excluded.covered,
            times = excluded.times,
            last_seen = excluded.last_seen,
            sequence = excluded.sequence,
            counted = excluded.counted,
            counted_before = excluded.counted_before
        ",
        learner,
        lesson,
        watch.position,
        watch.furthest,
        watch.coverage,
        watch.covered,
        watch.times,
        watch.last_seen,
        watch.sequence,
        &watch.counted.newest,
        watch.counted.before,
    )
    .execute(connection)
    .instrument(span("INSERT watch"))
    .await?;
    Ok(())
}

/// Deletes the learner's watch history.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM watch WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE watch"))
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::{Credit, Duration, Heartbeat, OffsetDateTime, SITTING_GAP, Watch, apply_heartbeat};

    const NOW: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);

    fn enough() -> Credit {
        let mut credit = Credit::opened(NOW - Duration::HOUR);
        credit.earn(NOW, 1000);
        credit
    }

    /// Returns the state of a lesson of 100 seconds after heartbeats at these positions. Each has
    /// the time since the previous one.
    fn after(heartbeats: &[(i32, Duration)]) -> Watch {
        let (mut watch, mut now) = (None, NOW);
        for (sequence, (position, gap)) in (0..).zip(heartbeats) {
            now += *gap;
            let watched = std::iter::once(0..*position).collect();
            let heartbeat = Heartbeat { lesson: 1, position: *position, watched, sequence, stream: None };
            watch = Some(apply_heartbeat(watch, &heartbeat, 100, &mut enough(), now).0);
        }
        watch.unwrap()
    }

    #[test]
    fn half_an_hour_without_a_heartbeat_begins_another_sitting() {
        let almost = SITTING_GAP - Duration::SECOND;
        assert_eq!(after(&[(10, Duration::ZERO), (20, almost), (30, almost)]).times, 1);
        assert_eq!(after(&[(10, Duration::ZERO), (20, SITTING_GAP), (30, SITTING_GAP)]).times, 3);
    }

    #[test]
    fn the_furthest_position_never_decreases_and_is_within_the_lesson() {
        let watch = after(&[(80, Duration::ZERO), (20, Duration::SECOND)]);
        assert_eq!((watch.position, watch.furthest), (20, 80));
        assert_eq!(after(&[(i32::MAX, Duration::ZERO)]).furthest, 100);
    }

    #[test]
    fn a_repeated_heartbeat_counts_once_and_only_within_the_lesson() {
        let played = |watch, watched: &[std::ops::Range<i32>], sequence| {
            let heartbeat =
                Heartbeat { lesson: 1, position: 0, watched: watched.to_vec(), sequence, stream: None };
            apply_heartbeat(watch, &heartbeat, 100, &mut enough(), NOW)
        };
        let (watch, first) = played(None, &[0..15, 10..20, 90..i32::MAX, 200..300], 5);
        assert_eq!(first, 35, "what was played twice is played twice");
        let (watch, again) = played(Some(watch), &[0..15, 10..20, 90..i32::MAX, 200..300], 5);
        let (_, late) = played(Some(watch), &[0..15, 20..30], 4);
        assert_eq!((again, late), (0, 25));
    }
}
