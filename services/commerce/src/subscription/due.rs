//! The queue of subscriptions. `next_run_at` is also the end of a worker's lease.

use kit_db::outbox::QueueState;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

/// A subscription that a worker has taken.
#[derive(Clone, Debug)]
pub(crate) struct DueSubscription {
    pub(crate) id: Uuid,
    /// Runs so far, including the current one.
    pub(crate) runs: i32,
}

/// Takes the subscription that has been due the longest, and leases it for `lease`.
pub(crate) async fn take_due(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<DueSubscription>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        DueSubscription,
        "
        UPDATE subscription SET runs = runs + 1, next_run_at = $2
        WHERE id = (
            SELECT id FROM subscription WHERE next_run_at <= $1
            ORDER BY next_run_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING id, runs
        ",
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Schedules the next run, unless the subscription was changed or another process has taken it
/// since.
pub(crate) async fn postpone(
    connection: &mut PgConnection,
    subscription: &DueSubscription,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE subscription SET next_run_at = $3 WHERE id = $1 AND runs = $2 AND next_run_at IS NOT NULL",
        subscription.id,
        subscription.runs,
        at,
    )
    .execute(connection)
    .instrument(span("UPDATE subscription"))
    .await?;
    Ok(())
}

/// Reads the state of the queue: the oldest expired period without a renewal, and whether a
/// subscription is due.
pub(crate) async fn probe(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT
            min(period_end) FILTER (WHERE period_end <= $1 AND state <> 'past_due') AS oldest,
            coalesce(bool_or(next_run_at <= $1), false) AS "is_due!"
        FROM subscription WHERE next_run_at IS NOT NULL
        "#,
        now,
    )
    .fetch_one(connection)
    .await
}
