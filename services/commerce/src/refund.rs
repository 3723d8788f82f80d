//! Money that goes back: it came after its order had ended, or beside another payment. A payment is returned whole, once.

use kit_db::outbox::{Outbox, QueueState};
use kit_db::span;
use proto::commerce::OrderRefunded;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::ledger::{self, Entry};
use crate::order::change;
use crate::payment;

/// The state of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum State {
    /// The provider was not asked yet.
    Requested,
    /// The provider is at it.
    Pending,
    Succeeded,
    Failed,
}

/// A refund, as the buyer sees it.
pub(crate) struct Refund {
    pub(crate) order: Uuid,
    pub(crate) amount: i32,
    pub(crate) state: State,
    pub(crate) requested_at: OffsetDateTime,
}

/// Lists the refunds of these orders, oldest first.
pub(crate) async fn list_refunds(
    connection: &mut PgConnection,
    orders: &[Uuid],
) -> sqlx::Result<Vec<Refund>> {
    sqlx::query_as!(
        Refund,
        r#"
        SELECT payment.order_id AS "order", refund.amount, refund.state AS "state: State", refund.requested_at
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
    /// The trace of the request that placed the order.
    pub(crate) traceparent: Option<String>,
}

/// Books a payment that no order is open for, and requests its return.
pub(crate) async fn return_payment(
    connection: &mut PgConnection,
    order: Uuid,
    payment: Uuid,
    amount: i32,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let entry = Entry::LatePaymentReceived { payment, amount };
    ledger::book_entry(connection, order, entry, now).await?;
    sqlx::query!(
        "
        INSERT INTO refund (id, payment_id, amount, state, requested_at, next_try_at)
        VALUES ($1, $2, $3, 'requested', $4, $4)
        ON CONFLICT ON CONSTRAINT refund_once DO NOTHING
        ",
        Uuid::now_v7(),
        payment,
        amount,
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
        "
        UPDATE refund SET tries = tries + 1, next_try_at = $2
        FROM payment JOIN orders ON orders.id = payment.order_id
        WHERE payment.id = refund.payment_id AND refund.id = (
            SELECT id FROM refund WHERE next_try_at <= $1
            ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING
            refund.id, refund.amount, provider_refund, tries, payment.intent, payment.session, orders.traceparent
        ",
        now,
        now + lease,
    )
    .fetch_optional(connection)
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
    Succeeded,
    /// Also after it succeeded: a card that was cancelled gives the money back.
    Failed,
}

/// Applies what the provider says of a refund, once: a state never goes back. Locks the order, its payment, the refund.
pub(crate) async fn apply(
    connection: &mut PgConnection,
    outbox: &Outbox,
    id: Uuid,
    provider_refund: Option<&str>,
    news: News,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let row = sqlx::query!(
        "
        SELECT payment_id, order_id FROM refund JOIN payment ON payment.id = payment_id WHERE refund.id = $1
        ",
        id,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT refund"))
    .await?;
    let Some(order) = change::lock_order(connection, row.order_id).await? else { return Ok(()) };
    payment::lock_payment(connection, row.payment_id).await?;
    let refund =
        sqlx::query!(r#"SELECT state AS "state: State", amount FROM refund WHERE id = $1 FOR UPDATE"#, id,)
            .fetch_one(&mut *connection)
            .instrument(span("SELECT refund"))
            .await?;
    let (state, entry) = match (refund.state, news) {
        (State::Requested | State::Pending, News::Pending) => (State::Pending, None),
        (State::Requested | State::Pending, News::Succeeded) => {
            (State::Succeeded, Some(Entry::RefundPaid { refund: id, amount: refund.amount }))
        }
        (State::Requested | State::Pending, News::Failed) => (State::Failed, None),
        (State::Succeeded, News::Failed) => {
            (State::Failed, Some(Entry::RefundFailed { refund: id, amount: refund.amount }))
        }
        (State::Succeeded | State::Failed, _) => return Ok(()),
    };
    set_state(connection, id, state, provider_refund, now).await?;
    if let Some(entry) = entry {
        ledger::book_entry(connection, order.id, entry, now).await?;
    }
    if state == State::Failed {
        tracing::error!(refund = %id, order = order.number, "a refund failed: return the money by hand");
    }
    if let (State::Succeeded, Some(account)) = (state, order.account) {
        let event = OrderRefunded {
            to: order.buyer_email,
            account_id: account.to_string(),
            name: order.buyer_name,
            order_id: order.id.to_string(),
            order_number: order.number,
            amount: refund.amount,
        };
        outbox.publish(connection, &event, now).await?;
    }
    Ok(())
}

async fn set_state(
    connection: &mut PgConnection,
    id: Uuid,
    state: State,
    provider_refund: Option<&str>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let settled_at = (state != State::Pending).then_some(now);
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
