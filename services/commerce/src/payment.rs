//! Payments: the attempts to pay an order at the provider. A payment's state goes forward only, and
//! a success overrides every other state.

mod charge;
mod intent;
pub(crate) mod message;
mod method;
mod session;

pub(crate) use charge::{find_charge, refuse_payment, store_charge};
pub(crate) use intent::{
    find_bank_transfer, find_by_customer, find_by_intent, find_last, mark_part_funded, store_customer,
    store_intent,
};
pub(crate) use method::Method;
pub(crate) use session::{find_by_session, find_unstarted, store_session};

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::provider::Instructions;
use crate::transfer::Transfer;

/// How long the provider's page is open. The provider's minimum is 30 minutes after the call, which
/// may be late.
const PAGE_PERIOD: Duration = Duration::minutes(35);

/// The state of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum State {
    /// No request was sent to the provider yet.
    Created,
    /// The provider's answer is missing.
    Unknown,
    /// The provider waits for the buyer.
    RequiresAction,
    /// A bank transfer of less than the total has arrived.
    PartFunded,
    Succeeded,
    Failed,
    Cancelled,
    Expired,
}

/// The last payment attempt of an order, as the buyer sees it.
pub(crate) struct LastPayment {
    pub(crate) method: Method,
    pub(crate) state: State,
    /// Yen.
    pub(crate) amount: i32,
    /// The provider's page.
    pub(crate) page_url: Option<String>,
    pub(crate) page_expires_at: OffsetDateTime,
    /// Why the provider refused the last card.
    pub(crate) decline_code: Option<String>,
    /// How to pay without the provider's page.
    pub(crate) instructions: Option<Instructions>,
    /// Bank transfers that arrived for the order, oldest first.
    pub(crate) transfers: Vec<Transfer>,
}

impl LastPayment {
    /// The provider's page, while it is open.
    pub(crate) fn open_page(&self, now: OffsetDateTime) -> Option<&str> {
        let is_open = self.state == State::RequiresAction && now < self.page_expires_at;
        self.page_url.as_deref().filter(|_| is_open)
    }
}

/// An attempt to pay an order.
#[derive(Clone, Debug)]
pub(crate) struct Payment {
    pub(crate) id: Uuid,
    pub(crate) order: Uuid,
    /// From 1.
    pub(crate) attempt: i32,
    pub(crate) method: Method,
    pub(crate) state: State,
    /// Yen.
    pub(crate) amount: i32,
    /// The Checkout Session of a card payment, once the provider has returned it.
    pub(crate) session: Option<String>,
    /// The payment intent, once the provider has returned it.
    pub(crate) intent: Option<String>,
    /// The saved card to charge.
    pub(crate) card: Option<String>,
    /// The provider's customer of a bank transfer or a saved card.
    pub(crate) customer: Option<String>,
    /// Whether the buyer is absent (off session), so 3-D Secure is not possible.
    pub(crate) is_off_session: bool,
    /// When the provider closes its page or expires its codes.
    pub(crate) page_expires_at: OffsetDateTime,
    pub(crate) created_at: OffsetDateTime,
    /// The trace of the request that placed the order.
    pub(crate) traceparent: Option<String>,
}

impl Payment {
    /// Whether the provider has created the payment, so the buyer may be paying.
    pub(crate) fn is_started(&self) -> bool {
        match self.method {
            Method::Card => self.session.is_some(),
            Method::Konbini | Method::BankTransfer | Method::SavedCard | Method::Coupon => {
                self.intent.is_some()
            }
        }
    }

    /// Whether the provider has nothing more to report about the payment. Refunds and disputes have events of their own.
    /// Bank transfers may still arrive for a paid order.
    pub(crate) fn is_final(&self) -> bool {
        self.state == State::Succeeded && self.method != Method::BankTransfer
    }
}

/// The data of an order for a call to the provider.
pub(crate) struct OrderLabel {
    pub(crate) number: String,
    /// `None`: the account was erased.
    pub(crate) account: Option<Uuid>,
    /// The buyer's name.
    pub(crate) name: String,
    /// The buyer's address.
    pub(crate) email: String,
    /// The subscription that the order renews, and the number of the period.
    pub(crate) renews: Option<Uuid>,
    pub(crate) renewal_period: Option<i32>,
    /// Whether the order starts or renews a subscription, which needs a saved card.
    pub(crate) has_subscription: bool,
    pub(crate) due_at: OffsetDateTime,
}

/// A payment attempt to add.
#[derive(Clone, Debug)]
pub(crate) struct NewPayment {
    pub(crate) method: Method,
    /// Yen.
    pub(crate) amount: i32,
    /// The saved card and its customer at the provider. Without them, a payment by saved card
    /// fails.
    pub(crate) card: Option<String>,
    pub(crate) customer: Option<String>,
    pub(crate) is_off_session: bool,
    /// When its order expires unpaid.
    pub(crate) due_at: OffsetDateTime,
}

