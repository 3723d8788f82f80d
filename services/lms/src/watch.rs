//! What a learner has watched of a lesson: where they are, and which parts they really saw.

mod counted;
mod coverage;
mod export;
mod recent;

pub(crate) use coverage::Coverage;
pub(crate) use export::{ExportRow, export};
pub(crate) use recent::{Recent, recent};

use std::ops::Range;

use kit::db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use self::counted::Counted;
use crate::config::Rules;
use crate::error::Error;
use crate::watch_credit::{self as credit, Credit};
use crate::{check, day, learner, lesson, progress, question, stream};

/// A pause as long as this ends a sitting.
const SITTING_GAP: Duration = Duration::minutes(30);

/// What a player says every few seconds.
pub(crate) struct Beat {
    pub(crate) lesson: i64,
    /// The place now, in seconds.
    pub(crate) position: i32,
    /// The stretches really watched since the last beat, in seconds.
    pub(crate) watched: Vec<Range<i32>>,
    /// Milliseconds since 1970 by the device's clock; tells a beat from all others.
    pub(crate) sequence: i64,
    /// The stream that plays; none: what it played is told later, or of none.
    pub(crate) stream: Option<Uuid>,
}

/// How a lesson stands after a beat.
pub(crate) struct Standing {
    /// Where to go on, in seconds.
    pub(crate) position: i32,
    /// The furthest place ever reached, in seconds.
    pub(crate) furthest: i32,
    /// Seconds covered.
    pub(crate) covered: i32,
    /// Whether as much was watched as makes it done, and no required question waits for its first answer.
    pub(crate) is_done: bool,
    /// Whether the lesson is ticked.
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
    counted: Counted,
}

