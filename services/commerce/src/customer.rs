//! Customers at the provider: one for each account that pays by bank transfer, saves a card or
//! subscribes.

use kit_db::outbox::QueueState;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::erased_account;

/// Finds the provider's customer of an account.
pub(crate) async fn find(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!("SELECT provider_customer FROM customer WHERE account_id = $1", account)
        .fetch_optional(connection)
        .instrument(span("SELECT customer"))
        .await
}

/// Finds the account of a customer of the provider.
pub(crate) async fn find_account(
    connection: &mut PgConnection,
    provider_customer: &str,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("SELECT account_id FROM customer WHERE provider_customer = $1", provider_customer)
        .fetch_optional(connection)
        .instrument(span("SELECT customer"))
        .await
}

/// Stores the provider's customer of an account. An existing one stays. If the account was erased
/// in the meantime, the customer is queued for deletion at the provider.
pub(crate) async fn store(
    connection: &mut PgConnection,
    account: Uuid,
    provider_customer: &str,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    if erased_account::is_erased(connection, account).await? {
        return add_erased(connection, provider_customer, now).await;
    }
    sqlx::query!(
        "
        INSERT INTO customer (account_id, provider_customer, created_at) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING
        ",
        account,
        provider_customer,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT customer"))
    .await?;
    Ok(())
}

/// Erases the customer of an account. It is deleted at the provider when no payment needs it.
pub(crate) async fn erase(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let erased = sqlx::query_scalar!(
        "DELETE FROM customer WHERE account_id = $1 RETURNING provider_customer",
        account
    )
    .fetch_optional(&mut *connection)
    .instrument(span("DELETE customer"))
    .await?;
    match erased {
        Some(provider_customer) => add_erased(connection, &provider_customer, now).await,
        None => Ok(()),
    }
}

async fn add_erased(
    connection: &mut PgConnection,
    provider_customer: &str,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO erased_customer (provider_customer, erased_at, next_try_at) VALUES ($1, $2, $2)
        ON CONFLICT ON CONSTRAINT erased_customer_pkey DO NOTHING
        ",
        provider_customer,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT erased_customer"))
    .await?;
    Ok(())
}

/// A customer of an erased account that a worker has taken.
#[derive(Clone, Debug)]
pub(crate) struct ErasedCustomer {
    /// The provider's id.
    pub(crate) id: String,
    /// Attempts so far, including the current one.
    pub(crate) tries: i32,
}

/// Takes the customer of an erased account that has been due the longest, and leases it for
/// `lease`.
pub(crate) async fn take_erased(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<ErasedCustomer>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        ErasedCustomer,
        "
        UPDATE erased_customer SET tries = tries + 1, next_try_at = $2
        WHERE provider_customer = (
            SELECT provider_customer FROM erased_customer WHERE next_try_at <= $1
            ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING provider_customer AS id, tries
        ",
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Whether a payment, a transfer or a refund still needs the customer at the provider.
pub(crate) async fn is_needed(connection: &mut PgConnection, provider_customer: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM payment
            WHERE customer = $1 AND (
                state IN ('created', 'unknown', 'requires_action', 'part_funded')
                OR EXISTS (SELECT FROM transfer WHERE payment_id = payment.id AND transfer.state = 'held')
                OR EXISTS (
                    SELECT FROM refund
                    WHERE payment_id = payment.id AND refund.state IN ('requested', 'pending', 'needs_details')
                )
            )
        ) AS "is_needed!"
        "#,
        provider_customer,
    )
    .fetch_one(connection)
    .instrument(span("SELECT payment"))
    .await
}

/// Deletes the record of a customer that was deleted at the provider.
pub(crate) async fn forget_erased(
    connection: &mut PgConnection,
    provider_customer: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        WITH account AS (DELETE FROM transfer_account WHERE provider_customer = $1)
        DELETE FROM erased_customer WHERE provider_customer = $1
        ",
        provider_customer,
    )
    .execute(connection)
    .instrument(span("DELETE erased_customer"))
    .await?;
    Ok(())
}

/// Schedules the next attempt, unless another process has taken the customer since.
pub(crate) async fn postpone_erased(
    connection: &mut PgConnection,
    customer: &ErasedCustomer,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE erased_customer SET next_try_at = $3 WHERE provider_customer = $1 AND tries = $2",
        customer.id,
        customer.tries,
        at,
    )
    .execute(connection)
    .instrument(span("UPDATE erased_customer"))
    .await?;
    Ok(())
}

/// Reads the state of the queue of erased customers.
pub(crate) async fn probe_erased(
    connection: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT
            min(next_try_at) FILTER (WHERE next_try_at <= $1) AS oldest,
            coalesce(bool_or(next_try_at <= $1), false) AS "is_due!"
        FROM erased_customer
        "#,
        now,
    )
    .fetch_one(connection)
    .await
}
