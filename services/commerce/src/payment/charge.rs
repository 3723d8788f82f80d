//! Payments with a saved card.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{Method, Payment, State};
use crate::provider::CardIntent;

/// Finds the payment with a saved card for an intent, by the payment's id or the intent's id.
pub(crate) async fn find_charge(
    connection: &mut PgConnection,
    id: Option<Uuid>,
    intent: &str,
) -> sqlx::Result<Option<Payment>> {
    sqlx::query_as!(
        Payment,
        r#"
        SELECT
            payment.id, order_id AS "order", attempt, method AS "method: Method", payment.state AS "state: State", amount,
            session, intent, card, customer, is_off_session, page_expires_at, created_at, traceparent
        FROM payment JOIN orders ON orders.id = order_id
        WHERE method = 'saved_card' AND (intent = $2 OR (payment.id = $1 AND intent IS NULL))
        "#,
        id,
        intent,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT payment"))
    .await
}

/// Stores the provider's data of a charge that is not final. An open payment then waits for the
/// buyer.
pub(crate) async fn store_charge(
    connection: &mut PgConnection,
    id: Uuid,
    intent: &CardIntent,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE payment SET
            intent = $2,
            page_url = $3,
            decline_code = $4,
            state = CASE WHEN state IN ('created', 'unknown') THEN 'requires_action' ELSE state END
        WHERE id = $1
        ",
        id,
        intent.id,
        intent.page_url,
        intent.decline_code,
    )
    .execute(connection)
    .instrument(span("UPDATE payment"))
    .await?;
    Ok(())
}

/// Closes a payment whose card was refused. Returns `false` if it was not open.
pub(crate) async fn refuse_payment(
    connection: &mut PgConnection,
    id: Uuid,
    intent: Option<&str>,
    reason: &str,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let refused = sqlx::query!(
        "
        UPDATE payment SET state = 'failed', settled_at = $4, intent = coalesce($2, intent), decline_code = $3
        WHERE id = $1 AND state IN ('created', 'unknown', 'requires_action')
        ",
        id,
        intent,
        reason,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE payment"))
    .await?;
    Ok(refused.rows_affected() == 1)
}