/// Keeps one beat. Beats may come late, twice, or from several devices.
///
/// The highest sequence wins the position; a device whose clock runs ahead is taken to speak now, so that it can't hold
/// the position against all others. The lesson is ticked by the beat that brings its coverage to `rules.done_percent`,
/// once: a tick that the learner takes off afterwards stays off. What was played counts for the day, once for each
/// sequence. Coverage grows only as far as the learner's [`Credit`] for the lesson goes. A beat of a stream that has ended
/// is refused as a whole.
pub(crate) async fn record(
    connection: &mut PgConnection,
    learner: Uuid,
    beat: Beat,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<Standing, Error> {
    learner::lock(connection, learner).await?;
    let owned = lesson::find_usable(connection, learner, beat.lesson, now).await?;
    let heard = match beat.stream {
        Some(stream) => Some(stream::heard(connection, learner, stream, now, rules).await?),
        None => None,
    };
    let duration = owned.duration;
    let mut credit = match (credit::find(connection, learner, beat.lesson).await?, heard) {
        (Some(credit), _) => credit,
        // A version before this one started the stream.
        (None, Some(heard)) if heard.lesson == beat.lesson => Credit::opened(heard.before),
        (None, _) => Credit::NONE,
    };
    credit.earn(now, duration);
    let before = find(connection, learner, beat.lesson).await?;
    let covered_before = before.as_ref().map_or(0, |watch| watch.covered);
    let (after, played) = follow(before, &beat, duration, &mut credit, now);
    if credit != Credit::NONE {
        credit::save(connection, learner, beat.lesson, credit).await?;
    }
    save(connection, learner, beat.lesson, &after).await?;
    day::add(connection, learner, now, played).await?;
    progress::watched(connection, learner, owned.course_id, now).await?;

    let check::Standing { count, mut is_set } = check::standing(connection, learner, beat.lesson).await?;
    let done = |covered: i32| i64::from(covered) * 100 >= i64::from(duration) * i64::from(rules.done_percent);
    let is_covered = done(after.covered);
    let just_done = is_covered && !done(covered_before);
    if just_done && !is_set && count < rules.mark_limit {
        check::insert(connection, learner, beat.lesson, owned.course_id, now).await?;
        is_set = true;
    }
    Ok(Standing {
        position: after.position,
        furthest: after.furthest,
        covered: after.covered,
        is_done: is_covered && !question::required_open(connection, learner, beat.lesson).await?,
        is_check: is_set,
    })
}

/// What was watched, one beat later, and how many seconds the beat played that were not counted before.
fn follow(
    before: Option<Watch>,
    beat: &Beat,
    duration: i32,
    credit: &mut Credit,
    now: OffsetDateTime,
) -> (Watch, i32) {
    let ours = now.unix_timestamp() * 1000 + i64::from(now.millisecond());
    let sequence = beat.sequence.min(ours);
    let mut watch = before.unwrap_or(Watch {
        position: beat.position,
        furthest: 0,
        coverage: Vec::new(),
        covered: 0,
        times: 1,
        last_seen: now,
        sequence,
        counted: Counted::default(),
    });
    if sequence >= watch.sequence {
        watch.sequence = sequence;
        watch.position = beat.position;
    }
    if now - watch.last_seen >= SITTING_GAP {
        watch.times = watch.times.saturating_add(1);
    }
    let mut coverage = Coverage::from_bytes(watch.coverage);
    for stretch in &beat.watched {
        credit.spend(coverage.add(stretch, duration, credit.seconds()));
    }
    let played = beat.watched.iter().map(|stretch| stretch.end.min(duration) - stretch.start.min(duration));
    let played =
        if watch.counted.is_new(beat.sequence, ours) { played.fold(0, i32::saturating_add) } else { 0 };
    let reached = beat.watched.iter().map(|stretch| stretch.end).fold(beat.position, i32::max);
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
        counted: Counted { newest: row.counted, before: row.counted_before },
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

    use super::{Beat, Credit, Duration, OffsetDateTime, SITTING_GAP, Watch, follow};

    const NOW: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);

    fn enough() -> Credit {
        let mut credit = Credit::opened(NOW - Duration::HOUR);
        credit.earn(NOW, 1000);
        credit
    }

    /// What was watched of a lesson of 100 seconds after beats at these positions, each so long after the one before.
    fn after(beats: &[(i32, Duration)]) -> Watch {
        let (mut watch, mut now) = (None, NOW);
        for (sequence, (position, gap)) in (0..).zip(beats) {
            now += *gap;
            let watched = std::iter::once(0..*position).collect();
            let beat = Beat { lesson: 1, position: *position, watched, sequence, stream: None };
            watch = Some(follow(watch, &beat, 100, &mut enough(), now).0);
        }
        watch.unwrap()
    }

    #[test]
    fn half_an_hour_without_a_beat_begins_another_sitting() {
        let almost = SITTING_GAP - Duration::SECOND;
        assert_eq!(after(&[(10, Duration::ZERO), (20, almost), (30, almost)]).times, 1);
        assert_eq!(after(&[(10, Duration::ZERO), (20, SITTING_GAP), (30, SITTING_GAP)]).times, 3);
    }

    #[test]
    fn the_furthest_place_stays_when_one_goes_back_and_is_within_the_lesson() {
        let watch = after(&[(80, Duration::ZERO), (20, Duration::SECOND)]);
        assert_eq!((watch.position, watch.furthest), (20, 80));
        assert_eq!(after(&[(i32::MAX, Duration::ZERO)]).furthest, 100);
    }

    #[test]
    fn a_beat_plays_what_lies_within_the_lesson_once_however_often_it_comes() {
        let played = |watch, watched: &[std::ops::Range<i32>], sequence| {
            let beat = Beat { lesson: 1, position: 0, watched: watched.to_vec(), sequence, stream: None };
            follow(watch, &beat, 100, &mut enough(), NOW)
        };
        let (watch, first) = played(None, &[0..15, 10..20, 90..i32::MAX, 200..300], 5);
        assert_eq!(first, 35, "what was played twice is played twice");
        let (watch, again) = played(Some(watch), &[0..15, 10..20, 90..i32::MAX, 200..300], 5);
        let (_, late) = played(Some(watch), &[0..15, 20..30], 4);
        assert_eq!((again, late), (0, 25));
    }
}
