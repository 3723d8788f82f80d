//! Orders, as their buyers see them.

pub(crate) mod change;
pub(crate) mod due;
mod duplicate;
pub(crate) mod erasure;
pub(crate) mod export;
mod locked;
pub(crate) mod manual_return;
pub(crate) mod notice;
pub(crate) mod number;
pub(crate) mod outside_refund;
pub(crate) mod overtaken_refund;
pub(crate) mod placing;
pub(crate) mod purchase;
pub(crate) mod refund_agreement;
pub(crate) mod reminder;
pub(crate) mod renewal;
pub(crate) mod returned_payment;
pub(crate) mod transfer_matching;

use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::coupon::usage::{self, OrderCoupon};
use crate::payment::{self, LastPayment};
use crate::product::Kind;
use crate::provider::Instructions;
use crate::refund::{self, Refund};
use crate::transfer;

/// Orders per page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// The state of an order. It never goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum State {
    AwaitingPayment,
    /// Access is being granted.
    Paid,
    /// Every course can be used.
    Fulfilled,
    /// It was not paid in time.
    Expired,
    /// It was cancelled before it was paid.
    Cancelled,
    /// Paid, and some lines were refunded.
    PartRefunded,
    /// Paid, and every line was refunded.
    Refunded,
}

/// An order with its last payment.
pub(crate) struct Order {
    pub(crate) id: Uuid,
    /// The number for people, e.g. `KM-261125-7Q4F2`.
    pub(crate) number: String,
    /// `None`: the account was erased.
    pub(crate) account: Option<Uuid>,
    pub(crate) state: State,
    /// Yen, tax included, after the discount.
    pub(crate) total: i32,
    /// Yen of tax in `total`.
    pub(crate) tax: i32,
    /// The discount of coupons in yen.
    pub(crate) discount: i32,
    pub(crate) placed_at: OffsetDateTime,
    /// When it expires unpaid.
    pub(crate) due_at: OffsetDateTime,
    pub(crate) paid_at: Option<OffsetDateTime>,
    /// When it expired or was cancelled.
    pub(crate) ended_at: Option<OffsetDateTime>,
    pub(crate) payment: LastPayment,
    /// The subscription that the order starts or renews.
    pub(crate) subscription: Option<Uuid>,
    /// In the order of the confirmation.
    pub(crate) lines: Vec<Line>,
    /// Oldest first.
    pub(crate) refunds: Vec<Refund>,
    /// The percentage first.
    pub(crate) coupons: Vec<OrderCoupon>,
    /// `None` in lists.
    pub(crate) confirmation: Option<StoredConfirmation>,
}

/// A line of an order.
pub(crate) struct Line {
    pub(crate) order: Uuid,
    /// Its number in the order, from 1.
    pub(crate) n: i16,
    pub(crate) product: i64,
    pub(crate) kind: Kind,
    pub(crate) course: Option<i64>,
    pub(crate) exam: Option<i64>,
    /// The product's name when it was ordered.
    pub(crate) name: String,
    /// Yen, tax included.
    pub(crate) price: i32,
    /// Its share of the order's discount, in yen.
    pub(crate) discount: i32,
    pub(crate) period_days: Option<i32>,
    pub(crate) learner: Uuid,
    pub(crate) learner_name: String,
    /// The refunded amount in yen.
    pub(crate) refunded: i32,
}

/// The confirmation that the buyer agreed to.
pub(crate) struct StoredConfirmation {
    pub(crate) document: Vec<u8>,
    /// The SHA-256 of the document.
    pub(crate) digest: Vec<u8>,
}

/// The account's order that awaits payment and is no renewal.
pub(crate) struct OpenOrder {
    pub(crate) id: Uuid,
    pub(crate) number: String,
    /// Yen, tax included.
    pub(crate) total: i32,
    pub(crate) due_at: OffsetDateTime,
    /// The SHA-256 of the confirmation.
    pub(crate) confirmation_digest: Vec<u8>,
}

/// Finds an order of the account.
pub(crate) async fn find_order(
    connection: &mut PgConnection,
    account: Uuid,
    id: Uuid,
) -> sqlx::Result<Option<Order>> {
    let orders = load(connection, &[id]).await?;
    let Some(order) = orders.into_iter().find(|order| order.account == Some(account)) else {
        return Ok(None);
    };
    let confirmation = find_confirmation(connection, id).await?;
    Ok(Some(Order { confirmation: Some(confirmation), ..order }))
}

/// The confirmation of an order.
pub(crate) async fn find_confirmation(
    connection: &mut PgConnection,
    id: Uuid,
) -> sqlx::Result<StoredConfirmation> {
    sqlx::query_as!(
        StoredConfirmation,
        "SELECT confirmation AS document, confirmation_digest AS digest FROM orders WHERE id = $1",
        id,
    )
    .fetch_one(connection)
    .instrument(span("SELECT orders"))
    .await
}

