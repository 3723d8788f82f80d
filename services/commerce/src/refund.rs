//! Money that goes back: it came after its order had ended, or beside another payment.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

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
