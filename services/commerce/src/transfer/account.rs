//! The bank accounts of customers. Transfers may arrive without an open order, so each account is
//! checked for a period after its last order.

use kit_db::outbox::QueueState;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;

/// How often an account is checked, in case an event is lost. Orders that await a transfer are
/// checked more often.
pub(crate) const CHECK_PERIOD: Duration = Duration::HOUR;
/// How long an account is checked after its last order was due. A later transfer is found by its
/// event.
const WATCH_PERIOD: Duration = Duration::days(60);

/// An account that a worker has taken.
#[derive(Clone, Debug)]
pub(crate) struct WatchedAccount {
    /// The provider's customer.
    pub(crate) customer: String,
    /// Checks so far, including the current one.
    pub(crate) checks: i32,
    pub(crate) watched_until: OffsetDateTime,
}

/// Checks the account of a customer until `WATCH_PERIOD` after `due_at`.
pub(crate) async fn watch(
    connection: &mut PgConnection,
    customer: &str,
    due_at: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO transfer_account (provider_customer, watched_until, next_check_at) VALUES ($1, $2, $3)
        ON CONFLICT ON CONSTRAINT transfer_account_pkey DO UPDATE SET
            watched_until = greatest(transfer_account.watched_until, excluded.watched_until),
            next_check_at = coalesce(transfer_account.next_check_at, excluded.next_check_at)
        ",
        customer,
        due_at + WATCH_PERIOD,
        now + CHECK_PERIOD,
    )
    .execute(connection)
    .instrument(span("INSERT transfer_account"))
    .await?;
    Ok(())
}

/// Takes the account that has been due the longest, and leases it for `lease`.
pub(crate) async fn take_due(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<WatchedAccount>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        WatchedAccount,
        "
        UPDATE transfer_account SET checks = checks + 1, next_check_at = $2
        WHERE provider_customer = (
            SELECT provider_customer FROM transfer_account WHERE next_check_at <= $1
            ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING provider_customer AS customer, checks, watched_until
        ",
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Schedules the next check, or none for `None`. Does nothing if another process has taken the
/// account since.
pub(crate) async fn postpone(
    connection: &mut PgConnection,
    account: &WatchedAccount,
    at: Option<OffsetDateTime>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE transfer_account SET next_check_at = $3 WHERE provider_customer = $1 AND checks = $2",
        account.customer,
        account.checks,
        at,
    )
    .execute(connection)
    .instrument(span("UPDATE transfer_account"))
    .await?;
    Ok(())
}

/// Reads whether an account is due.
pub(crate) async fn probe(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT
            min(next_check_at) FILTER (WHERE next_check_at <= $1) AS oldest,
            coalesce(bool_or(next_check_at <= $1), false) AS "is_due!"
        FROM transfer_account WHERE next_check_at IS NOT NULL
        "#,
        now,
    )
    .fetch_one(connection)
    .await
}
