//! Money that goes back. A payment that came too late is returned whole, once; what a buyer gives back, or what went back at
//! the provider, line by line or in parts, and never more than was paid. Bank transfers that paid nothing go back from the
//! cash balance of their customer.

pub(crate) mod quote;
pub(crate) mod refundable;
pub(crate) mod return_invoice;

use kit_db::outbox::QueueState;
use kit_db::span;
use proto::commerce as wire;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::ledger::{self, Entry};
use crate::payment::{Method, Payment};
use crate::provider::ProviderRefundState;

/// The state of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum State {
    /// The provider was not asked yet.
    Requested,
    /// The provider is at it.
    Pending,
    /// The provider has asked the buyer where to send it.
    NeedsDetails,
    Succeeded,
    Failed,
}

/// Why money goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum Reason {
    /// It came after its order had ended, or beside another payment.
    Late,
    /// It was more than the total.
    Excess,
    /// The buyer asked for it.
    Buyer,
    /// It was returned at the provider.
    Outside,
    /// The card's bank took it back.
    Dispute,
    /// Another order had paid for the same.
    Duplicate,
}

impl From<Reason> for wire::RefundReason {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Late => Self::Late,
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
    /// Whether there is a return invoice (返還インボイス).
    pub(crate) has_invoice: bool,
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
            reason AS "reason: Reason", refund.requested_at,
            invoice_number IS NOT NULL AND refund.state = 'succeeded' AS "has_invoice!"
        FROM refund JOIN payment ON payment.id = refund.payment_id
        WHERE payment.order_id = ANY ($1)
        ORDER BY refund.requested_at, refund.id
        "#,
        orders,
    )
    .fetch_all(connection)
    .instrument(span("SELECT refund"))
    .await
}

/// A refund that the provider is asked about.
#[derive(Clone, Debug)]
pub(crate) struct OpenRefund {
    pub(crate) id: Uuid,
    /// Yen.
    pub(crate) amount: i32,
    /// The provider's refund, once it named it.
    pub(crate) provider_refund: Option<String>,
    /// Questions so far, with the one under way.
    pub(crate) tries: i32,
    /// What was paid: the provider's payment, and the Checkout Session that has it.
    pub(crate) intent: Option<String>,
    pub(crate) session: Option<String>,
    /// The customer whose cash balance it goes back from; `None`: it goes back from the payment.
    pub(crate) customer: Option<String>,
    pub(crate) method: Method,
    /// The buyer's address; empty once the account was erased.
    pub(crate) email: String,
    pub(crate) requested_at: OffsetDateTime,
    /// The trace of the request that placed the order.
    pub(crate) traceparent: Option<String>,
}

/// Books a payment that no order is open for, and requests its return.
pub(crate) async fn return_payment(
    connection: &mut PgConnection,
    payment: &Payment,
    amount: i32,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let id = Uuid::now_v7();
    let entry = match payment.method {
        // The transfers are booked.
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

/// Requests the return of money that bank transfers for a payment have brought into the cash balance.
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

/// Takes the oldest refund that the provider is to be asked about, for the time of `lease`.
pub(crate) async fn take_due(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<OpenRefund>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        OpenRefund,
        r#"
        UPDATE refund SET tries = tries + 1, next_try_at = $2
        FROM payment JOIN orders ON orders.id = payment.order_id
        WHERE payment.id = refund.payment_id AND refund.id = (
            SELECT id FROM refund WHERE next_try_at <= $1
            ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING
            refund.id, refund.amount, provider_refund, tries, payment.intent, payment.session,
            CASE WHEN is_from_balance THEN payment.customer END AS customer, payment.method AS "method: Method",
            orders.buyer_email AS email, requested_at, orders.traceparent
        "#,
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Whether the provider does not know of a refund yet.
pub(crate) async fn is_requested(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        SELECT state = 'requested' AND provider_refund IS NULL AS "is_requested!" FROM refund WHERE id = $1
        "#,
        id,
    )
    .fetch_one(connection)
    .instrument(span("SELECT refund"))
    .await
}

/// Lists the refunds from the cash balance of a customer that the provider does not know of yet.
pub(crate) async fn list_unsent(
    connection: &mut PgConnection,
    customer: &str,
) -> sqlx::Result<Vec<OpenRefund>> {
    sqlx::query_as!(
        OpenRefund,
        r#"
        SELECT
            refund.id, refund.amount, provider_refund, tries, payment.intent, payment.session, payment.customer,
            payment.method AS "method: Method", buyer_email AS email, requested_at, orders.traceparent
        FROM refund JOIN payment ON payment.id = payment_id JOIN orders ON orders.id = order_id
        WHERE payment.customer = $1 AND is_from_balance AND refund.state = 'requested'
        ORDER BY requested_at, refund.id
        "#,
        customer,
    )
    .fetch_all(connection)
    .instrument(span("SELECT refund"))
    .await
}

/// Whether this is a refund of ours.
pub(crate) async fn exists(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"SELECT EXISTS (SELECT FROM refund WHERE id = $1) AS "exists!""#, id)
        .fetch_one(connection)
        .instrument(span("SELECT refund"))
        .await
}

/// Finds the refund that the provider gave this id.
pub(crate) async fn find_by_provider_refund(
    connection: &mut PgConnection,
    provider_refund: &str,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM refund WHERE provider_refund = $1", provider_refund)
        .fetch_optional(connection)
        .instrument(span("SELECT refund"))
        .await
}

/// Schedules the next question about a refund that is not settled, unless another process has taken it since.
pub(crate) async fn postpone(
    connection: &mut PgConnection,
    refund: &OpenRefund,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE refund SET next_try_at = $3 WHERE id = $1 AND tries = $2 AND next_try_at IS NOT NULL",
        refund.id,
        refund.tries,
        at,
    )
    .execute(connection)
    .instrument(span("UPDATE refund"))
    .await?;
    Ok(())
}

/// Reads the state of the queue: the oldest refund that the provider does not know of yet, and whether one is due.
pub(crate) async fn probe(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs once a second and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT
            min(requested_at) FILTER (WHERE state = 'requested') AS oldest,
            coalesce(bool_or(next_try_at <= $1), false) AS "is_due!"
        FROM refund WHERE next_try_at IS NOT NULL
        "#,
        now,
    )
    .fetch_one(connection)
    .await
}

/// What the provider says of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    Pending,
    NeedsDetails,
    Succeeded,
    /// Also after it succeeded: a card that was cancelled gives the money back.
    Failed,
}

impl From<ProviderRefundState> for News {
    fn from(state: ProviderRefundState) -> Self {
        match state {
            ProviderRefundState::Pending | ProviderRefundState::Other => Self::Pending,
            ProviderRefundState::RequiresAction => Self::NeedsDetails,
            ProviderRefundState::Succeeded => Self::Succeeded,
            ProviderRefundState::Failed => Self::Failed,
        }
    }
}

/// The state of a refund of which this is the last news.
impl From<News> for State {
    fn from(news: News) -> Self {
        match news {
            News::Pending => Self::Pending,
            News::NeedsDetails => Self::NeedsDetails,
            News::Succeeded => Self::Succeeded,
            News::Failed => Self::Failed,
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
    let settled_at = matches!(state, State::Succeeded | State::Failed).then_some(now);
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
