//! Payments on the provider's page: Checkout Sessions.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{Method, Payment, State};
use crate::provider::Session;

/// Finds the payment of a Checkout Session.
pub(crate) async fn find_by_session(
    connection: &mut PgConnection,
    session: &str,
) -> sqlx::Result<Option<Payment>> {
    sqlx::query_as!(
        Payment,
        r#"
        SELECT
            payment.id, order_id AS "order", attempt, method AS "method: Method", payment.state AS "state: State", amount,
            session, intent, card, customer, is_off_session, page_expires_at, created_at, traceparent
        FROM payment JOIN orders ON orders.id = order_id
        WHERE session = $1
        "#,
        session,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT payment"))
    .await
}

/// Finds the last payment of an order that has no session or intent yet.
pub(crate) async fn find_unstarted(
    connection: &mut PgConnection,
    order: Uuid,
) -> sqlx::Result<Option<Payment>> {
    sqlx::query_as!(
        Payment,
        r#"
        SELECT
            payment.id, order_id AS "order", attempt, method AS "method: Method", payment.state AS "state: State", amount,
            session, intent, card, customer, is_off_session, page_expires_at, created_at, traceparent
        FROM payment JOIN orders ON orders.id = order_id
        WHERE order_id = $1 AND method <> 'saved_card' AND session IS NULL AND intent IS NULL
        ORDER BY attempt DESC LIMIT 1
        "#,
        order,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT payment"))
    .await
}

/// Stores the provider's data of a session that is not final: its ids, its page and its last
/// decline. An open payment then waits for the buyer.
pub(crate) async fn store_session(
    connection: &mut PgConnection,
    id: Uuid,
    session: &Session,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE payment SET
            session = $2,
            intent = coalesce($3, intent),
            page_url = coalesce($4, page_url),
            decline_code = $5,
            state = CASE WHEN state IN ('created', 'unknown') THEN 'requires_action' ELSE state END
        WHERE id = $1
        ",
        id,
        session.id,
        session.intent,
        session.page_url,
        session.decline_code,
    )
    .execute(connection)
    .instrument(span("UPDATE payment"))
    .await?;
    Ok(())
}
