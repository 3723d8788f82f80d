//! Erased accounts. A request may arrive after the erasure of its account, or of a learner that it
//! buys for. It must not write rows of the account again.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::buyer::Buyer;
use crate::error::Error;

/// How long an erased account is remembered. Requests are late by seconds. This is the maximum
/// delay of an event.
const RETENTION: Duration = kit_db::inbox::REMEMBERED;

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
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM erased_account WHERE id = $1) AS "is_erased!""#,
        account,
    )
    .fetch_one(connection)
    .instrument(span("SELECT erased_account"))
    .await
}

/// Stores that the account was erased. The caller holds the [`lock`].
pub(crate) async fn add(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO erased_account (id, erased_at) VALUES ($1, $2)
        ON CONFLICT ON CONSTRAINT erased_account_pkey DO UPDATE SET erased_at = excluded.erased_at
        ",
        account,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT erased_account"))
    .await?;
    Ok(())
}

/// Deletes at most `limit` records of erased accounts whose retention is over. Returns their
/// number.
pub(crate) async fn sweep(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "
        DELETE FROM erased_account
        WHERE id IN (
            SELECT id FROM erased_account WHERE erased_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        ",
        now - RETENTION,
        limit,
    )
    .execute(connection)
    .instrument(span("DELETE erased_account"))
    .await?;
    Ok(deleted.rows_affected())
}
