//! Applies the provider's state of refunds.

use kit_db::outbox::Outbox;
use kit_db::span;
use proto::commerce::{self as wire, OrderRefunded, RefundFailed};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::change::{self, LockedOrder};
use crate::ledger::{self, Entry};
use crate::payment::{self, Method};
use crate::refund::{self, Reason, ReportedState, State, return_invoice};

/// A refund whose row this transaction has locked.
struct LockedRefund {
    state: State,
    reason: Reason,
    amount: i32,
    method: Method,
    /// Whether the refund reverses a sale, or replaces one that does.
    is_of_sale: bool,
    /// The provider's id of the refund.
    provider_refund: Option<String>,
}

/// Applies the provider's state of a refund once. A state never goes back. Locks the order, its
/// payment, then the refund.
pub(crate) async fn apply_reported_state(
    connection: &mut PgConnection,
    outbox: &Outbox,
    id: Uuid,
    provider_refund: Option<&str>,
    reported: ReportedState,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let row = sqlx::query!(
        r#"
        SELECT payment_id, order_id, method AS "method: Method"
        FROM refund JOIN payment ON payment.id = payment_id
        WHERE refund.id = $1
        "#,
        id,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT refund"))
    .await?;
    let Some(order) = change::lock_order(connection, row.order_id).await? else { return Ok(()) };
    payment::lock_payment(connection, row.payment_id).await?;
    let locked = lock_refund(connection, id).await?;
    // The provider has made another refund instead. This one is found in the provider's list.
    if locked.provider_refund.as_deref().zip(provider_refund).is_some_and(|(stored, told)| stored != told) {
        return Ok(());
    }
    let (state, entry) = match (locked.state, reported) {
        (State::Succeeded, ReportedState::Failed) => {
            (State::Failed, Some(Entry::RefundFailed { refund: id, amount: locked.amount }))
        }
        (State::Succeeded | State::Failed | State::Overtaken, _) => return Ok(()),
        (State::Requested | State::Pending | State::NeedsDetails, reported) => match reported {
            ReportedState::Pending => (State::Pending, None),
            ReportedState::NeedsDetails => (State::NeedsDetails, None),
            ReportedState::Succeeded => {
                (State::Succeeded, Some(Entry::RefundPaid { refund: id, amount: locked.amount }))
            }
            ReportedState::Failed => (State::Failed, None),
        },
    };
    refund::set_state(connection, id, state, provider_refund, now).await?;
    if let Some(entry) = entry {
        ledger::book_entry(connection, order.id, entry, now).await?;
    }
    if state == State::Succeeded && locked.is_of_sale {
        return_invoice::issue(connection, order.id, &order.number, id, now).await?;
    }
    if state == State::Failed {
        tracing::error!(refund = %id, order = order.number, "a refund failed: return the money manually");
    }
    if matches!(state, State::Succeeded | State::Failed) {
        publish_end(connection, outbox, id, order, &locked, state, now).await?;
    }
    Ok(())
}

/// Records that the school paid a refund itself. The order is locked. Returns its yen.
pub(super) async fn settle_by_hand(
    connection: &mut PgConnection,
    outbox: &Outbox,
    id: Uuid,
    order: LockedOrder,
    now: OffsetDateTime,
) -> sqlx::Result<i32> {
    let locked = lock_refund(connection, id).await?;
    refund::set_state(connection, id, State::Succeeded, None, now).await?;
    if locked.is_of_sale {
        return_invoice::issue(connection, order.id, &order.number, id, now).await?;
    }
    publish_end(connection, outbox, id, order, &locked, State::Succeeded, now).await?;
    Ok(locked.amount)
}

async fn lock_refund(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<LockedRefund> {
    sqlx::query_as!(
        LockedRefund,
        r#"
        SELECT
            refund.state AS "state: State", refund.reason AS "reason: Reason", refund.amount,
            payment.method AS "method: Method",
            coalesce(replaced.reason, refund.reason) IN ('buyer', 'outside', 'duplicate')
                AS "is_of_sale!", refund.provider_refund
        FROM refund
        JOIN payment ON payment.id = refund.payment_id
        LEFT JOIN refund AS replaced ON replaced.id = refund.replaces
        WHERE refund.id = $1
        FOR UPDATE OF refund
        "#,
        id,
    )
    .fetch_one(connection)
    .instrument(span("SELECT refund"))
    .await
}

/// Publishes the event from which desk emails the buyer about the end of a refund.
async fn publish_end(
    connection: &mut PgConnection,
    outbox: &Outbox,
    id: Uuid,
    order: LockedOrder,
    refund: &LockedRefund,
    state: State,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    // An erased account gets no email.
    let Some(account) = order.account else { return Ok(()) };
    if state == State::Failed {
        let can_retry = matches!(refund.method, Method::Konbini | Method::BankTransfer);
        let event = RefundFailed {
            to: order.buyer_email,
            account_id: account.to_string(),
            name: order.buyer_name,
            order_id: order.id.to_string(),
            order_number: order.number,
            amount: refund.amount,
            can_retry,
        };
        outbox.publish(connection, &event, now).await?;
        return Ok(());
    }
    let event = OrderRefunded {
        to: order.buyer_email,
        account_id: account.to_string(),
        name: order.buyer_name,
        order_id: order.id.to_string(),
        order_number: order.number,
        amount: refund.amount,
        reason: wire::RefundReason::from(refund.reason).into(),
        method: wire::PaymentMethod::from(refund.method).into(),
        invoice_refund_id: if refund.is_of_sale { id.to_string() } else { String::new() },
    };
    outbox.publish(connection, &event, now).await?;
    Ok(())
}
