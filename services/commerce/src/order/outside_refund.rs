//! Refunds that were made at the provider and not by us. They can't be refused: they are booked as they are.

use kit_db::outbox::Outbox;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::change;
use super::refund_agreement::{self, Agreement};
use crate::payment;
use crate::provider::ProviderRefund;
use crate::refund::refundable::{self, RefundableOrder};
use crate::refund::{self, Reason};

/// The payment of an intent, with its order.
pub(crate) struct IntentPayment {
    pub(crate) id: Uuid,
    pub(crate) order: Uuid,
    /// Whether it is booked that it was paid.
    pub(crate) is_received: bool,
}

/// Finds the payment of an intent.
pub(crate) async fn find_payment(
    connection: &mut PgConnection,
    intent: &str,
) -> sqlx::Result<Option<IntentPayment>> {
    sqlx::query_as!(
        IntentPayment,
        r#"
        SELECT id, order_id AS "order", state = 'succeeded' AS "is_received!" FROM payment WHERE intent = $1
        "#,
        intent,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT payment"))
    .await
}

/// Finds or stores the refund of ours that a refund at the provider is. Locks the order, then its payment.
pub(crate) async fn adopt(
    connection: &mut PgConnection,
    outbox: &Outbox,
    of: &IntentPayment,
    made: &ProviderRefund,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Uuid>> {
    let Some(locked) = change::lock_order(connection, of.order).await? else { return Ok(None) };
    payment::lock_payment(connection, of.id).await?;
    if let Some(known) = refund::find_by_provider_refund(connection, &made.id).await? {
        return Ok(Some(known));
    }
    if let Some(waiting) = adopt_waiting(connection, of.id, made).await? {
        return Ok(Some(waiting));
    }
    let failed = find_failed(connection, of.id, made.amount).await?;
    if let Some(failed) = failed {
        return insert_replacement(connection, of.id, failed, made, now).await.map(Some);
    }
    let Some(order) = refundable::find(connection, of.order).await? else { return Ok(None) };
    tracing::warn!(order = locked.number, amount = made.amount, "a refund was made at the provider");
    let lines = if made.amount >= order.left() { spread(&order, made.amount) } else { Vec::new() };
    let agreement = Agreement {
        reason: Reason::Outside,
        amount: made.amount,
        lines: &lines,
        provider_refund: Some(&made.id),
    };
    let order = RefundableOrder { payment: of.id, ..order };
    refund_agreement::agree(connection, outbox, &order, &agreement, now).await
}

/// All lines that were not refunded, with their parts of an amount that leaves nothing to refund.
pub(crate) fn spread(order: &RefundableOrder, amount: i32) -> Vec<(i16, i32)> {
    let mut left = amount;
    let open = order.lines.iter().filter(|line| line.refunded.is_none());
    let part = |line: &refundable::RefundableLine| {
        let part = line.paid.min(left);
        left -= part;
        (line.n, part)
    };
    open.map(part).collect()
}

/// A refund of the same amount that the provider was not asked for, or whose answer is missing, is this one.
async fn adopt_waiting(
    connection: &mut PgConnection,
    payment: Uuid,
    made: &ProviderRefund,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "
        UPDATE refund SET provider_refund = $3
        WHERE id = (
            SELECT id FROM refund
            WHERE payment_id = $1 AND amount = $2 AND state = 'requested' AND provider_refund IS NULL
            ORDER BY requested_at, id LIMIT 1
        )
        RETURNING id
        ",
        payment,
        made.amount,
        made.id,
    )
    .fetch_optional(connection)
    .instrument(span("UPDATE refund"))
    .await
}

/// A refund of the same amount that failed, and whose money was not returned since.
async fn find_failed(
    connection: &mut PgConnection,
    payment: Uuid,
    amount: i32,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "
        SELECT id FROM refund
        WHERE payment_id = $1 AND amount = $2 AND state = 'failed'
            AND NOT EXISTS (SELECT FROM refund AS other WHERE other.replaces = refund.id)
        ORDER BY requested_at, id LIMIT 1
        ",
        payment,
        amount,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT refund"))
    .await
}

/// Stores a refund that returns the money of one that failed. It takes back no sale of its own.
async fn insert_replacement(
    connection: &mut PgConnection,
    payment: Uuid,
    failed: Uuid,
    made: &ProviderRefund,
    now: OffsetDateTime,
) -> sqlx::Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "
        INSERT INTO refund (
            id, payment_id, amount, tax, state, reason, provider_refund, replaces, requested_at, next_try_at
        )
        SELECT $1, $2, amount, tax, 'pending', 'outside', $3, id, $4, $4 FROM refund WHERE id = $5
        ",
        id,
        payment,
        made.id,
        now,
        failed,
    )
    .execute(connection)
    .instrument(span("INSERT refund"))
    .await?;
    Ok(id)
}