/// Finds the account's order that awaits payment and is no renewal. There is at most one.
pub(crate) async fn find_open_order(
    connection: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<Option<OpenOrder>> {
    sqlx::query_as!(
        OpenOrder,
        "
        SELECT id, number, total, due_at, confirmation_digest
        FROM orders
        WHERE account_id = $1 AND state = 'awaiting_payment' AND renews IS NULL
        ",
        account,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT orders"))
    .await
}

/// Lists one page of the account's orders, newest first. Also returns the count over all pages,
/// which is 0 if this page is empty.
pub(crate) async fn list_page(
    connection: &mut PgConnection,
    account: Uuid,
    page: Page,
) -> sqlx::Result<(i64, Vec<Order>)> {
    let rows = sqlx::query!(
        r#"
        SELECT id, count(*) OVER () AS "count!"
        FROM orders
        WHERE account_id = $1
        ORDER BY placed_at DESC, id DESC
        LIMIT $2 OFFSET $3
        "#,
        account,
        page.limit(),
        page.offset(),
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT orders"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let ids: Vec<Uuid> = rows.into_iter().map(|row| row.id).collect();
    if ids.is_empty() {
        return Ok((count, Vec::new()));
    }
    Ok((count, load(connection, &ids).await?))
}

/// Loads orders, newest first.
async fn load(connection: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<Vec<Order>> {
    // One statement, so an order and its payment are consistent.
    let rows = sqlx::query!(
        r#"
        SELECT
            orders.id, number, account_id, orders.state AS "state: State", total, tax, discount, placed_at, due_at,
            paid_at, ended_at, payment.method AS "method: payment::Method", payment.state AS "payment_state: payment::State",
            payment.amount, payment.page_url, payment.page_expires_at, payment.decline_code,
            payment.instructions AS "instructions: Json<Instructions>", renews,
            (SELECT id FROM subscription WHERE order_id = orders.id ORDER BY id LIMIT 1) AS starts
        FROM orders
        JOIN LATERAL (
            SELECT method, state, amount, page_url, page_expires_at, decline_code, instructions
            FROM payment
            WHERE order_id = orders.id
            ORDER BY attempt DESC
            LIMIT 1
        ) AS payment ON true
        WHERE orders.id = ANY ($1)
        ORDER BY placed_at DESC, orders.id DESC
        "#,
        ids,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT orders"))
    .await?;
    let mut orders: Vec<Order> = rows
        .into_iter()
        .map(|row| Order {
            id: row.id,
            number: row.number,
            account: row.account_id,
            state: row.state,
            total: row.total,
            tax: row.tax,
            discount: row.discount,
            placed_at: row.placed_at,
            due_at: row.due_at,
            paid_at: row.paid_at,
            ended_at: row.ended_at,
            payment: LastPayment {
                method: row.method,
                state: row.payment_state,
                amount: row.amount,
                page_url: row.page_url,
                page_expires_at: row.page_expires_at,
                decline_code: row.decline_code,
                instructions: row.instructions.map(|Json(instructions)| instructions),
                transfers: Vec::new(),
            },
            subscription: row.renews.or(row.starts),
            lines: Vec::new(),
            refunds: Vec::new(),
            coupons: Vec::new(),
            confirmation: None,
        })
        .collect();
    for line in list_lines(connection, ids).await? {
        if let Some(order) = orders.iter_mut().find(|order| order.id == line.order) {
            order.lines.push(line);
        }
    }
    for transfer in transfer::list_transfers(connection, ids).await? {
        if let Some(order) = orders.iter_mut().find(|order| order.id == transfer.order) {
            order.payment.transfers.push(transfer);
        }
    }
    for refund in refund::list_refunds(connection, ids).await? {
        if let Some(order) = orders.iter_mut().find(|order| order.id == refund.order) {
            order.refunds.push(refund);
        }
    }
    for coupon in usage::list_uses(connection, ids).await? {
        if let Some(order) = orders.iter_mut().find(|order| order.id == coupon.order) {
            order.coupons.push(coupon);
        }
    }
    Ok(orders)
}

/// Lists the lines of these orders, each order's in the order of its confirmation.
pub(crate) async fn list_lines(connection: &mut PgConnection, orders: &[Uuid]) -> sqlx::Result<Vec<Line>> {
    sqlx::query_as!(
        Line,
        r#"
        SELECT
            order_id AS "order", n, product_id AS product, kind AS "kind: Kind", course_id AS course, exam_id AS exam, name,
            price, discount, period_days, learner_id AS learner, learner_name,
            coalesce(refund_line.amount, 0) AS "refunded!"
        FROM order_line LEFT JOIN refund_line USING (order_id, n)
        WHERE order_id = ANY ($1)
        ORDER BY order_id, n
        "#,
        orders,
    )
    .fetch_all(connection)
    .instrument(span("SELECT order_line"))
    .await
}
