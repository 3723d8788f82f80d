//! Customers at the provider: one for each account that pays by bank transfer, saves a card or subscribes.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
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

/// Stores the provider's customer of an account. One that is stored already stays. The customer of an account that was
/// erased meanwhile is deleted at the provider.
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

/// Erases the customer of an account. It is deleted at the provider once no payment needs it.
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
