//! How long a learner watched, day by day. A day begins at 04:00 in Tokyo, so that a late evening is one.

use kit::db::span;
use sqlx::PgConnection;
use time::macros::offset;
use time::{Date, Duration, OffsetDateTime, UtcOffset};
use tracing::Instrument as _;
use uuid::Uuid;

const TOKYO: UtcOffset = offset!(+9);
/// When a day begins.
const MORNING: Duration = Duration::hours(4);
/// Nothing is played faster.
pub(crate) const FASTEST: i32 = 3;
/// Days a week.
const WEEK: i32 = 7;

/// A day.
pub(crate) struct Watched {
    pub(crate) day: Date,
    /// Of lessons, not of the clock.
    pub(crate) seconds: i32,
}

/// The days that end with today.
pub(crate) struct Week {
    /// The oldest first.
    pub(crate) days: Vec<Watched>,
    /// Days in a row on which something was watched, up to today, or to yesterday as long as today may still join them.
    pub(crate) streak: i64,
}

/// The day that it is at `now`.
pub(crate) fn of(now: OffsetDateTime) -> Date {
    (now.to_offset(TOKYO) - MORNING).date()
}

/// When the day began that it is at `now`.
pub(crate) fn start(now: OffsetDateTime) -> OffsetDateTime {
    of(now).midnight().assume_offset(TOKYO) + MORNING
}

/// So many seconds more were played. A day never has more than three times the seconds that have passed of it.
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
        of(now),
        seconds,
        most,
    )
    .execute(connection)
    .instrument(span("INSERT watch_day"))
    .await?;
    Ok(())
}

/// The most seconds that the day can have by `now`.
fn most(now: OffsetDateTime) -> i32 {
    let passed = (now.to_offset(TOKYO) - MORNING).time().duration_since(time::Time::MIDNIGHT);
    i32::try_from(passed.whole_seconds()).unwrap_or_default() * FASTEST
}

/// The learner's week.
pub(crate) async fn week(
    connection: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Week> {
    let today = of(now);
    let days = sqlx::query_as!(
        Watched,
        r#"
        SELECT day.day::date AS "day!", coalesce(watch_day.seconds, 0) AS "seconds!"
        FROM generate_series($2::date - $3::integer + 1, $2::date, interval '1 day') AS day (day)
        LEFT JOIN watch_day ON watch_day.learner_id = $1 AND watch_day.day = day.day::date
        ORDER BY day.day
        "#,
        learner,
        today,
        WEEK,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT watch_day"))
    .await?;
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

/// Exports the days on which the learner watched, oldest first.
pub(crate) async fn export(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Watched>> {
    sqlx::query_as!(
        Watched,
        "SELECT day, seconds FROM watch_day WHERE learner_id = $1 ORDER BY day",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT watch_day"))
    .await
}

/// Deletes the learner's days.
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

    use super::{most, of, start};

    #[test]
    fn a_day_begins_at_four_in_tokyo() {
        assert_eq!(of(datetime!(2026-11-20 18:59:59 UTC)), date!(2026 - 11 - 20));
        assert_eq!(of(datetime!(2026-11-20 19:00 UTC)), date!(2026 - 11 - 21));
        assert_eq!(of(datetime!(2026-12-31 17:00 UTC)), date!(2026 - 12 - 31));
    }

    #[test]
    fn the_start_of_a_day_is_four_in_the_morning() {
        let four = datetime!(2026-11-20 04:00 +9);
        assert_eq!(start(four), four);
        assert_eq!(start(datetime!(2026-11-21 03:59:59 +9)), four);
    }

    #[test]
    fn a_day_has_three_times_the_seconds_that_have_passed() {
        assert_eq!(most(datetime!(2026-11-20 19:00 UTC)), 0);
        assert_eq!(most(datetime!(2026-11-20 19:00:05.9 UTC)), 15);
        assert_eq!(most(datetime!(2026-11-20 18:59:59 UTC)), 3 * (86_400 - 1));
    }
}
