//! A learner requests that the guardians pay: the learner's lines are copied into the guardians'
//! carts.

use kit::error::FieldError;
use kit_db::outbox::Outbox;
use kit_db::span;
use proto::commerce as wire;
use proto::commerce::PaymentAsked;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::buyer::Learner;
use crate::cart::{self, Line};
use crate::error::Error;

/// The maximum number of guardians in a request. It is far above the number that auth links to a
/// learner.
const GUARDIANS_LIMIT: usize = 20;
/// The minimum time between two requests of a learner.
const PERIOD: Duration = Duration::minutes(10);
/// Retention of a request's time, the same as that of the lines.
const RETENTION: Duration = Duration::days(90);

/// A guardian who is linked to the learner.
pub(crate) struct Guardian {
    pub(crate) id: Uuid,
    /// Family name and given name.
    name: String,
    email: String,
}

impl Guardian {
    /// Decodes the guardians of a request.
    pub(crate) fn list_from_wire(guardians: Vec<wire::LinkedGuardian>) -> Result<Vec<Self>, Error> {
        if guardians.len() > GUARDIANS_LIMIT {
            return Err(field("guardians", "TOO_LONG"));
        }
        guardians.into_iter().map(Self::from_wire).collect()
    }

    fn from_wire(guardian: wire::LinkedGuardian) -> Result<Self, Error> {
        let id = guardian.id.parse().map_err(|_| field("guardians", "INVALID_FORMAT"))?;
        if guardian.email.trim().is_empty() {
            return Err(field("guardians.email", "REQUIRED"));
        }
        Ok(Self { id, name: guardian.name, email: guardian.email })
    }
}

fn field(name: &'static str, code: &'static str) -> Error {
    Error::Field(FieldError::new(name, code))
}

/// Locks the carts of the learner and of the guardians until the transaction ends.
pub(crate) async fn lock_carts(
    connection: &mut PgConnection,
    account: Uuid,
    guardians: &[Guardian],
) -> sqlx::Result<()> {
    let mut ids: Vec<Uuid> = guardians.iter().map(|guardian| guardian.id).chain([account]).collect();
    // All transactions lock in the same order, so they can't deadlock.
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        cart::lock(connection, id).await?;
    }
    Ok(())
}

/// Copies the lines of the learner into the carts of the guardians, and publishes the emails to
/// them. The caller has locked the carts.
pub(crate) async fn ask(
    connection: &mut PgConnection,
    outbox: &Outbox,
    learner: &Learner,
    guardians: &[Guardian],
    lines: &[Line],
    now: OffsetDateTime,
) -> Result<(), Error> {
    if guardians.is_empty() {
        return Err(Error::NoGuardian);
    }
    if lines.is_empty() {
        return Err(Error::CartEmpty);
    }
    if let Some(asked_at) = find_asked_at(connection, learner.id).await?
        && let Ok(wait) = std::time::Duration::try_from(asked_at + PERIOD - now)
        && !wait.is_zero()
    {
        return Err(Error::RateLimited(wait));
    }
    let products: Vec<i64> = lines.iter().map(|line| line.product.id).collect();
    for guardian in guardians {
        let present = cart::add_asked_lines(connection, guardian.id, &products, learner.id, now).await?;
        let asked = || lines.iter().filter(|line| present.contains(&line.product.id));
        let event = PaymentAsked {
            to: guardian.email.clone(),
            account_id: guardian.id.to_string(),
            name: guardian.name.clone(),
            learner_name: learner.name.clone(),
            items: asked().map(|line| line.product.name.clone()).collect(),
            // At most 20 lines of at most 1,000,000 yen.
            total: asked().map(|line| line.product.price).sum(),
            left_out: u32::try_from(lines.len() - asked().count()).unwrap_or(u32::MAX),
        };
        outbox.publish(connection, &event, now).await?;
    }
    store_asked_at(connection, learner.id, now).await?;
    Ok(())
}

/// Finds when the account last requested payment from its guardians.
pub(crate) async fn find_asked_at(
    connection: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<Option<OffsetDateTime>> {
    sqlx::query_scalar!("SELECT asked_at FROM guardian_request WHERE account_id = $1", account)
        .fetch_optional(connection)
        .instrument(span("SELECT guardian_request"))
        .await
}

async fn store_asked_at(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO guardian_request (account_id, asked_at) VALUES ($1, $2)
        ON CONFLICT ON CONSTRAINT guardian_request_pkey DO UPDATE SET asked_at = excluded.asked_at
        ",
        account,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT guardian_request"))
    .await?;
    Ok(())
}

/// Deletes the request of an erased account.
pub(crate) async fn erase(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM guardian_request WHERE account_id = $1", account)
        .execute(connection)
        .instrument(span("DELETE guardian_request"))
        .await?;
    Ok(())
}

/// Deletes at most `limit` requests whose retention is over. Returns their number.
pub(crate) async fn sweep(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "
        DELETE FROM guardian_request WHERE account_id IN (
            SELECT account_id FROM guardian_request WHERE asked_at <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        ",
        now - RETENTION,
        limit,
    )
    .execute(connection)
    .instrument(span("DELETE guardian_request"))
    .await?;
    Ok(deleted.rows_affected())
}
