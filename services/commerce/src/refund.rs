//! Refunds. A late payment is refunded in full, once. A buyer's refund and a refund at the provider
//! are made by line or in part, and never exceed the paid amount. Bank transfers that paid no order
//! are returned from the customer's cash balance.

pub(crate) mod due;
pub(crate) mod quote;
pub(crate) mod refundable;
pub(crate) mod retry;
pub(crate) mod return_invoice;

use kit_db::span;
use proto::commerce as wire;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::ledger::{self, Entry};
use crate::payment::{Method, Payment};
use crate::provider::ProviderRefundState;

/// The state of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum State {
    /// No request was sent to the provider yet.
    Requested,
    /// The provider is processing it.
    Pending,
    /// The provider has asked the buyer for a bank account.
    NeedsDetails,
    Succeeded,
    Failed,
    /// Its money was returned by another refund or a dispute.
    Overtaken,
}

impl State {
    /// Whether the refund is final, so the provider is not queried about it any more.
    fn is_settled(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Overtaken)
    }
}

/// The reason of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum Reason {
    /// The payment arrived after its order had ended, or beside another payment.
    Late,
    /// A part of a late payment, whose rest was returned by other means.
    LatePart,
    /// The amount exceeded the total.
    Excess,
    /// The buyer asked for it.
    Buyer,
    /// It was refunded at the provider.
    Outside,
    /// The card's bank took the money back.
    Dispute,
    /// Another order had paid for the same product.
    Duplicate,
}

impl From<Reason> for wire::RefundReason {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Late | Reason::LatePart => Self::Late,
            Reason::Excess => Self::Excess,
            Reason::Buyer => Self::Buyer,
            Reason::Outside => Self::Outside,
            Reason::Dispute => Self::Dispute,
            Reason::Duplicate => Self::Duplicate,
        }
    }
}

/// A refund, as the buyer sees it.
pub(crate) struct Refund {
    pub(crate) id: Uuid,
    pub(crate) order: Uuid,
    pub(crate) amount: i32,
    pub(crate) state: State,
    pub(crate) reason: Reason,
    pub(crate) requested_at: OffsetDateTime,
    /// Whether it has a return invoice (返還インボイス).
    pub(crate) has_invoice: bool,
    /// Whether it failed and the buyer can enter another bank account.
    pub(crate) can_retry: bool,
    /// Whether it failed and another refund replaces it.
    pub(crate) is_replaced: bool,
}

/// Lists the refunds of these orders, oldest first.
pub(crate) async fn list_refunds(
    connection: &mut PgConnection,
    orders: &[Uuid],
) -> sqlx::Result<Vec<Refund>> {
    sqlx::query_as!(
        Refund,
        r#"
        SELECT
            refund.id, payment.order_id AS "order", refund.amount, refund.state AS "state: State",
            refund.reason AS "reason: Reason", refund.requested_at,
            refund.invoice_number IS NOT NULL AND refund.state = 'succeeded' AS "has_invoice!",
            refund.state = 'failed' AND payment.method IN ('konbini', 'bank_transfer') AND other.id IS NULL
                AS "can_retry!",
            other.id IS NOT NULL AS "is_replaced!"
        FROM refund JOIN payment ON payment.id = refund.payment_id
            LEFT JOIN refund AS other ON other.replaces = refund.id
        WHERE payment.order_id = ANY ($1)
        ORDER BY refund.requested_at, refund.id
        "#,
        orders,
    )
    .fetch_all(connection)
    .instrument(span("SELECT refund"))
    .await
}

/// Books a payment without an open order, and requests its refund.
pub(crate) async fn return_payment(
    connection: &mut PgConnection,
    payment: &Payment,
    amount: i32,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let id = Uuid::now_v7();
    let entry = match payment.method {
        // The transfers are booked already.
        Method::BankTransfer => Entry::TransferReturned { refund: id, amount },
        _ => Entry::LatePaymentReceived { payment: payment.id, amount },
    };
    ledger::book_entry(connection, payment.order, entry, now).await?;
    sqlx::query!(
        "
        INSERT INTO refund (id, payment_id, amount, state, reason, requested_at, next_try_at)
        VALUES ($1, $2, $3, 'requested', 'late', $4, $4)
        ON CONFLICT (payment_id) WHERE reason = 'late' AND NOT is_from_balance DO NOTHING
        ",
        id,
        payment.id,
        amount,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT refund"))
    .await?;
    Ok(())
}

/// A refund to store.
pub(crate) struct NewRefundRow<'a> {
    pub(crate) payment: Uuid,
    /// Yen.
    pub(crate) amount: i32,
    /// Yen of tax in it, or 0 if it refunds no sale.
    pub(crate) tax: i32,
    pub(crate) state: State,
    pub(crate) reason: Reason,
    /// The provider's id of the refund, if it was made there.
    pub(crate) provider_refund: Option<&'a str>,
}

