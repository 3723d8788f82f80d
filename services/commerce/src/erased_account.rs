//! Erased accounts. A request may arrive after the erasure of its account, or of a learner that it
//! buys for. It must not write rows of the account again.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::buyer::Buyer;
use crate::error::Error;

/// Locks an account for its erasure until the transaction ends. Waits for the transactions that
/// [`admit`] accepted. Taken before every other lock.
pub(crate) async fn lock(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('erasure ' || $1::uuid, 0))", account)
        .execute(connection)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await?;
    Ok(())
}

/// Keeps the account and the buyer's learners from being erased until the transaction ends. Fails
/// with [`Error::AccountErased`] if the account was erased, and removes learners that were erased.
/// Must be called before any other lock is taken.
pub(crate) async fn admit(
    connection: &mut PgConnection,
    account: Uuid,
    buyer: &mut Buyer,
) -> Result<(), Error> {
    let erased = admit_others(connection, account, buyer.learner_ids()).await?;
    buyer.learners.retain(|learner| !erased.contains(&learner.id));
    Ok(())
}

/// Like [`admit`], for other accounts than the buyer's learners. Returns the erased ones.
pub(crate) async fn admit_others(
    connection: &mut PgConnection,
    account: Uuid,
    others: Vec<Uuid>,
) -> Result<Vec<Uuid>, Error> {
    let mut ids = others;
    ids.push(account);
    // All transactions lock in the same order, so they can't deadlock.
    ids.sort_unstable();
    ids.dedup();
    sqlx::query!(
        "SELECT pg_advisory_xact_lock_shared(hashtextextended('erasure ' || id, 0)) FROM unnest($1::uuid[]) AS id",
        &ids,
    )
    .execute(&mut *connection)
    .instrument(span("SELECT pg_advisory_xact_lock_shared"))
    .await?;
    let erased = sqlx::query_scalar!("SELECT id FROM erased_account WHERE id = ANY ($1)", &ids)
        .fetch_all(connection)
        .instrument(span("SELECT erased_account"))
        .await?;
    if erased.contains(&account) {
        return Err(Error::AccountErased);
    }
    Ok(erased)
}

/// Whether the account was erased. If not, keeps it from being erased until the transaction ends.
pub(crate) async fn is_erased(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<bool> {
    sqlx::query!("SELECT pg_advisory_xact_lock_shared(hashtextextended('erasure ' || $1::uuid, 0))", account)
        .execute(&mut *connection)
        .instrument(span("SELECT pg_advisory_xact_lock_shared"))
        .await?;
    kit_db::erased_account::contains(connection, account).await
}
