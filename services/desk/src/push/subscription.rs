//! The browsers that get a person's notifications.

use kit::encryption::{Encryptor, KeyedHash};
use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::learner_contact;

/// Most browsers of an account. A further one replaces an ended one, or the oldest.
const LIMIT: i64 = 20;

/// The subscription of a browser (Push API): endpoint and keys (RFC 8291).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Keys {
    pub(crate) endpoint: String,
    /// The public key, 65 bytes.
    pub(crate) p256dh: Vec<u8>,
    /// The authentication secret, 16 bytes.
    pub(crate) auth: Vec<u8>,
}

impl Keys {
    fn seal(&self, encryptor: &Encryptor, id: Uuid) -> Result<Vec<u8>, Error> {
        let content = [&self.auth, &self.p256dh, self.endpoint.as_bytes()].concat();
        encryptor.seal(&id.to_string(), &content).map_err(|_| Error::Sealing)
    }

    pub(super) fn open(encryptor: &Encryptor, id: Uuid, sealed: &[u8]) -> Option<Self> {
        let content = encryptor.open(&id.to_string(), sealed).ok()?;
        let (auth, rest) = content.split_at_checked(16)?;
        let (p256dh, endpoint) = rest.split_at_checked(65)?;
        let endpoint = String::from_utf8(endpoint.to_vec()).ok()?;
        Some(Self { endpoint, p256dh: p256dh.to_vec(), auth: auth.to_vec() })
    }
}

/// A browser, for its owner.
pub(crate) struct Subscription {
    pub(crate) id: Uuid,
    pub(crate) device: String,
    pub(crate) created_at: OffsetDateTime,
    pub(crate) sent_at: Option<OffsetDateTime>,
    /// When the push service ended it.
    pub(crate) ended_at: Option<OffsetDateTime>,
}

/// Stores the browser of an account, or its new keys, and returns its id. A browser belongs to the account that stored it
/// last. Requires a transaction.
///
/// # Errors
///
/// [`Error::NotFound`] if the account was erased.
pub(crate) async fn save(
    database: &mut PgConnection,
    (account, device): (Uuid, &str),
    keys: &Keys,
    (encryptor, hash): (&Encryptor, &KeyedHash),
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    learner_contact::lock(database, account).await?;
    if erased_account::contains(database, account).await? {
        return Err(Error::NotFound);
    }
    let endpoint_hash = hash.hash("push endpoint", &keys.endpoint);
    let known = sqlx::query!(
        "SELECT id, account FROM push_subscription WHERE endpoint_hash = $1 FOR UPDATE",
        &endpoint_hash
    )
    .fetch_optional(&mut *database)
    .instrument(span("SELECT push_subscription"))
    .await?;
    if let Some(known) = known {
        if known.account == account {
            let sealed = keys.seal(encryptor, known.id)?;
            sqlx::query!(
                "UPDATE push_subscription SET sealed = $2, device = $3, ended_at = NULL WHERE id = $1",
                known.id,
                sealed,
                device
            )
            .execute(database)
            .instrument(span("UPDATE push_subscription"))
            .await?;
            return Ok(known.id);
        }
        // Also deletes the pushes that wait for the other account.
        delete(database, known.account, known.id).await?;
    }
    sqlx::query!(
        "DELETE FROM push_subscription WHERE id IN ( \
            SELECT id FROM push_subscription WHERE account = $1 \
            ORDER BY ended_at IS NULL DESC, created_at DESC, id DESC OFFSET $2)",
        account,
        LIMIT - 1
    )
    .execute(&mut *database)
    .instrument(span("DELETE push_subscription"))
    .await?;
    let id = Uuid::now_v7();
    let sealed = keys.seal(encryptor, id)?;
    sqlx::query!(
        "INSERT INTO push_subscription (id, account, endpoint_hash, sealed, device, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6)",
        id,
        account,
        endpoint_hash,
        sealed,
        device,
        now
    )
    .execute(database)
    .instrument(span("INSERT push_subscription"))
    .await?;
    Ok(id)
}

/// Lists the browsers of an account, oldest first; also ended ones.
pub(crate) async fn list(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<Subscription>> {
    sqlx::query_as!(
        Subscription,
        "SELECT id, device, created_at, sent_at, ended_at FROM push_subscription WHERE account = $1 \
         ORDER BY created_at, id",
        account
    )
    .fetch_all(database)
    .instrument(span("SELECT push_subscription"))
    .await
}

/// Lists the browsers of an account that can get messages.
pub(super) async fn list_active(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "SELECT id FROM push_subscription WHERE account = $1 AND ended_at IS NULL ORDER BY id",
        account
    )
    .fetch_all(database)
    .instrument(span("SELECT push_subscription"))
    .await
}

/// Deletes a browser of an account, with what waits for it. Idempotent.
pub(crate) async fn delete(database: &mut PgConnection, account: Uuid, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM push_subscription WHERE id = $1 AND account = $2", id, account)
        .execute(database)
        .instrument(span("DELETE push_subscription"))
        .await?;
    Ok(())
}

/// Records that the push service accepted a message.
pub(super) async fn set_sent(database: &mut PgConnection, id: Uuid, now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!("UPDATE push_subscription SET sent_at = $2 WHERE id = $1", id, now)
        .execute(database)
        .instrument(span("UPDATE push_subscription"))
        .await?;
    Ok(())
}

/// Ends a browser whose endpoint is gone, and deletes what waits for it. `sealed` are the keys that were used: a browser that
/// was stored again meanwhile stays.
pub(super) async fn end(
    database: &mut PgConnection,
    id: Uuid,
    sealed: Option<&[u8]>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH ended AS ( \
            UPDATE push_subscription SET sealed = NULL, ended_at = $3 WHERE id = $1 AND sealed = $2 RETURNING id) \
         DELETE FROM push USING ended WHERE subscription = ended.id",
        id,
        sealed,
        now
    )
    .execute(database)
    .instrument(span("UPDATE push_subscription"))
    .await?;
    Ok(())
}

/// Deletes the browsers of an account. The caller holds its lock.
pub(crate) async fn erase(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM push_subscription WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE push_subscription"))
        .await?;
    Ok(())
}
