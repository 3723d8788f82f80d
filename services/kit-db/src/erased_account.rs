//! Erased accounts. Events may arrive in any order, and requests late, so one may arrive after the erasure of its account.
//! It must not write rows of the account again.
//!
//! The table in the database of each service that uses it:
//!
//! ```sql
//! CREATE TABLE erased_account (
//!     id uuid CONSTRAINT erased_account_pkey PRIMARY KEY,
//!     erased_at timestamptz NOT NULL
//! );
//! CREATE INDEX erased_account_erased_at ON erased_account (erased_at);
//! ```

#![expect(
    clippy::disallowed_methods,
    reason = "the table lies in the database of every service that uses it, so no build can check"
)]

use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::{inbox, span};

/// Retention of an erased account, the same as that of events in the inbox. If a sender is down for longer, its events need
/// manual repair.
const RETENTION: Duration = inbox::REMEMBERED;

/// Remembers that the account was erased. The caller holds the service's lock of the account.
pub async fn add(database: &mut PgConnection, account: Uuid, now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO erased_account (id, erased_at) VALUES ($1, $2) \
         ON CONFLICT ON CONSTRAINT erased_account_pkey DO UPDATE SET erased_at = excluded.erased_at",
    )
    .bind(account)
    .bind(now)
    .execute(database)
    .instrument(span("INSERT erased_account"))
    .await?;
    Ok(())
}

/// Whether the account was erased. The caller holds the service's lock of the account, so a concurrent erasure is either
/// finished or begins later.
pub async fn contains(database: &mut PgConnection, account: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT EXISTS (SELECT FROM erased_account WHERE id = $1)")
        .bind(account)
        .fetch_one(database)
        .instrument(span("SELECT erased_account"))
        .await
}

/// Deletes at most `limit` accounts whose retention is over. Returns their number.
pub async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query(
        "DELETE FROM erased_account WHERE id IN (SELECT id FROM erased_account WHERE erased_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
    )
    .bind(now - RETENTION)
    .bind(limit)
    .execute(database)
    .instrument(span("DELETE erased_account"))
    .await?;
    Ok(deleted.rows_affected())
}