/// Adds the next attempt to pay an order. The order is locked and has no open payment.
pub(crate) async fn add_payment(
    connection: &mut PgConnection,
    order: Uuid,
    new: &NewPayment,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let page_expires_at = match new.method {
        Method::Card | Method::SavedCard => now + PAGE_PERIOD,
        Method::Konbini | Method::BankTransfer | Method::Coupon => new.due_at,
    };
    sqlx::query!(
        "
        INSERT INTO payment (
            id, order_id, attempt, method, state, amount, card, customer, is_off_session, page_expires_at, created_at
        )
        SELECT $1, $2, coalesce(max(attempt), 0) + 1, $3, 'created', $4, $5, $6, $7, $8, $9
        FROM payment WHERE order_id = $2
        ",
        Uuid::now_v7(),
        order,
        new.method as Method,
        new.amount,
        new.card,
        new.customer,
        new.is_off_session,
        page_expires_at,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT payment"))
    .await?;
    Ok(())
}

/// Adds the payment of an order that coupons cover. The provider is not involved. Returns its id.
pub(crate) async fn add_covered(
    connection: &mut PgConnection,
    order: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "
        INSERT INTO payment (
            id, order_id, attempt, method, state, amount, page_expires_at, created_at, settled_at
        )
        VALUES ($1, $2, 1, 'coupon', 'succeeded', 0, $3, $3, $3)
        ",
        id,
        order,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT payment"))
    .await?;
    Ok(id)
}

/// Finds the last attempt to pay an order.
pub(crate) async fn find_attempt(connection: &mut PgConnection, order: Uuid) -> sqlx::Result<Payment> {
    sqlx::query_as!(
        Payment,
        r#"
        SELECT
            payment.id, order_id AS "order", attempt, method AS "method: Method", payment.state AS "state: State", amount,
            session, intent, card, customer, is_off_session, page_expires_at, created_at, traceparent
        FROM payment JOIN orders ON orders.id = order_id
        WHERE order_id = $1
        ORDER BY attempt DESC LIMIT 1
        "#,
        order,
    )
    .fetch_one(connection)
    .instrument(span("SELECT payment"))
    .await
}

/// Finds the open payment of an order.
pub(crate) async fn find_open(connection: &mut PgConnection, order: Uuid) -> sqlx::Result<Option<Payment>> {
    sqlx::query_as!(
        Payment,
        r#"
        SELECT
            payment.id, order_id AS "order", attempt, method AS "method: Method", payment.state AS "state: State", amount,
            session, intent, card, customer, is_off_session, page_expires_at, created_at, traceparent
        FROM payment JOIN orders ON orders.id = order_id
        WHERE order_id = $1 AND payment.state IN ('created', 'unknown', 'requires_action', 'part_funded')
        "#,
        order,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT payment"))
    .await
}

/// Finds the data of an order for a call to the provider.
pub(crate) async fn find_order_label(connection: &mut PgConnection, order: Uuid) -> sqlx::Result<OrderLabel> {
    sqlx::query_as!(
        OrderLabel,
        r#"
        SELECT
            number, account_id AS account, buyer_name AS name, buyer_email AS email, due_at, renews, renewal_period,
            renews IS NOT NULL OR EXISTS (SELECT FROM subscription WHERE order_id = orders.id)
                AS "has_subscription!"
        FROM orders WHERE id = $1
        "#,
        order,
    )
    .fetch_one(connection)
    .instrument(span("SELECT orders"))
    .await
}

/// Locks a payment, whose order is already locked. Returns its state.
pub(crate) async fn lock_payment(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<State> {
    sqlx::query_scalar!(r#"SELECT state AS "state: State" FROM payment WHERE id = $1 FOR UPDATE"#, id)
        .fetch_one(connection)
        .instrument(span("SELECT payment"))
        .await
}

/// Records that the provider did not answer whether it created the session or intent. Returns
/// `false` if that is known already, or if an answer came in the meantime.
pub(crate) async fn mark_unknown(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    let marked = sqlx::query!("UPDATE payment SET state = 'unknown' WHERE id = $1 AND state = 'created'", id)
        .execute(connection)
        .instrument(span("UPDATE payment"))
        .await?;
    Ok(marked.rows_affected() == 1)
}

/// Marks a payment as succeeded.
pub(crate) async fn mark_succeeded(
    connection: &mut PgConnection,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payment SET state = 'succeeded', settled_at = $2 WHERE id = $1 AND state <> 'succeeded'",
        id,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE payment"))
    .await?;
    Ok(())
}

/// Closes a payment. Returns `false` if it was not open.
pub(crate) async fn close_payment(
    connection: &mut PgConnection,
    id: Uuid,
    state: State,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let closed = sqlx::query!(
        "
        UPDATE payment SET state = $2, settled_at = $3
        WHERE id = $1 AND state IN ('created', 'unknown', 'requires_action', 'part_funded')
        ",
        id,
        state as State,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE payment"))
    .await?;
    Ok(closed.rows_affected() == 1)
}

/// Closes the open payment of an order. Returns `false` if it has none.
pub(crate) async fn close_open(
    connection: &mut PgConnection,
    order: Uuid,
    state: State,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let closed = sqlx::query!(
        "
        UPDATE payment SET state = $2, settled_at = $3
        WHERE order_id = $1 AND state IN ('created', 'unknown', 'requires_action', 'part_funded')
        ",
        order,
        state as State,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE payment"))
    .await?;
    Ok(closed.rows_affected() > 0)
}

/// A payment attempt in the export of personal data.
pub(crate) struct PaymentExport {
    pub(crate) id: Uuid,
    pub(crate) order: Uuid,
    pub(crate) method: Method,
    pub(crate) state: State,
    /// Yen.
    pub(crate) amount: i32,
    pub(crate) decline_code: Option<String>,
    pub(crate) created_at: OffsetDateTime,
    pub(crate) settled_at: Option<OffsetDateTime>,
}

/// Exports every attempt to pay these orders, each order's oldest first.
pub(crate) async fn export(
    connection: &mut PgConnection,
    orders: &[Uuid],
) -> sqlx::Result<Vec<PaymentExport>> {
    sqlx::query_as!(
        PaymentExport,
        r#"
        SELECT
            id, order_id AS "order", method AS "method: Method", state AS "state: State", amount, decline_code,
            created_at, settled_at
        FROM payment
        WHERE order_id = ANY ($1)
        ORDER BY order_id, attempt
        "#,
        orders,
    )
    .fetch_all(connection)
    .instrument(span("SELECT payment"))
    .await
}
