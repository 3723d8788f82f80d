//! Bank transfers. Each is stored once, for the customer's payment that was open when the transfer
//! was first seen, or else for the last one. A transfer is held in the cash balance until it pays
//! its order or is returned.

pub(crate) mod account;
pub(crate) mod sender;

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::provider::FundedTransfer;

/// The state of a transfer's money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum State {
    /// In the cash balance of the customer.
    Held,
    /// It paid its order, possibly with others.
    Applied,
    /// It was returned to the sender, or is being returned.
    Returned,
}

/// A bank transfer that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    pub(crate) order: Uuid,
    pub(crate) payment: Uuid,
    /// Yen.
    pub(crate) amount: i32,
    /// When it arrived at the provider.
    pub(crate) received_at: OffsetDateTime,
    /// The name as the bank sent it.
    pub(crate) sender_name: String,
    /// Whether the sender has another name than the buyer.
    pub(crate) is_other_name: bool,
    pub(crate) state: State,
}

/// Sums the yen of the transfers that were not returned.
pub(crate) fn sum_received(transfers: &[Transfer]) -> i32 {
    let kept = transfers.iter().filter(|transfer| transfer.state != State::Returned);
    kept.fold(0, |sum, transfer| sum.saturating_add(transfer.amount))
}

/// Lists the transfers for these orders, each order's oldest first.
pub(crate) async fn list_transfers(
    connection: &mut PgConnection,
    orders: &[Uuid],
) -> sqlx::Result<Vec<Transfer>> {
    sqlx::query_as!(
        Transfer,
        r#"
        SELECT
            order_id AS "order", payment_id AS payment, transfer.amount, received_at, sender_name, is_other_name,
            transfer.state AS "state: State"
        FROM transfer JOIN payment ON payment.id = payment_id
        WHERE order_id = ANY ($1)
        ORDER BY order_id, received_at, transfer.id
        "#,
        orders,
    )
    .fetch_all(connection)
    .instrument(span("SELECT transfer"))
    .await
}

/// Sums the yen of an order's transfers in a state.
pub(crate) async fn sum_state(connection: &mut PgConnection, order: Uuid, state: State) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"
        SELECT coalesce(sum(transfer.amount), 0) AS "sum!"
        FROM transfer JOIN payment ON payment.id = payment_id
        WHERE order_id = $1 AND transfer.state = $2
        "#,
        order,
        state as State,
    )
    .fetch_one(connection)
    .instrument(span("SELECT transfer"))
    .await
}

/// Stores a transfer for a payment. Returns its id, or `None` if it was stored already.
pub(crate) async fn add_transfer(
    connection: &mut PgConnection,
    payment: Uuid,
    transfer: &FundedTransfer,
    sender_name: &str,
    is_other_name: bool,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "
        INSERT INTO transfer (
            id, provider_transaction, payment_id, amount, sender_name, is_other_name, state, received_at, stored_at
        )
        VALUES ($1, $2, $3, $4, $5, $6, 'held', $7, $8)
        ON CONFLICT ON CONSTRAINT transfer_provider_transaction_key DO NOTHING
        RETURNING id
        ",
        Uuid::now_v7(),
        transfer.id,
        payment,
        transfer.amount,
        sender_name,
        is_other_name,
        transfer.received_at,
        now,
    )
    .fetch_optional(connection)
    .instrument(span("INSERT transfer"))
    .await
}

/// Sets the state of the transfers held for an order: all, or those that arrived at `since` or
/// later. Returns their yen.
pub(crate) async fn settle_held(
    connection: &mut PgConnection,
    order: Uuid,
    state: State,
    since: Option<OffsetDateTime>,
) -> sqlx::Result<i32> {
    let settled = sqlx::query_scalar!(
        "
        UPDATE transfer SET state = $2
        FROM payment
        WHERE payment.id = payment_id AND order_id = $1 AND transfer.state = 'held'
            AND ($3::timestamptz IS NULL OR received_at >= $3)
        RETURNING transfer.amount
        ",
        order,
        state as State,
        since,
    )
    .fetch_all(connection)
    .instrument(span("UPDATE transfer"))
    .await?;
    Ok(settled.into_iter().fold(0, i32::saturating_add))
}

/// Removes the names of senders from the transfers for the orders of an account.
pub(crate) async fn erase(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE transfer SET sender_name = ''
        FROM payment JOIN orders ON orders.id = order_id
        WHERE payment.id = payment_id AND account_id = $1
        ",
        account,
    )
    .execute(connection)
    .instrument(span("UPDATE transfer"))
    .await?;
    Ok(())
}
