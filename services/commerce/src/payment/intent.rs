//! Payments without the provider's page: at convenience stores and by bank transfer.

use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{LastPayment, Method, Payment, State};
use crate::provider::{Instructions, Intent};
use crate::transfer;

/// Finds the payment of a payment intent.
pub(crate) async fn find_by_intent(
    connection: &mut PgConnection,
    intent: &str,
) -> sqlx::Result<Option<Payment>> {
    sqlx::query_as!(
        Payment,
        r#"
        SELECT
            payment.id, order_id AS "order", attempt, method AS "method: Method", payment.state AS "state: State", amount,
            session, intent, card, customer, is_off_session, page_expires_at, created_at, traceparent
        FROM payment JOIN orders ON orders.id = order_id
        WHERE intent = $1
        "#,
        intent,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT payment"))
    .await
}

/// Finds the payment by bank transfer of a customer that awaits money, or else the last one.
pub(crate) async fn find_by_customer(
    connection: &mut PgConnection,
    customer: &str,
) -> sqlx::Result<Option<Payment>> {
    sqlx::query_as!(
        Payment,
        r#"
        SELECT
            payment.id, order_id AS "order", attempt, method AS "method: Method", payment.state AS "state: State", amount,
            session, intent, card, customer, is_off_session, page_expires_at, created_at, traceparent
        FROM payment JOIN orders ON orders.id = order_id
        WHERE customer = $1 AND method = 'bank_transfer'
        ORDER BY payment.state IN ('created', 'unknown', 'requires_action', 'part_funded') DESC, payment.id DESC
        LIMIT 1
        "#,
        customer,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT payment"))
    .await
}

/// Finds the last payment of an order that has a customer at the provider for its transfers.
pub(crate) async fn find_bank_transfer(
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
        WHERE order_id = $1 AND method = 'bank_transfer' AND customer IS NOT NULL
        ORDER BY attempt DESC LIMIT 1
        "#,
        order,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT payment"))
    .await
}

/// Stores the provider's customer of a bank transfer, before the payment intent is created.
pub(crate) async fn store_customer(
    connection: &mut PgConnection,
    id: Uuid,
    customer: &str,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE payment SET customer = $2 WHERE id = $1", id, customer)
        .execute(connection)
        .instrument(span("UPDATE payment"))
        .await?;
    Ok(())
}

/// Stores the provider's data of a payment intent that is not final: its id and the payment
/// instructions. An open payment then waits for the buyer. Returns `true` if the instructions are
/// new.
pub(crate) async fn store_intent(
    connection: &mut PgConnection,
    id: Uuid,
    intent: &Intent,
) -> sqlx::Result<bool> {
    let stored = sqlx::query!(
        r#"
        WITH before AS (SELECT instructions IS NULL AS is_unknown FROM payment WHERE id = $1)
        UPDATE payment SET
            intent = $2,
            instructions = coalesce($3, instructions),
            state = CASE WHEN state IN ('created', 'unknown') THEN 'requires_action' ELSE state END
        WHERE id = $1
        RETURNING (SELECT is_unknown FROM before) AS "was_unknown!"
        "#,
        id,
        intent.id,
        intent.instructions.as_ref().map(Json) as Option<Json<&Instructions>>,
    )
    .fetch_one(connection)
    .instrument(span("UPDATE payment"))
    .await?;
    Ok(stored.was_unknown && intent.instructions.is_some())
}

/// Records that a part of the money has arrived.
pub(crate) async fn mark_part_funded(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE payment SET state = 'part_funded'
        WHERE id = $1 AND state IN ('created', 'unknown', 'requires_action')
        ",
        id,
    )
    .execute(connection)
    .instrument(span("UPDATE payment"))
    .await?;
    Ok(())
}

/// Finds the last payment of an order.
pub(crate) async fn find_last(connection: &mut PgConnection, order: Uuid) -> sqlx::Result<LastPayment> {
    let row = sqlx::query!(
        r#"
        SELECT
            method AS "method: Method", state AS "state: State", amount, page_url, page_expires_at, decline_code,
            instructions AS "instructions: Json<Instructions>"
        FROM payment WHERE order_id = $1
        ORDER BY attempt DESC LIMIT 1
        "#,
        order,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT payment"))
    .await?;
    Ok(LastPayment {
        method: row.method,
        state: row.state,
        amount: row.amount,
        page_url: row.page_url,
        page_expires_at: row.page_expires_at,
        decline_code: row.decline_code,
        instructions: row.instructions.map(|Json(instructions)| instructions),
        transfers: transfer::list_transfers(connection, &[order]).await?,
    })
}