/// Stores a refund. Unless it is final, it is sent to the provider at once.
pub(crate) async fn insert_refund(
    connection: &mut PgConnection,
    new: &NewRefundRow<'_>,
    now: OffsetDateTime,
) -> sqlx::Result<Uuid> {
    let id = Uuid::now_v7();
    let is_settled = new.state.is_settled();
    sqlx::query!(
        "
        INSERT INTO refund (
            id, payment_id, amount, tax, state, reason, provider_refund, requested_at, settled_at, next_try_at
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ",
        id,
        new.payment,
        new.amount,
        new.tax,
        new.state as State,
        new.reason as Reason,
        new.provider_refund,
        now,
        is_settled.then_some(now),
        (!is_settled).then_some(now),
    )
    .execute(connection)
    .instrument(span("INSERT refund"))
    .await?;
    Ok(id)
}

/// Requests the return of money in the cash balance from bank transfers for a payment.
pub(crate) async fn return_transfers(
    connection: &mut PgConnection,
    payment: &Payment,
    amount: i32,
    reason: Reason,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let id = Uuid::now_v7();
    let entry = Entry::TransferReturned { refund: id, amount };
    ledger::book_entry(connection, payment.order, entry, now).await?;
    sqlx::query!(
        "
        INSERT INTO refund (id, payment_id, amount, state, reason, is_from_balance, requested_at, next_try_at)
        VALUES ($1, $2, $3, 'requested', $4, true, $5, $5)
        ",
        id,
        payment.id,
        amount,
        reason as Reason,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT refund"))
    .await?;
    Ok(())
}

/// Whether the refund is ours, and has no other id at the provider than `provider_refund`.
pub(crate) async fn is_made_as(
    connection: &mut PgConnection,
    id: Uuid,
    provider_refund: &str,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM refund WHERE id = $1 AND coalesce(provider_refund, $2) = $2
        ) AS "is_made!"
        "#,
        id,
        provider_refund,
    )
    .fetch_one(connection)
    .instrument(span("SELECT refund"))
    .await
}

/// Whether a payment arrived without an open order. It is refunded in full, and none of it is a
/// sale.
pub(crate) async fn is_late(connection: &mut PgConnection, payment: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM refund WHERE payment_id = $1 AND reason = 'late' AND NOT is_from_balance
        ) AS "is_late!"
        "#,
        payment,
    )
    .fetch_one(connection)
    .instrument(span("SELECT refund"))
    .await
}

/// Links our refund to the provider's refund of the same amount. Returns `false` if it is linked
/// already or no longer requested.
pub(crate) async fn link(
    connection: &mut PgConnection,
    id: Uuid,
    provider_refund: &str,
) -> sqlx::Result<bool> {
    let linked = sqlx::query!(
        "
        UPDATE refund SET provider_refund = $2
        WHERE id = $1 AND state = 'requested' AND provider_refund IS NULL
            AND NOT EXISTS (SELECT FROM refund WHERE provider_refund = $2)
        ",
        id,
        provider_refund,
    )
    .execute(connection)
    .instrument(span("UPDATE refund"))
    .await?;
    Ok(linked.rows_affected() == 1)
}

/// Finds the refund with this id at the provider.
pub(crate) async fn find_by_provider_refund(
    connection: &mut PgConnection,
    provider_refund: &str,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM refund WHERE provider_refund = $1", provider_refund)
        .fetch_optional(connection)
        .instrument(span("SELECT refund"))
        .await
}

/// The state of a refund as the provider reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportedState {
    Pending,
    NeedsDetails,
    Succeeded,
    /// Possible even after it succeeded: a cancelled card sends the money back.
    Failed,
}

impl From<ProviderRefundState> for ReportedState {
    fn from(state: ProviderRefundState) -> Self {
        match state {
            ProviderRefundState::Pending | ProviderRefundState::Other => Self::Pending,
            ProviderRefundState::RequiresAction => Self::NeedsDetails,
            ProviderRefundState::Succeeded => Self::Succeeded,
            ProviderRefundState::Failed => Self::Failed,
        }
    }
}

/// The state of a refund after this report.
impl From<ReportedState> for State {
    fn from(reported: ReportedState) -> Self {
        match reported {
            ReportedState::Pending => Self::Pending,
            ReportedState::NeedsDetails => Self::NeedsDetails,
            ReportedState::Succeeded => Self::Succeeded,
            ReportedState::Failed => Self::Failed,
        }
    }
}

/// Changes the state of a refund.
pub(crate) async fn set_state(
    connection: &mut PgConnection,
    id: Uuid,
    state: State,
    provider_refund: Option<&str>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let settled_at = state.is_settled().then_some(now);
    sqlx::query!(
        "
        UPDATE refund SET
            state = $2,
            provider_refund = coalesce(provider_refund, $3),
            settled_at = $4,
            next_try_at = CASE WHEN $4::timestamptz IS NULL THEN next_try_at END
        WHERE id = $1
        ",
        id,
        state as State,
        provider_refund,
        settled_at,
    )
    .execute(connection)
    .instrument(span("UPDATE refund"))
    .await?;
    Ok(())
}
