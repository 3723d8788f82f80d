//! Duplicates: a course or an exam seat that a guardian and the learner both order.
//!
//! A line that another account has ordered can't be bought, and orders for the same learner are
//! placed one at a time. If two are still paid, the later one is refunded at once.

use kit_db::outbox::Outbox;
use kit_db::span;
use proto::commerce::{self as wire, RefundRequested, RefundedItem};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::locked::LockedOrder;
use super::refund_agreement::{self, Agreement};
use crate::refund::Reason;
use crate::refund::refundable;

/// Locks the learners of a cart until the transaction ends, so orders for them are placed one at a
/// time.
pub(super) async fn lock_learners_of_cart(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "
        SELECT pg_advisory_xact_lock(hashtextextended('buying for ' || id, 0))
        FROM (SELECT DISTINCT learner_id AS id FROM cart_line WHERE account_id = $1 ORDER BY learner_id) AS learner
        ",
        account,
    )
    .fetch_all(connection)
    .instrument(span("SELECT pg_advisory_xact_lock"))
    .await?;
    Ok(())
}

/// Finds the lines of an order that is being paid whose learner already has the course or exam from
/// a paid order of another account. Orders for the same learner are paid one at a time.
pub(super) async fn find_duplicates(
    connection: &mut PgConnection,
    order: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<i16>> {
    sqlx::query!(
        "
        SELECT pg_advisory_xact_lock(hashtextextended('buying for ' || id, 0))
        FROM (SELECT DISTINCT learner_id AS id FROM order_line WHERE order_id = $1 ORDER BY learner_id) AS learner
        ",
        order,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT pg_advisory_xact_lock"))
    .await?;
    sqlx::query_scalar!(
        "
        SELECT line.n FROM order_line AS line JOIN orders AS own ON own.id = line.order_id
        WHERE line.order_id = $1 AND EXISTS (
            SELECT FROM order_line AS other
            JOIN orders ON orders.id = other.order_id
            LEFT JOIN refund_line ON refund_line.order_id = other.order_id AND refund_line.n = other.n
            WHERE other.order_id <> $1 AND other.learner_id = line.learner_id
                AND (other.course_id = line.course_id OR other.exam_id = line.exam_id)
                AND orders.account_id IS DISTINCT FROM own.account_id
                AND orders.paid_at IS NOT NULL AND refund_id IS NULL
                AND (other.period_days IS NULL OR orders.paid_at + make_interval(days => other.period_days) > $2)
        )
        ORDER BY line.n
        ",
        order,
        now,
    )
    .fetch_all(connection)
    .instrument(span("SELECT order_line"))
    .await
}

/// Refunds duplicate lines in full, and publishes the email with the reason. The order is locked
/// and paid.
pub(super) async fn refund_duplicates(
    connection: &mut PgConnection,
    outbox: &Outbox,
    locked: &LockedOrder,
    duplicates: &[i16],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    if duplicates.is_empty() {
        return Ok(());
    }
    let Some(order) = refundable::find(connection, locked.id).await? else { return Ok(()) };
    let twice: Vec<_> = order.lines.iter().filter(|line| duplicates.contains(&line.n)).collect();
    let lines: Vec<(i16, i32)> = twice.iter().map(|line| (line.n, line.paid)).collect();
    let amount = lines.iter().map(|(_, paid)| paid).sum();
    let agreement = Agreement { reason: Reason::Duplicate, amount, lines: &lines, provider_refund: None };
    refund_agreement::agree(connection, outbox, &order, &agreement, now).await?;
    tracing::warn!(order = locked.number, "a duplicate of a paid order was paid and is refunded");
    let Some(account) = locked.account else { return Ok(()) };
    let items = twice.iter().map(|line| RefundedItem {
        name: line.label(),
        amount: line.paid,
        kind: wire::ProductKind::from(line.kind).into(),
    });
    let event = RefundRequested {
        to: locked.buyer_email.clone(),
        account_id: account.to_string(),
        name: locked.buyer_name.clone(),
        order_id: locked.id.to_string(),
        order_number: locked.number.clone(),
        items: items.collect(),
        amount,
        method: wire::PaymentMethod::from(order.method).into(),
        reason: wire::RefundReason::Duplicate.into(),
    };
    outbox.publish(connection, &event, now).await?;
    Ok(())
}
