//! Coupons, and their state for an account.

pub(crate) mod applied;
pub(crate) mod catalogue;
pub(crate) mod claim;
pub(crate) mod quote;
pub(crate) mod usage;

use kit_db::span;
use serde::Serialize;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::discount::Discount;
use crate::product::Kind;

/// A coupon as its author writes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Coupon {
    pub(crate) id: i64,
    /// In NFKC and upper case.
    pub(crate) code: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) discount: Discount,
    /// The minimum price of the lines in its scope together, in yen.
    pub(crate) minimum: Option<i32>,
    pub(crate) starts_at: OffsetDateTime,
    /// Exclusive; `None` if open-ended.
    pub(crate) ends_at: Option<OffsetDateTime>,
    /// Empty if it is not limited to products. Ascending.
    pub(crate) product_ids: Vec<i64>,
    /// Empty if it is not limited to kinds.
    pub(crate) product_kinds: Vec<Kind>,
    pub(crate) is_first_order_only: bool,
    /// Whether every account sees it and can use it without entering the code.
    pub(crate) is_public: bool,
    /// The maximum number of orders of an account that may use it.
    pub(crate) per_account: i32,
    /// The maximum number of orders in all that may use it, or `None` for no limit.
    pub(crate) total_uses: Option<i32>,
}

impl Coupon {
    /// Whether the coupon applies to a product of this kind with this id. A subscription is never
    /// discounted, because later charges go to the card of the first charge.
    pub(crate) fn covers(&self, kind: Kind, product: i64) -> bool {
        kind != Kind::Subscription
            && (self.product_kinds.is_empty() || self.product_kinds.contains(&kind))
            && (self.product_ids.is_empty() || self.product_ids.contains(&product))
    }

    fn has_started(&self, now: OffsetDateTime) -> bool {
        self.starts_at <= now
    }

    fn has_ended(&self, now: OffsetDateTime) -> bool {
        self.ends_at.is_some_and(|end| end <= now)
    }
}

/// A coupon as an account sees it.
#[derive(Clone, Debug)]
pub(crate) struct AccountCoupon {
    pub(crate) coupon: Coupon,
    /// When the account entered its code.
    pub(crate) claimed_at: Option<OffsetDateTime>,
    /// When it was put on the cart.
    pub(crate) applied_at: Option<OffsetDateTime>,
    /// The account's orders that use or reserve it.
    pub(crate) own_uses: i64,
    /// All accounts' orders that use or reserve it. 0 if the coupon has no limit.
    pub(crate) all_uses: i64,
    /// Whether the open order reserves it.
    pub(crate) is_reserved: bool,
    /// The last order of the account that used it, and when it was paid.
    pub(crate) last_order: Option<Uuid>,
    pub(crate) used_at: Option<OffsetDateTime>,
    /// Whether the account has paid an order.
    pub(crate) has_bought: bool,
}

/// Whether an account can use a coupon, regardless of its cart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Usable,
    /// The account has reached its limit of uses.
    Used,
    Expired,
    NotStarted,
    /// All uses are taken by other accounts.
    UsedUp,
}

impl AccountCoupon {
    pub(crate) fn state(&self, now: OffsetDateTime) -> State {
        if self.remaining_uses() == 0 {
            State::Used
        } else if self.coupon.has_ended(now) {
            State::Expired
        } else if !self.coupon.has_started(now) {
            State::NotStarted
        } else if self.is_used_up() {
            State::UsedUp
        } else {
            State::Usable
        }
    }

    /// The number of orders of the account that may still use it.
    pub(crate) fn remaining_uses(&self) -> u32 {
        let remaining = i64::from(self.coupon.per_account) - self.own_uses;
        u32::try_from(remaining).unwrap_or_default()
    }

    fn is_used_up(&self) -> bool {
        self.coupon.total_uses.is_some_and(|limit| self.all_uses >= i64::from(limit))
    }
}

