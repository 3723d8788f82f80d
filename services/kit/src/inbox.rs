//! The inbox: a receiver remembers the events it has taken, so that each is applied once.
//!
//! The table in the receiver's own database:
//!
//! ```sql
//! CREATE TABLE inbox (
//!     event uuid CONSTRAINT inbox_pkey PRIMARY KEY,
//!     taken_at timestamptz NOT NULL
//! );
//! CREATE INDEX inbox_taken_at ON inbox (taken_at);
//! ```

#![expect(
    clippy::disallowed_methods,
    reason = "the table lies in every receiver's own database, so no build can check"
)]

use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::db::span;

/// How long an event is remembered. A sender that was down for longer needs manual repair.
pub const REMEMBERED: Duration = Duration::days(30);

/// Remembers `event`, and returns whether it is new.
///
/// The caller applies the event in the same transaction. Waits for another transaction that is taking the same event.
pub async fn is_new(database: &mut PgConnection, event: Uuid, now: OffsetDateTime) -> sqlx::Result<bool> {
    let inserted = sqlx::query(
        "INSERT INTO inbox (event, taken_at) VALUES ($1, $2) ON CONFLICT ON CONSTRAINT inbox_pkey DO NOTHING",
    )
    .bind(event)
    .bind(now)
    .execute(database)
    .instrument(span("INSERT inbox"))
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Deletes at most `most` events that were taken over [`REMEMBERED`] ago. Returns how many.
pub async fn sweep(database: &mut PgConnection, now: OffsetDateTime, most: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query(
        "DELETE FROM inbox WHERE event IN (SELECT event FROM inbox WHERE taken_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
    )
    .bind(now - REMEMBERED)
    .bind(most)
    .execute(database)
    .instrument(span("DELETE inbox"))
    .await?;
    Ok(deleted.rows_affected())
}
