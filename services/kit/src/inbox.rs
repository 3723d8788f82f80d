//! Events taken once: a receiver remembers which it has had.
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

/// How long an event is remembered: a sender that was out of order for longer than this is looked after by people.
pub const REMEMBERED: Duration = Duration::days(30);

/// Whether `event` was never taken before. It is from now on, if the caller's transaction commits: what the event brings
/// about belongs into the same one. Somebody else who is taking it is waited for.
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

/// Forgets at most `most` of the events that were taken long ago; gives how many.
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
