//! Saved cards: at most one per account, the newest. The stored data is what the owner recognises
//! the card by. A replaced or removed card stays stored until the provider has detached it.

pub(crate) mod setup;

use kit_db::outbox::QueueState;
use kit_db::span;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::japan_time::date_in_japan;
use crate::provider::SavedCard;

/// A saved card.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    /// The provider's id.
    pub(crate) payment_method: String,
    /// E.g. `visa`.
    pub(crate) brand: String,
    pub(crate) last4: String,
    pub(crate) exp_month: i16,
    pub(crate) exp_year: i16,
    pub(crate) created_at: OffsetDateTime,
}

impl Card {
    /// Whether the card has expired: its last month is over in Japan.
    pub(crate) fn is_expired(&self, now: OffsetDateTime) -> bool {
        let today: Date = date_in_japan(now);
        let month = i16::from(u8::from(today.month()));
        (i32::from(self.exp_year), self.exp_month) < (today.year(), month)
    }
}

/// A card to detach at the provider.
#[derive(Clone, Debug)]
pub(crate) struct DetachedCard {
    pub(crate) payment_method: String,
    /// Attempts so far, including the current one.
    pub(crate) tries: i32,
}

/// Finds the saved card of an account.
pub(crate) async fn find(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<Option<Card>> {
    sqlx::query_as!(
        Card,
        "
        SELECT payment_method, brand, last4, exp_month, exp_year, created_at
        FROM card WHERE account_id = $1
        ",
        account,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT card"))
    .await
}

/// Locks the card of an account until the transaction ends, so it is not replaced or removed.
pub(crate) async fn lock(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('card ' || $1::uuid, 0))", account)
        .execute(connection)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await?;
    Ok(())
}

/// Saves a card of an account. The card that it replaces is detached. Returns `false` if the card
/// is already known, or if a newer one is saved: the newer one stays and this one is detached.
/// Takes the [`lock`].
pub(crate) async fn save(
    connection: &mut PgConnection,
    account: Uuid,
    card: &SavedCard,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    lock(connection, account).await?;
    let known = find(connection, account).await?;
    let is_known = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM card WHERE payment_method = $1) AS "is_known!""#,
        card.payment_method,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT card"))
    .await?;
    if is_known {
        return Ok(false);
    }
    // The provider's timestamps have a resolution of one second. Of two cards with the same second,
    // the later call wins.
    let is_saved = known.is_none_or(|known| known.created_at <= card.created_at);
    if is_saved {
        detach(connection, account, now).await?;
    }
    sqlx::query!(
        "
        INSERT INTO card (
            payment_method, account_id, brand, last4, exp_month, exp_year, created_at, next_try_at
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ",
        card.payment_method,
        is_saved.then_some(account),
        card.brand,
        card.last4,
        card.exp_month,
        card.exp_year,
        card.created_at,
        (!is_saved).then_some(now),
    )
    .execute(connection)
    .instrument(span("INSERT card"))
    .await?;
    Ok(is_saved)
}

/// Removes the card of an account and queues it to be detached at the provider. Returns `false` if
/// there is none.
pub(crate) async fn detach(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let detached = sqlx::query!(
        "UPDATE card SET account_id = NULL, next_try_at = $2 WHERE account_id = $1",
        account,
        now
    )
    .execute(connection)
    .instrument(span("UPDATE card"))
    .await?;
    Ok(detached.rows_affected() == 1)
}

/// Deletes a card that was detached at the provider.
pub(crate) async fn delete(connection: &mut PgConnection, payment_method: &str) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM card WHERE payment_method = $1", payment_method)
        .execute(connection)
        .instrument(span("DELETE card"))
        .await?;
    Ok(())
}

/// Takes the card that has waited the longest to be detached, and leases it for `lease`.
pub(crate) async fn take_due(
    connection: &mut PgConnection,
    lease: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<Option<DetachedCard>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        DetachedCard,
        "
        UPDATE card SET tries = tries + 1, next_try_at = $2
        WHERE payment_method = (
            SELECT payment_method FROM card WHERE next_try_at <= $1
            ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING payment_method, tries
        ",
        now,
        now + lease,
    )
    .fetch_optional(connection)
    .await
}

/// Schedules the next attempt, unless another process has taken it since.
pub(crate) async fn postpone(
    connection: &mut PgConnection,
    card: &DetachedCard,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card SET next_try_at = $3 WHERE payment_method = $1 AND tries = $2 AND next_try_at IS NOT NULL",
        card.payment_method,
        card.tries,
        at,
    )
    .execute(connection)
    .instrument(span("UPDATE card"))
    .await?;
    Ok(())
}

/// Reads the state of the queue of cards to detach.
pub(crate) async fn probe(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"
        SELECT min(created_at) FILTER (WHERE tries > 0) AS oldest, coalesce(bool_or(next_try_at <= $1), false) AS "is_due!"
        FROM card WHERE next_try_at IS NOT NULL
        "#,
        now,
    )
    .fetch_one(connection)
    .await
}

/// Erases the card of an account.
pub(crate) async fn erase(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    setup::delete(connection, account).await?;
    detach(connection, account, now).await?;
    Ok(())
}
