//! Watch credit: the maximum time that a learner can have watched of a lesson, by the server's
//! clock.
//!
//! While a stream has the lesson open, the credit grows by three seconds a second, which is the
//! highest playback speed, up to the lesson's length. Coverage spends it. Unused credit stays, so a
//! device that was offline can report its playback later. Playback needs a stream, so honest
//! playback always has enough credit.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::day::FASTEST;

/// The initial credit. Coverage counts cells of 5 seconds, of which half may not have been played.
const SLACK: Duration = Duration::seconds(15);

/// The remaining credit of a learner for a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Credit {
    /// Excludes the credit earned after `since`.
    left: Duration,
    /// The credit grows from this time. `None` if no stream has the lesson open.
    since: Option<OffsetDateTime>,
}

impl Credit {
    /// The credit of a lesson that no stream ever opened.
    pub(crate) const NONE: Self = Self { left: Duration::ZERO, since: None };

    /// The credit of a lesson that a stream first opened at `since`.
    pub(crate) fn opened(since: OffsetDateTime) -> Self {
        Self { left: SLACK, since: Some(since) }
    }

    /// Adds the credit earned until `now`. `duration` is in seconds.
    pub(crate) fn earn(&mut self, now: OffsetDateTime, duration: i32) {
        if let Some(since) = self.since.filter(|since| *since < now) {
            let most = Duration::seconds(duration.into()).max(self.left);
            self.left = (self.left + (now - since) * FASTEST).min(most);
            self.since = Some(now);
        }
    }

    /// Whole seconds.
    pub(crate) fn seconds(self) -> i32 {
        i32::try_from(self.left.whole_seconds()).unwrap_or(i32::MAX)
    }

    /// Subtracts covered seconds.
    pub(crate) fn spend(&mut self, seconds: i32) {
        self.left -= Duration::seconds(seconds.into());
    }
}

/// Starts the growth of the credit at `now`, unless it grows already.
pub(crate) async fn open(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO watch_credit (learner_id, lesson_id, credit, since)
        VALUES ($1, $2, $3, $4)
        ON CONFLICT (learner_id, lesson_id) DO UPDATE SET since = coalesce(watch_credit.since, excluded.since)
        ",
        learner,
        lesson,
        milliseconds(SLACK),
        now,
    )
    .execute(connection)
    .instrument(span("INSERT watch_credit"))
    .await?;
    Ok(())
}

/// Stops the growth of the credit of lessons that no stream has open any more.
pub(crate) async fn close(
    connection: &mut PgConnection,
    learner: Uuid,
    lessons: &[i64],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE watch_credit
        SET
            credit = least(
                credit + greatest((extract(epoch FROM $3 - since) * 1000 * $4::integer)::bigint, 0),
                greatest(lesson.duration::bigint * 1000, credit)
            ),
            since = NULL
        FROM lesson
        WHERE
            watch_credit.learner_id = $1
            AND watch_credit.lesson_id = ANY ($2)
            AND watch_credit.since IS NOT NULL
            AND lesson.id = watch_credit.lesson_id
            AND NOT EXISTS (
                SELECT
                FROM stream
                WHERE
                    stream.learner_id = $1
                    AND stream.lesson_id = watch_credit.lesson_id
                    AND stream.ended_at IS NULL
            )
        ",
        learner,
        lessons,
        now,
        FASTEST,
    )
    .execute(connection)
    .instrument(span("UPDATE watch_credit"))
    .await?;
    Ok(())
}

/// Finds the stored credit. `None` if no stream ever opened the lesson.
pub(crate) async fn find(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
) -> sqlx::Result<Option<Credit>> {
    let row = sqlx::query!(
        "SELECT credit, since FROM watch_credit WHERE learner_id = $1 AND lesson_id = $2",
        learner,
        lesson,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT watch_credit"))
    .await?;
    Ok(row.map(|row| Credit { left: Duration::milliseconds(row.credit), since: row.since }))
}

/// Stores the credit.
pub(crate) async fn save(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    credit: Credit,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO watch_credit (learner_id, lesson_id, credit, since)
        VALUES ($1, $2, $3, $4)
        ON CONFLICT (learner_id, lesson_id) DO UPDATE SET credit = excluded.credit, since = excluded.since
        ",
        learner,
        lesson,
        milliseconds(credit.left),
        credit.since,
    )
    .execute(connection)
    .instrument(span("INSERT watch_credit"))
    .await?;
    Ok(())
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.whole_milliseconds()).unwrap_or(i64::MAX)
}

/// Deletes the learner's credit.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM watch_credit WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE watch_credit"))
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::{Credit, Duration, OffsetDateTime, SLACK};

    const NOW: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);

    #[test]
    fn credit_grows_by_three_seconds_a_second_up_to_the_length_of_the_lesson() {
        let mut credit = Credit::opened(NOW);
        credit.earn(NOW + Duration::milliseconds(10_500), 100);
        assert_eq!(credit.left, SLACK + Duration::milliseconds(31_500));
        credit.spend(40);
        credit.earn(NOW + Duration::milliseconds(10_500), 100);
        assert_eq!(credit.seconds(), 6, "the same time is not earned twice");
        credit.earn(NOW + Duration::HOUR, 100);
        assert_eq!(credit.seconds(), 100);
    }

    #[test]
    fn credit_does_not_grow_without_a_stream_or_if_the_clock_goes_back() {
        let mut none = Credit::NONE;
        none.earn(NOW, 100);
        assert_eq!(none, Credit::NONE);
        let mut early = Credit::opened(NOW);
        early.earn(NOW - Duration::HOUR, 100);
        assert_eq!(early, Credit::opened(NOW));
    }
}
