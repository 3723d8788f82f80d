//! Watch time of a learner on each day. A day begins at 04:00 in Tokyo, so an evening that lasts
//! past midnight is one day.

use kit_db::span;
use sqlx::PgConnection;
use time::macros::offset;
use time::{Date, Duration, OffsetDateTime, UtcOffset};
use tracing::Instrument as _;
use uuid::Uuid;

const TOKYO: UtcOffset = offset!(+9);
/// The time of day at which a day begins.
const MORNING: Duration = Duration::hours(4);
/// The highest playback speed.
pub(crate) const FASTEST: i32 = 3;
/// Days in a week.
const WEEK: i32 = 7;

/// The time watched on a day.
pub(crate) struct WatchDay {
    pub(crate) day: Date,
    /// Seconds of lessons: a minute at double speed counts 120.
    pub(crate) seconds: i32,
}

/// The last seven days.
pub(crate) struct Week {
    /// Oldest first. The last one is today.
    pub(crate) days: Vec<WatchDay>,
    /// Number of consecutive days with watch time, up to today, or up to yesterday while today has
    /// none.
    pub(crate) streak: i64,
}

/// Returns the day at `now`.
pub(crate) fn day_at(now: OffsetDateTime) -> Date {
    (now.to_offset(TOKYO) - MORNING).date()
}

/// Returns the start of the day at `now`.
pub(crate) fn start_of_day(now: OffsetDateTime) -> OffsetDateTime {
    start_of(day_at(now))
}

/// Returns the start of a day.
pub(crate) fn start_of(day: Date) -> OffsetDateTime {
    day.midnight().assume_offset(TOKYO) + MORNING
}

/// Adds played seconds to the day. A day counts at most three times its elapsed seconds.
pub(crate) async fn add(
    connection: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
    seconds: i32,
) -> sqlx::Result<()> {
    let most = most(now);
    let seconds = seconds.min(most);
    if seconds <= 0 {
        return Ok(());
    }
    sqlx::query!(
        "
        INSERT INTO watch_day (learner_id, day, seconds)
        VALUES ($1, $2, $3)
        ON CONFLICT (learner_id, day) DO UPDATE SET seconds = least(watch_day.seconds + excluded.seconds, $4)
        ",
        learner,
        day_at(now),
        seconds,
        most,
    )
    .execute(connection)
    .instrument(span("INSERT watch_day"))
    .await?;
    Ok(())
}

/// Returns the limit of the day's seconds at `now`.
fn most(now: OffsetDateTime) -> i32 {
    let passed = (now.to_offset(TOKYO) - MORNING).time().duration_since(time::Time::MIDNIGHT);
    i32::try_from(passed.whole_seconds()).unwrap_or_default() * FASTEST
}

/// Lists the learner's last days, oldest first. The last one is today.
pub(crate) async fn list_last(
    connection: &mut PgConnection,
    learner: Uuid,
    count: i32,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<WatchDay>> {
    sqlx::query_as!(
        WatchDay,
        r#"
        SELECT day.day::date AS "day!", coalesce(watch_day.seconds, 0) AS "seconds!"
        FROM generate_series($2::date - $3::integer + 1, $2::date, interval '1 day') AS day (day)
        LEFT JOIN watch_day ON watch_day.learner_id = $1 AND watch_day.day = day.day::date
        ORDER BY day.day
        "#,
        learner,
        day_at(now),
        count,
    )
    .fetch_all(connection)
    .instrument(span("SELECT watch_day"))
    .await
}

/// Finds the learner's last seven days and their streak.
pub(crate) async fn find_week(
    connection: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Week> {
    let today = day_at(now);
    let days = list_last(connection, learner, WEEK, now).await?;
    let streak = sqlx::query_scalar!(
        r#"
        WITH RECURSIVE run (day) AS (
            SELECT max(day) FROM watch_day WHERE learner_id = $1 AND day BETWEEN $2::date - 1 AND $2::date
            UNION ALL
            SELECT run.day - 1
            FROM run
            WHERE EXISTS (SELECT FROM watch_day WHERE learner_id = $1 AND watch_day.day = run.day - 1)
        )
        SELECT count(day) AS "streak!" FROM run
        "#,
        learner,
        today,
    )
    .fetch_one(connection)
    .instrument(span("SELECT watch_day"))
    .await?;
    Ok(Week { days, streak })
}

/// Exports the days with watch time, oldest first.
pub(crate) async fn export(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<WatchDay>> {
    sqlx::query_as!(
        WatchDay,
        "SELECT day, seconds FROM watch_day WHERE learner_id = $1 ORDER BY day",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT watch_day"))
    .await
}

/// Deletes the learner's watch time.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM watch_day WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE watch_day"))
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::{day_at, most, start_of_day};

    #[test]
    fn a_day_begins_at_four_in_tokyo() {
        assert_eq!(day_at(datetime!(2026-11-20 18:59:59 UTC)), date!(2026 - 11 - 20));
        assert_eq!(day_at(datetime!(2026-11-20 19:00 UTC)), date!(2026 - 11 - 21));
        assert_eq!(day_at(datetime!(2026-12-31 17:00 UTC)), date!(2026 - 12 - 31));
    }

    #[test]
    fn the_start_of_a_day_is_four_in_the_morning() {
        let four = datetime!(2026-11-20 04:00 +9);
        assert_eq!(start_of_day(four), four);
        assert_eq!(start_of_day(datetime!(2026-11-21 03:59:59 +9)), four);
    }

    #[test]
    fn a_day_is_limited_to_three_times_its_elapsed_seconds() {
        assert_eq!(most(datetime!(2026-11-20 19:00 UTC)), 0);
        assert_eq!(most(datetime!(2026-11-20 19:00:05.9 UTC)), 15);
        assert_eq!(most(datetime!(2026-11-20 18:59:59 UTC)), 3 * (86_400 - 1));
    }
}
