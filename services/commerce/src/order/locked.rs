//! Orders whose row a transaction has locked.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::State;
use crate::subscription::change::RenewalOrder;

/// An order whose row this transaction has locked.
pub(crate) struct LockedOrder {
    pub(crate) id: Uuid,
    pub(crate) number: String,
    /// `None`: the account was erased.
    pub(crate) account: Option<Uuid>,
    pub(crate) state: State,
    pub(crate) buyer_name: String,
    pub(crate) buyer_email: String,
    /// The buyer's name in katakana.
    pub(crate) buyer_kana: String,
    /// Yen, tax included, after the discount.
    pub(crate) total: i32,
    pub(crate) tax: i32,
    pub(crate) discount: i32,
    pub(crate) placed_at: OffsetDateTime,
    pub(crate) due_at: OffsetDateTime,
    /// The subscription that it renews.
    pub(crate) renews: Option<Uuid>,
    /// Whether the order must end and can no longer be paid.
    pub(crate) is_ending: bool,
}

impl LockedOrder {
    /// The fields that a subscription needs from its renewal.
    pub(crate) fn as_renewal(&self) -> RenewalOrder<'_> {
        RenewalOrder {
            id: self.id,
            number: &self.number,
            total: self.total,
            placed_at: self.placed_at,
            due_at: self.due_at,
        }
    }
}

/// Locks an order until the transaction ends.
pub(crate) async fn lock_order(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<LockedOrder>> {
    sqlx::query_as!(
        LockedOrder,
        r#"
        SELECT id, number, account_id AS account, state AS "state: State", buyer_name, buyer_email, buyer_kana,
            total, tax, discount, placed_at, due_at, renews, is_ending
        FROM orders WHERE id = $1 FOR UPDATE
        "#,
        id,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT orders"))
    .await
}
