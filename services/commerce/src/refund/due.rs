//! The queue of refunds to send to the provider or to check there.

use kit_db::outbox::QueueState;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::payment::Method;

/// A refund to send to the provider or to check there.
#[derive(Clone, Debug)]
pub(crate) struct OpenRefund {
    pub(crate) id: Uuid,
    /// Yen.
    pub(crate) amount: i32,
    /// Yen of the payment.
    pub(crate) paid: i32,
    /// How often the provider has refused it.
    pub(crate) refusals: i32,
    /// The provider's id of the refund, once it is known.
    pub(crate) provider_refund: Option<String>,
    /// Attempts so far, including the current one.
    pub(crate) tries: i32,
    /// The payment: its payment intent, and the Checkout Session that has the intent.
    pub(crate) intent: Option<String>,
    pub(crate) session: Option<String>,
    /// The customer whose cash balance it is returned from, or `None` if it refunds the payment.
    pub(crate) customer: Option<String>,
    pub(crate) method: Method,
    /// The buyer's email address, empty once the account was erased.
    pub(crate) email: String,
    pub(crate) requested_at: OffsetDateTime,
    /// The trace of the request that placed the order.
    pub(crate) traceparent: Option<String>,
}

/// Takes the oldest due refund, and leases it for `lease`.
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
            refund.id, refund.amount, payment.amount AS paid, refusals, provider_refund, tries, payment.intent,
            payment.session, CASE WHEN is_from_balance THEN payment.customer END AS customer,
            payment.method AS "method: Method", orders.buyer_email AS email, requested_at, orders.traceparent
        "#,
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Lists the refunds from the cash balance of a customer that the provider does not know yet.
pub(crate) async fn list_unsent(
    connection: &mut PgConnection,
    customer: &str,
) -> sqlx::Result<Vec<OpenRefund>> {
    sqlx::query_as!(
        OpenRefund,
        r#"
        SELECT
            refund.id, refund.amount, payment.amount AS paid, refusals, provider_refund, tries, payment.intent,
            payment.session, payment.customer, payment.method AS "method: Method", buyer_email AS email, requested_at, orders.traceparent
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

/// Lists the refunds of a payment that the provider does not know yet.
pub(crate) async fn list_unsent_of_payment(
    connection: &mut PgConnection,
    payment: Uuid,
) -> sqlx::Result<Vec<OpenRefund>> {
    sqlx::query_as!(
        OpenRefund,
        r#"
        SELECT
            refund.id, refund.amount, payment.amount AS paid, refusals, provider_refund, tries, payment.intent,
            payment.session, NULL AS customer, payment.method AS "method: Method", buyer_email AS email, requested_at,
            orders.traceparent
        FROM refund JOIN payment ON payment.id = payment_id JOIN orders ON orders.id = order_id
        WHERE payment_id = $1 AND NOT is_from_balance AND refund.state = 'requested' AND provider_refund IS NULL
        ORDER BY requested_at, refund.id
        "#,
        payment,
    )
    .fetch_all(connection)
    .instrument(span("SELECT refund"))
    .await
}

/// Records that the provider has refused a refund. The next attempt has another idempotency key.
pub(crate) async fn count_refusal(connection: &mut PgConnection, refund: &OpenRefund) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE refund SET refusals = refusals + 1 WHERE id = $1 AND refusals = $2",
        refund.id,
        refund.refusals,
    )
    .execute(connection)
    .instrument(span("UPDATE refund"))
    .await?;
    Ok(())
}

/// Makes the refunds of a payment due now that were not sent to the provider, or that it refused.
pub(crate) async fn hasten(
    connection: &mut PgConnection,
    payment: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE refund SET next_try_at = $2 WHERE payment_id = $1 AND state = 'requested'",
        payment,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE refund"))
    .await?;
    Ok(())
}

/// Schedules the next attempt or check of a refund that is not final, unless another process has
/// taken it since.
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

/// Reads the state of the queue: the oldest refund that the provider does not know yet, and whether
/// one is due.
pub(crate) async fn probe(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
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
