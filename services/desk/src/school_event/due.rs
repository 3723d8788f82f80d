//! What is due without a request: offers that expire, free places, and reminders.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;

use super::entry::{LockedEntry, lock, settle, store_taken};
use super::mailer::EventMailer;
use crate::email::school_event::News;
use crate::error::Error;

/// How long before the start participants are reminded. Participants who signed up later are not.
const REMINDER: Duration = Duration::DAY;

/// Lists the events with expired offers, or with free places for those who wait.
pub(super) async fn list_due(database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<Vec<i64>> {
    // No span: it runs often and mostly finds nothing.
    sqlx::query_scalar!(
        "SELECT id FROM school_event WHERE \
            EXISTS (SELECT FROM school_event_entry AS entry \
                WHERE entry.event = school_event.id AND state = 'offered' AND offer_until <= $1) \
            OR taken < capacity AND starts_at > $1 AND EXISTS (SELECT FROM school_event_entry AS entry \
                WHERE entry.event = school_event.id AND state = 'waiting') \
         ORDER BY id",
        now
    )
    .fetch_all(database)
    .await
}

/// Ends expired offers of an event, and offers its free places. Requires a transaction.
pub(super) async fn settle_event(
    database: &mut PgConnection,
    id: i64,
    mailer: &EventMailer,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let mut event = lock(database, id).await?;
    settle(database, &mut event, mailer, now).await?;
    Ok(store_taken(database, &event).await?)
}

/// Lists the events whose participants are to be reminded.
pub(super) async fn list_to_remind(
    database: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<i64>> {
    // No span: it runs often and mostly finds nothing.
    sqlx::query_scalar!(
        "SELECT id FROM school_event WHERE starts_at > $1 AND starts_at <= $2 AND EXISTS ( \
            SELECT FROM school_event_entry AS entry WHERE entry.event = school_event.id AND state = 'signed_up' \
            AND reminder IS NULL AND sealed IS NOT NULL AND changed_at < starts_at - interval '24 hours') \
         ORDER BY id",
        now,
        now + REMINDER
    )
    .fetch_all(database)
    .await
}

/// Queues reminders of an event, at most `limit`. Returns their number. Requires a transaction. An entry that ends before
/// its reminder was sent takes it back.
pub(super) async fn remind(
    database: &mut PgConnection,
    id: i64,
    mailer: &EventMailer,
    limit: i64,
    now: OffsetDateTime,
) -> Result<usize, Error> {
    let event = lock(database, id).await?;
    if now >= event.starts_at || now < event.starts_at - REMINDER {
        return Ok(0);
    }
    let due = sqlx::query_as!(
        LockedEntry,
        r#"SELECT id, booked_by, state AS "state: String", sealed FROM school_event_entry
        WHERE event = $1 AND state = 'signed_up' AND reminder IS NULL AND sealed IS NOT NULL AND changed_at < $2
        ORDER BY queue LIMIT $3"#,
        id,
        event.starts_at - REMINDER,
        limit
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT school_event_entry"))
    .await?;
    for entry in &due {
        let reminder = mailer.send(database, &event.facts(), &entry.addressee(), News::Reminder, now).await?;
        // The entry's own id if it was reminded of this start before.
        let reminder = reminder.unwrap_or(entry.id);
        sqlx::query!("UPDATE school_event_entry SET reminder = $2 WHERE id = $1", entry.id, reminder)
            .execute(&mut *database)
            .instrument(span("UPDATE school_event_entry"))
            .await?;
    }
    Ok(due.len())
}
