//! Stored entries: export, erasure and retention.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::Entry;
use crate::notification;

/// How long entries are kept after the end of their event.
const RETENTION: Duration = Duration::days(365);

/// An entry with its event, for the export of personal data.
pub(crate) struct StoredEntry {
    pub(crate) title: String,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) entry: Entry,
}

/// Lists all entries of a person and of those whom they signed up, oldest first.
pub(crate) async fn list_stored(database: &mut PgConnection, person: Uuid) -> sqlx::Result<Vec<StoredEntry>> {
    let rows = sqlx::query!(
        r#"SELECT entry.id, event, account, state AS "state: String", offer_until, created_at, changed_at, title, starts_at
        FROM school_event_entry AS entry JOIN school_event ON school_event.id = event
        WHERE account = $1 OR booked_by = $1 ORDER BY queue"#,
        person
    )
    .fetch_all(database)
    .instrument(span("SELECT school_event_entry"))
    .await?;
    let entries = rows.into_iter().map(|row| StoredEntry {
        title: row.title,
        starts_at: row.starts_at,
        entry: Entry {
            id: row.id,
            event: row.event,
            account: row.account,
            state: row.state.into(),
            position: None,
            offer_until: row.offer_until,
            created_at: row.created_at,
            changed_at: row.changed_at,
        },
    });
    Ok(entries.collect())
}

/// Deletes the entries of an account, and its name and address from the entries of people whom it signed up. The job
/// offers the free places. The caller holds the account's lock.
pub(crate) async fn erase(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT id FROM school_event WHERE id IN (SELECT event FROM school_event_entry WHERE account = $1) \
         ORDER BY id FOR UPDATE",
        account
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT school_event"))
    .await?;
    let entries = sqlx::query_scalar!("SELECT id FROM school_event_entry WHERE account = $1", account)
        .fetch_all(&mut *database)
        .instrument(span("SELECT school_event_entry"))
        .await?;
    // Their mails may go to a guardian, and name the participant.
    notification::withdraw(database, &entries).await?;
    sqlx::query!(
        "WITH gone AS (DELETE FROM school_event_entry WHERE account = $1 RETURNING event, state), \
            freed AS (SELECT event, count(*)::int AS places FROM gone WHERE state IN ('signed_up', 'offered') \
                GROUP BY event) \
         UPDATE school_event SET taken = taken - places FROM freed WHERE id = event",
        account
    )
    .execute(&mut *database)
    .instrument(span("DELETE school_event_entry"))
    .await?;
    sqlx::query!(
        "UPDATE school_event_entry SET booked_by = account, sealed = NULL, reminder = NULL WHERE booked_by = $1",
        account
    )
    .execute(database)
    .instrument(span("UPDATE school_event_entry"))
    .await?;
    Ok(())
}

/// Deletes at most `limit` entries of events that ended a year ago. Returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query_scalar!(
        r#"WITH gone AS (DELETE FROM school_event_entry WHERE id IN (
                SELECT entry.id FROM school_event JOIN school_event_entry AS entry ON entry.event = school_event.id
                WHERE ends_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
            RETURNING event, state),
        freed AS (UPDATE school_event SET taken = taken - places FROM (
                SELECT event, count(*)::int AS places FROM gone WHERE state IN ('signed_up', 'offered') GROUP BY event
            ) AS held WHERE id = held.event)
        SELECT count(*) AS "count!" FROM gone"#,
        now - RETENTION,
        limit
    )
    .fetch_one(database)
    .instrument(span("DELETE school_event_entry"))
    .await?;
    Ok(deleted.unsigned_abs())
}
