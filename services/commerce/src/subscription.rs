//! Subscriptions with a monthly charge, as their buyers see them. Each period is an order. The
//! first order comes from the cart. The `settlement` places the others, the renewals, and charges
//! them to the saved card.

pub(crate) mod change;
pub(crate) mod consent;
pub(crate) mod due;
pub(crate) mod erasure;
pub(crate) mod person;
pub(crate) mod plan_grant;
pub(crate) mod start;

use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::subscription_rules::{State, find_retry};

/// Subscriptions per page.
pub(crate) const PAGE_SIZE: u32 = 20;
/// The maximum number of a subscription's orders to show.
const ORDERS: i64 = 24;

/// A subscription.
pub(crate) struct Subscription {
    pub(crate) id: Uuid,
    pub(crate) product: i64,
    /// The product's name when it was ordered.
    pub(crate) name: String,
    /// Yen per month, tax included.
    pub(crate) price: i32,
    pub(crate) state: State,
    pub(crate) learner: Uuid,
    pub(crate) learner_name: String,
    pub(crate) started_at: Option<OffsetDateTime>,
    pub(crate) period_start: Option<OffsetDateTime>,
    pub(crate) period_end: Option<OffsetDateTime>,
    pub(crate) ended_at: Option<OffsetDateTime>,
    /// Whether it ends because a guardian withdrew their consent.
    pub(crate) is_consent_withdrawn: bool,
    /// When the unpaid renewal was placed, and when it expires.
    pub(crate) renewal_at: Option<OffsetDateTime>,
    pub(crate) renewal_due_at: Option<OffsetDateTime>,
    /// Why its last charge was refused.
    pub(crate) decline_code: Option<String>,
    /// Newest first.
    pub(crate) orders: Vec<SubscriptionOrder>,
}

/// An order of a subscription.
pub(crate) struct SubscriptionOrder {
    subscription: Uuid,
    pub(crate) id: Uuid,
    pub(crate) number: String,
    /// Yen, tax included.
    pub(crate) total: i32,
    pub(crate) paid_at: Option<OffsetDateTime>,
}

impl Subscription {
    /// Whether the buyer can take the cancellation back.
    pub(crate) fn can_resume(&self) -> bool {
        self.state.can_resume() && !self.is_consent_withdrawn
    }

    /// When the card is charged next.
    pub(crate) fn next_charge_at(&self) -> Option<OffsetDateTime> {
        self.period_end.filter(|_| self.state == State::Active && self.renewal_at.is_none())
    }

    /// The last moment to cancel before the next charge.
    pub(crate) fn cancel_until(&self) -> Option<OffsetDateTime> {
        self.next_charge_at().map(|charge| charge - Duration::SECOND)
    }

    /// When it ends or has ended.
    pub(crate) fn ends_at(&self) -> Option<OffsetDateTime> {
        match self.state {
            State::Ended => self.ended_at,
            State::CancelScheduled => self.period_end,
            State::PastDue => self.renewal_due_at,
            State::Incomplete | State::Active => None,
        }
    }

    /// When a charge that was refused is repeated.
    pub(crate) fn retry_at(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        self.renewal_at.filter(|_| self.state == State::PastDue).and_then(|at| find_retry(at, now))
    }

    /// The exclusive end of the learner's access, as far as is known.
    pub(crate) fn active_until(&self) -> Option<OffsetDateTime> {
        self.started_at?;
        self.ended_at.or(self.renewal_due_at).or(self.period_end)
    }
}

/// Finds a subscription of the account.
pub(crate) async fn find(
    connection: &mut PgConnection,
    account: Uuid,
    id: Uuid,
) -> sqlx::Result<Option<Subscription>> {
    let is_own = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM subscription WHERE id = $1 AND account_id = $2) AS "is_own!""#,
        id,
        account,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT subscription"))
    .await?;
    if !is_own {
        return Ok(None);
    }
    Ok(load(connection, &[id]).await?.pop())
}

