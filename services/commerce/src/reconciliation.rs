//! The reconciliation with the provider. Its lists of refunds, disputes and balance transactions
//! are read periodically. What the database lacks is handled like a webhook event.

use std::collections::HashMap;

use kit_db::outbox::QueueState;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;

use crate::dispute;
use crate::refund;

/// How often each list is read.
pub(crate) const PERIOD: Duration = Duration::minutes(2);

/// A list of the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum List {
    Refunds,
    Disputes,
    /// Balance transactions.
    Balance,
}

/// A list that a worker has taken.
#[derive(Clone, Debug)]
pub(crate) struct DueList {
    pub(crate) list: List,
    /// All objects that the provider created before this time were read. `None` if the list was
    /// never read.
    pub(crate) read_until: Option<OffsetDateTime>,
    /// Runs so far, including the current one.
    pub(crate) runs: i32,
}

/// Takes the list that has been due the longest, and leases it for `lease`.
pub(crate) async fn take_due(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<DueList>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        DueList,
        r#"
        UPDATE reconciliation SET runs = runs + 1, next_run_at = $2
        WHERE list = (
            SELECT list FROM reconciliation WHERE next_run_at <= $1
            ORDER BY next_run_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING list AS "list: List", read_until, runs
        "#,
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Records that a list was read, unless another process has taken it since. The next run is one
/// period after `read_until`: a run that took long delays the next one by nothing.
pub(crate) async fn finish(
    connection: &mut PgConnection,
    list: &DueList,
    read_until: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE reconciliation SET read_until = $3, next_run_at = $4 WHERE list = $1 AND runs = $2",
        list.list as List,
        list.runs,
        read_until,
        read_until + PERIOD,
    )
    .execute(connection)
    .instrument(span("UPDATE reconciliation"))
    .await?;
    Ok(())
}

/// Schedules the next run, unless another process has taken the list since.
pub(crate) async fn postpone(
    connection: &mut PgConnection,
    list: &DueList,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE reconciliation SET next_run_at = $3 WHERE list = $1 AND runs = $2",
        list.list as List,
        list.runs,
        at,
    )
    .execute(connection)
    .instrument(span("UPDATE reconciliation"))
    .await?;
    Ok(())
}

/// Reads the state of the queue: since when a list is overdue, and whether one is due.
pub(crate) async fn probe(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    let late: OffsetDateTime = now - PERIOD * 2;
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT
            min(read_until) FILTER (WHERE read_until <= $2) AS oldest,
            coalesce(bool_or(next_run_at <= $1), false) AS "is_due!"
        FROM reconciliation
        "#,
        now,
        late,
    )
    .fetch_one(connection)
    .await
}

/// Reads the states of refunds by the provider's ids.
pub(crate) async fn find_refunds(
    connection: &mut PgConnection,
    ids: &[String],
) -> sqlx::Result<HashMap<String, refund::State>> {
    let rows = sqlx::query!(
        r#"
        SELECT provider_refund AS "id!", state AS "state: refund::State"
        FROM refund WHERE provider_refund = ANY ($1)
        "#,
        ids,
    )
    .fetch_all(connection)
    .instrument(span("SELECT refund"))
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.state)).collect())
}

/// Reads the states of disputes by the provider's ids.
pub(crate) async fn find_disputes(
    connection: &mut PgConnection,
    ids: &[String],
) -> sqlx::Result<HashMap<String, dispute::State>> {
    let rows = sqlx::query!(
        r#"
        SELECT provider_dispute AS id, state AS "state: dispute::State"
        FROM dispute WHERE provider_dispute = ANY ($1)
        "#,
        ids,
    )
    .fetch_all(connection)
    .instrument(span("SELECT dispute"))
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.state)).collect())
}