/// Lists the coupons of the account by id: the public ones and those it holds.
pub(crate) async fn list_coupons(
    connection: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<Vec<AccountCoupon>> {
    select(connection, account, None, false).await
}

/// Finds a coupon of the account.
pub(crate) async fn find_coupon(
    connection: &mut PgConnection,
    account: Uuid,
    id: i64,
) -> sqlx::Result<Option<AccountCoupon>> {
    Ok(select(connection, account, Some(id), false).await?.pop())
}

/// Lists the coupons on the cart of the account.
pub(crate) async fn list_applied(
    connection: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<Vec<AccountCoupon>> {
    select(connection, account, None, true).await
}

async fn select(
    connection: &mut PgConnection,
    account: Uuid,
    id: Option<i64>,
    is_applied: bool,
) -> sqlx::Result<Vec<AccountCoupon>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            coupon.id, code, name, description, coupon.kind, percent, cap, amount, minimum, starts_at, ends_at,
            product_kinds, is_first_order_only, is_public, per_account, total_uses,
            ARRAY(SELECT product_id FROM coupon_product WHERE coupon_id = coupon.id ORDER BY product_id)
                AS "product_ids!",
            coupon_claim.claimed_at AS "claimed_at?", cart_coupon.applied_at AS "applied_at?",
            CASE WHEN total_uses IS NULL THEN 0
                ELSE (SELECT count(*) FROM coupon_use WHERE coupon_id = coupon.id AND state <> 'freed')
            END AS "all_uses!",
            own.uses AS "own_uses!", own.is_reserved AS "is_reserved!", own.orders[1] AS last_order, own.used_at,
            EXISTS (SELECT FROM orders WHERE account_id = $1 AND paid_at IS NOT NULL) AS "has_bought!"
        FROM coupon
        LEFT JOIN coupon_claim ON coupon_claim.coupon_id = coupon.id AND coupon_claim.account_id = $1
        LEFT JOIN cart_coupon ON cart_coupon.coupon_id = coupon.id AND cart_coupon.account_id = $1
        CROSS JOIN LATERAL (
            SELECT
                count(*) AS uses,
                coalesce(bool_or(coupon_use.state = 'reserved'), false) AS is_reserved,
                array_agg(orders.id ORDER BY placed_at DESC, orders.id DESC) AS orders,
                max(used_at) AS used_at
            FROM orders JOIN coupon_use ON coupon_use.order_id = orders.id
            WHERE orders.account_id = $1 AND coupon_use.coupon_id = coupon.id AND coupon_use.state <> 'freed'
        ) AS own
        WHERE (is_public OR coupon_claim.claimed_at IS NOT NULL)
            AND ($2::bigint IS NULL OR coupon.id = $2)
            AND (NOT $3 OR cart_coupon.applied_at IS NOT NULL)
        ORDER BY coupon.id
        "#,
        account,
        id,
        is_applied,
    )
    .fetch_all(connection)
    .instrument(span("SELECT coupon"))
    .await?;
    let coupons = rows.into_iter().map(|row| {
        Ok(AccountCoupon {
            claimed_at: row.claimed_at,
            applied_at: row.applied_at,
            own_uses: row.own_uses,
            all_uses: row.all_uses,
            is_reserved: row.is_reserved,
            last_order: row.last_order,
            // While a coupon is reserved, its last order is the unpaid one.
            used_at: row.used_at.filter(|_| !row.is_reserved),
            has_bought: row.has_bought,
            coupon: Coupon {
                id: row.id,
                code: row.code,
                name: row.name,
                description: row.description,
                discount: decode_discount(row.percent, row.cap, row.amount)?,
                minimum: row.minimum,
                starts_at: row.starts_at,
                ends_at: row.ends_at,
                product_ids: row.product_ids,
                product_kinds: decode_kinds(&row.product_kinds)?,
                is_first_order_only: row.is_first_order_only,
                is_public: row.is_public,
                per_account: row.per_account,
                total_uses: row.total_uses,
            },
        })
    });
    coupons.collect()
}

fn decode_discount(percent: Option<i32>, cap: Option<i32>, amount: Option<i32>) -> sqlx::Result<Discount> {
    match (percent, amount) {
        (Some(percent), None) => Ok(Discount::Percent { percent, cap }),
        (None, Some(amount)) => Ok(Discount::Fixed { amount }),
        _ => Err(sqlx::Error::Decode("a coupon has no discount".into())),
    }
}

fn decode_kinds(names: &[String]) -> sqlx::Result<Vec<Kind>> {
    let kind = |name: &String| {
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| sqlx::Error::Decode(format!("no kind of product is {name}").into()))
    };
    names.iter().map(kind).collect()
}
