//! Outside refunds: refunds that a person makes at the provider. They can't be refused, so they are
//! booked as they are.

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
use crate::refund::due::{self, OpenRefund};
use crate::refund::refundable::{self, RefundableOrder};
use crate::refund::{self, NewRefundRow, Reason, State};

/// The payment of an intent, with its order.
pub(crate) struct IntentPayment {
    pub(crate) id: Uuid,
    pub(crate) order: Uuid,
    /// The requested amount in yen.
    pub(crate) amount: i32,
    /// Whether the payment is booked as received.
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
        SELECT id, order_id AS "order", amount, state = 'succeeded' AS "is_received!" FROM payment WHERE intent = $1
        "#,
        intent,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT payment"))
    .await
}

/// How a refund made at the provider maps to our refunds.
pub(crate) enum Adoption {
    /// It is this refund of ours.
    Is(Uuid),
    /// These refunds of the payment must be settled first: the provider does not know them, or they
    /// failed.
    After(OwedRefunds),
    /// The order is unknown.
    Unknown,
}

/// Refunds of a payment whose money is still at the provider.
pub(crate) struct OwedRefunds {
    /// Refunds that were not sent to the provider, or whose answer is missing.
    pub(crate) unsent: Vec<OpenRefund>,
    /// Failed refunds.
    pub(crate) failed: Vec<Uuid>,
}

/// Finds or stores our refund for a refund made at the provider. `settled`: the refunds of the
/// payment that were already handled. Locks the order, then its payment.
pub(crate) async fn adopt(
    connection: &mut PgConnection,
    outbox: &Outbox,
    of: &IntentPayment,
    made: &ProviderRefund,
    settled: &[Uuid],
    now: OffsetDateTime,
) -> sqlx::Result<Adoption> {
    let Some(locked) = change::lock_order(connection, of.order).await? else {
        return Ok(Adoption::Unknown);
    };
    payment::lock_payment(connection, of.id).await?;
    if let Some(known) = refund::find_by_provider_refund(connection, &made.id).await? {
        return Ok(Adoption::Is(known));
    }
    if let Some(waiting) = adopt_waiting(connection, of.id, made).await? {
        return Ok(Adoption::Is(waiting));
    }
    let failed = find_failed(connection, of.id, made.amount).await?;
    if let Some(failed) = failed {
        let replacement = replace_failed(connection, failed, Some(&made.id), now).await?;
        return Ok(replacement.map_or(Adoption::Unknown, Adoption::Is));
    }
    if let Some(owed) = find_owed(connection, of.id, settled).await? {
        return Ok(Adoption::After(owed));
    }
    if refund::is_late(connection, of.id).await? {
        let part = NewRefundRow {
            payment: of.id,
            amount: made.amount,
            tax: 0,
            state: State::Pending,
            reason: Reason::LatePart,
            provider_refund: Some(&made.id),
        };
        return refund::insert_refund(connection, &part, now).await.map(Adoption::Is);
    }
    let Some(order) = refundable::find(connection, of.order).await? else {
        return Ok(Adoption::Unknown);
    };
    tracing::warn!(order = locked.number, amount = made.amount, "a refund was made at the provider");
    let lines = if made.amount >= order.left() { spread(&order, made.amount) } else { Vec::new() };
    let agreement = Agreement {
        reason: Reason::Outside,
        amount: made.amount,
        lines: &lines,
        provider_refund: Some(&made.id),
    };
    let order = RefundableOrder { payment: of.id, ..order };
    let agreed = refund_agreement::agree(connection, outbox, &order, &agreement, now).await?;
    Ok(agreed.map_or(Adoption::Unknown, Adoption::Is))
}

/// Finds the refunds of a payment that must be settled before an outside refund or a lost dispute
/// is booked. Returns `None` if there are none except `settled`.
pub(crate) async fn find_owed(
    connection: &mut PgConnection,
    payment: Uuid,
    settled: &[Uuid],
) -> sqlx::Result<Option<OwedRefunds>> {
    let mut unsent = due::list_unsent_of_payment(connection, payment).await?;
    unsent.retain(|refund| !settled.contains(&refund.id));
    let mut failed = list_failed(connection, payment).await?;
    failed.retain(|id| !settled.contains(id));
    let is_none = unsent.is_empty() && failed.is_empty();
    Ok((!is_none).then_some(OwedRefunds { unsent, failed }))
}

/// Distributes an amount over all lines without a refund or with an overtaken one. The amount
/// leaves nothing to refund.
pub(crate) fn spread(order: &RefundableOrder, amount: i32) -> Vec<(i16, i32)> {
    let mut left = amount;
    let open = order.lines.iter().filter(|line| line.refunded.is_none() || line.is_overtaken);
    let part = |line: &refundable::RefundableLine| {
        let part = line.paid.min(left);
        left -= part;
        (line.n, part)
    };
    open.map(part).collect()
}

/// Links a refund made at the provider to our refund of the same amount that was not sent or has no
/// answer. A return from a cash balance is no refund of the payment.
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
                AND NOT is_from_balance
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

/// Finds a failed refund of the same amount whose money was not returned since.
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

/// Lists the failed refunds whose money was not returned since. Bank transfers are left out: their
/// money is in the customer's cash balance, where no other refund takes it.
async fn list_failed(connection: &mut PgConnection, payment: Uuid) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "
        SELECT refund.id FROM refund JOIN payment ON payment.id = payment_id
        WHERE payment_id = $1 AND refund.state = 'failed' AND NOT is_from_balance AND method <> 'bank_transfer'
            AND NOT EXISTS (SELECT FROM refund AS other WHERE other.replaces = refund.id)
        ORDER BY requested_at, refund.id
        ",
        payment,
    )
    .fetch_all(connection)
    .instrument(span("SELECT refund"))
    .await
}

/// Stores a refund that returns the money of a failed one. It reverses no sale itself. Returns
/// `None` if that refund did not fail or was returned since. Its payment is locked.
pub(crate) async fn replace_failed(
    connection: &mut PgConnection,
    failed: Uuid,
    made: Option<&str>,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "
        INSERT INTO refund (
            id, payment_id, amount, tax, state, reason, provider_refund, replaces, requested_at, next_try_at
        )
        SELECT
            $1, payment_id, amount, tax, 'pending',
            CASE WHEN reason IN ('late', 'late_part') THEN 'late_part' WHEN reason = 'excess' THEN reason ELSE 'outside' END,
            $2, id, $3, $3
        FROM refund
        WHERE id = $4 AND state = 'failed'
            AND NOT EXISTS (SELECT FROM refund AS other WHERE other.replaces = refund.id)
        RETURNING id
        ",
        Uuid::now_v7(),
        made,
        now,
        failed,
    )
    .fetch_optional(connection)
    .instrument(span("INSERT refund"))
    .await
}
