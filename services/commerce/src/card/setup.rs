//! The provider's page on which an account enters a card. commerce queries the page's state when
//! the buyer returns, when an event reports it, and every few minutes until the page is closed.

use kit_db::outbox::QueueState;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

/// How long the page is open. The provider's minimum is 30 minutes after the call.
pub(crate) const PAGE_PERIOD: Duration = Duration::minutes(35);

/// A page that a worker has taken.
#[derive(Clone, Debug)]
pub(crate) struct DueSetup {
    /// The Checkout Session.
    pub(crate) session: String,
    /// Checks so far, including the current one.
    pub(crate) tries: i32,
}

/// Stores the page of an account, replacing an earlier one.
pub(crate) async fn store(
    connection: &mut PgConnection,
    account: Uuid,
    session: &str,
    expires_at: OffsetDateTime,
    next_try_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO card_setup (account_id, session, expires_at, next_try_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT ON CONSTRAINT card_setup_pkey DO UPDATE SET
            session = excluded.session, expires_at = excluded.expires_at, next_try_at = excluded.next_try_at, tries = 0
        ",
        account,
        session,
        expires_at,
        next_try_at,
    )
    .execute(connection)
    .instrument(span("INSERT card_setup"))
    .await?;
    Ok(())
}

/// Finds the page of an account.
pub(crate) async fn find(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!("SELECT session FROM card_setup WHERE account_id = $1", account)
        .fetch_optional(connection)
        .instrument(span("SELECT card_setup"))
        .await
}

/// Deletes a page that is finished, unless the account has a newer one.
pub(crate) async fn delete_session(connection: &mut PgConnection, session: &str) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM card_setup WHERE session = $1", session)
        .execute(connection)
        .instrument(span("DELETE card_setup"))
        .await?;
    Ok(())
}

/// Deletes the page of an account.
pub(super) async fn delete(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM card_setup WHERE account_id = $1", account)
        .execute(connection)
        .instrument(span("DELETE card_setup"))
        .await?;
    Ok(())
}

/// Takes the page that is due for a check, and leases it for `lease`.
pub(crate) async fn take_due(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<DueSetup>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        DueSetup,
        "
        UPDATE card_setup SET tries = tries + 1, next_try_at = $2
        WHERE account_id = (
            SELECT account_id FROM card_setup WHERE next_try_at <= $1
            ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING session, tries
        ",
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Schedules the next check, unless another process has taken it since.
pub(crate) async fn postpone(
    connection: &mut PgConnection,
    setup: &DueSetup,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card_setup SET next_try_at = $3 WHERE session = $1 AND tries = $2",
        setup.session,
        setup.tries,
        at,
    )
    .execute(connection)
    .instrument(span("UPDATE card_setup"))
    .await?;
    Ok(())
}

/// Reads the state of the queue: the oldest page that should be closed, and whether a check is due.
pub(crate) async fn probe(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT
            min(expires_at) FILTER (WHERE expires_at <= $1) AS oldest,
            coalesce(bool_or(next_try_at <= $1), false) AS "is_due!"
        FROM card_setup
        "#,
        now,
    )
    .fetch_one(connection)
    .await
}