/// Lists one page of the account's subscriptions, newest first, without those that were never paid.
/// Also returns the count over all pages, which is 0 if this page is empty.
pub(crate) async fn list_page(
    connection: &mut PgConnection,
    account: Uuid,
    page: Page,
) -> sqlx::Result<(i64, Vec<Subscription>)> {
    let rows = sqlx::query!(
        r#"
        SELECT id, count(*) OVER () AS "count!"
        FROM subscription
        WHERE account_id = $1 AND (started_at IS NOT NULL OR state = 'incomplete')
        ORDER BY id DESC
        LIMIT $2 OFFSET $3
        "#,
        account,
        page.limit(),
        page.offset(),
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT subscription"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let ids: Vec<Uuid> = rows.into_iter().map(|row| row.id).collect();
    Ok((count, load(connection, &ids).await?))
}

/// Exports every subscription of the account, oldest first.
pub(crate) async fn export(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<Subscription>> {
    let ids = sqlx::query_scalar!("SELECT id FROM subscription WHERE account_id = $1", account)
        .fetch_all(&mut *connection)
        .instrument(span("SELECT subscription"))
        .await?;
    let mut subscriptions = load(connection, &ids).await?;
    subscriptions.reverse();
    Ok(subscriptions)
}

/// Loads subscriptions, newest first.
async fn load(connection: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<Vec<Subscription>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        r#"
        SELECT
            subscription.id, product_id, name, price, subscription.state AS "state: State", learner_id, learner_name,
            started_at, period_start, period_end, subscription.ended_at, is_consent_withdrawn, renewal.placed_at AS "renewal_at?",
            renewal.due_at AS "renewal_due_at?", last.decline_code AS "decline_code?"
        FROM subscription
        LEFT JOIN orders AS renewal
            ON renewal.renews = subscription.id AND renewal.state = 'awaiting_payment'
        LEFT JOIN LATERAL (
            SELECT decline_code FROM payment
            WHERE order_id = renewal.id AND subscription.state = 'past_due' AND payment.state = 'failed'
            ORDER BY attempt DESC LIMIT 1
        ) AS last ON true
        WHERE subscription.id = ANY ($1)
        ORDER BY subscription.id DESC
        "#,
        ids,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT subscription"))
    .await?;
    let mut orders = list_orders(connection, ids).await?;
    let subscriptions = rows.into_iter().map(|row| Subscription {
        product: row.product_id,
        name: row.name,
        price: row.price,
        state: row.state,
        learner: row.learner_id,
        learner_name: row.learner_name,
        started_at: row.started_at,
        period_start: row.period_start,
        period_end: row.period_end,
        ended_at: row.ended_at,
        is_consent_withdrawn: row.is_consent_withdrawn,
        renewal_at: row.renewal_at,
        renewal_due_at: row.renewal_due_at,
        decline_code: row.decline_code,
        orders: orders.extract_if(.., |order| order.subscription == row.id).collect(),
        id: row.id,
    });
    Ok(subscriptions.collect())
}

/// Lists the newest orders of each of these subscriptions, newest first.
async fn list_orders(connection: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<Vec<SubscriptionOrder>> {
    sqlx::query_as!(
        SubscriptionOrder,
        r#"
        SELECT subscription.id AS subscription, newest.id AS "id!", number AS "number!", total AS "total!", paid_at
        FROM subscription
        CROSS JOIN LATERAL (
            SELECT id, number, total, paid_at, placed_at FROM orders
            WHERE id = subscription.order_id OR renews = subscription.id
            ORDER BY placed_at DESC, id DESC
            LIMIT $2
        ) AS newest
        WHERE subscription.id = ANY ($1)
        ORDER BY newest.placed_at DESC, newest.id DESC
        "#,
        ids,
        ORDERS,
    )
    .fetch_all(connection)
    .instrument(span("SELECT orders"))
    .await
}

/// Whether the account has a subscription that continues or is about to start, and so needs the
/// saved card.
pub(crate) async fn needs_card(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM subscription WHERE account_id = $1 AND state IN ('incomplete', 'active', 'past_due')
        ) AS "needs_card!"
        "#,
        account,
    )
    .fetch_one(connection)
    .instrument(span("SELECT subscription"))
    .await
}
