//! Reminders of orders that await payment at a convenience store or by bank transfer. Each reminder
//! is sent once.

use kit_db::outbox::{Outbox, QueueState};
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::{State, change, notice};
use crate::payment::Method;

/// The time of day for reminders, after midnight in Tokyo.
const HOUR: Duration = Duration::hours(10);

/// A reminder that a worker has taken.
#[derive(Clone, Debug)]
pub(crate) struct DueReminder {
    pub(crate) order: Uuid,
    /// The days before the last day.
    pub(crate) days_left: i16,
    /// The trace of the request that placed the order.
    pub(crate) traceparent: Option<String>,
}

/// Plans the reminders of an order that is due at the end of a day, except for those in the past.
pub(crate) async fn plan(
    connection: &mut PgConnection,
    order: Uuid,
    method: Method,
    due_at: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    for &days_left in method.reminder_days() {
        let at = due_at - Duration::days(i64::from(days_left) + 1) + HOUR;
        if at <= now {
            continue;
        }
        sqlx::query!(
            "INSERT INTO reminder (order_id, days_left, next_try_at) VALUES ($1, $2, $3)",
            order,
            days_left,
            at,
        )
        .execute(&mut *connection)
        .instrument(span("INSERT reminder"))
        .await?;
    }
    Ok(())
}

/// Takes the oldest due reminder, and leases it for `lease`.
pub(crate) async fn take_due(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<DueReminder>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        DueReminder,
        r#"
        UPDATE reminder SET next_try_at = $2
        FROM orders
        WHERE orders.id = order_id AND (order_id, days_left) = (
            SELECT order_id, days_left FROM reminder WHERE next_try_at <= $1
            ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING order_id AS "order", days_left, traceparent
        "#,
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Sends a reminder once, if its order still awaits payment and the reminder's day is not over.
pub(crate) async fn send(
    connection: &mut PgConnection,
    outbox: &Outbox,
    reminder: &DueReminder,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let Some(order) = change::lock_order(connection, reminder.order).await? else { return Ok(()) };
    let day_ends = order.due_at - Duration::days(reminder.days_left.into());
    let is_needed = order.state == State::AwaitingPayment && !order.is_ending && now < day_ends;
    // Another worker may have sent it after the lease ended.
    let settled = sqlx::query!(
        "
        UPDATE reminder SET next_try_at = NULL, sent_at = $3
        WHERE order_id = $1 AND days_left = $2 AND next_try_at IS NOT NULL
        ",
        reminder.order,
        reminder.days_left,
        is_needed.then_some(now),
    )
    .execute(&mut *connection)
    .instrument(span("UPDATE reminder"))
    .await?;
    if is_needed && settled.rows_affected() == 1 {
        notice::publish_reminder(connection, outbox, &order, reminder.days_left, now).await?;
    }
    Ok(())
}

/// Reads the state of the queue.
pub(crate) async fn probe(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT
            min(next_try_at) FILTER (WHERE next_try_at <= $1) AS oldest,
            coalesce(bool_or(next_try_at <= $1), false) AS "is_due!"
        FROM reminder WHERE next_try_at IS NOT NULL
        "#,
        now,
    )
    .fetch_one(connection)
    .await
}
