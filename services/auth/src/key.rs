//! Signing keys: Ed25519 keys in the database, with an encrypted private part.
//!
//! A key is `added` (accepted), then `signing` (exactly one is), then `superseded` (still accepted), then `retired`
//! (rejected, its private part deleted).

use std::fmt::Write as _;

use aws_lc_rs::digest;
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use jsonwebtoken::EncodingKey;
use kit::Failure;
use kit::encryption::Encryptor;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

/// A stored key.
pub(crate) struct Key {
    pub(crate) kid: String,
    /// The raw public key, 32 bytes.
    pub(crate) public: Vec<u8>,
    pub(crate) sealed_private: Option<Vec<u8>>,
    pub(crate) signing: bool,
    /// When it began to sign; `None` if it never did.
    pub(crate) signing_at: Option<OffsetDateTime>,
}

/// Signs access tokens.
pub(crate) struct Signer {
    pub(crate) kid: String,
    pub(crate) key: EncodingKey,
}

impl Signer {
    /// Decrypts the private part of `key`; `None` if it was encrypted with another secret.
    pub(crate) fn open(key: &Key, sealing: &Encryptor) -> Option<Self> {
        let private = sealing.open(&key.kid, key.sealed_private.as_ref()?).ok()?;
        Some(Self { kid: key.kid.clone(), key: EncodingKey::from_ed_der(&private) })
    }
}

/// The accepted keys, oldest first.
pub(crate) async fn list_in_force(database: &mut PgConnection) -> sqlx::Result<Vec<Key>> {
    sqlx::query_as!(
        Key,
        r#"SELECT kid, public_key AS public, sealed_private_key AS sealed_private, state = 'signing' AS "signing!",
        signing_at FROM signing_key WHERE state <> 'retired' ORDER BY added_at, kid"#
    )
    .fetch_all(database)
    .await
}

/// Whether tokens of this key are accepted.
pub(crate) async fn is_in_force(database: &mut PgConnection, kid: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM signing_key WHERE kid = $1 AND state <> 'retired') AS "in_force!""#,
        kid
    )
    .fetch_one(database)
    .await
}

/// Adds a new key; returns its id. With `if_none` only if there is no signing key.
pub(crate) async fn add(
    database: &mut PgConnection,
    sealing: &Encryptor,
    if_none: bool,
    now: OffsetDateTime,
) -> Result<Option<String>, Failure> {
    lock_table(database).await?;
    if if_none && find_signing_kid(database).await?.is_some() {
        return Ok(None);
    }
    let pair = Ed25519KeyPair::generate()?;
    let public_key = pair.public_key().as_ref();
    let kid = hex::encode(&digest::digest(&digest::SHA256, public_key).as_ref()[..8]);
    let sealed = sealing.seal(&kid, pair.to_pkcs8v1()?.as_ref())?;
    sqlx::query!(
        "INSERT INTO signing_key (kid, public_key, sealed_private_key, state, added_at) \
         VALUES ($1, $2, $3, 'added', $4)",
        kid,
        public_key,
        sealed,
        now
    )
    .execute(database)
    .instrument(span("INSERT signing_key"))
    .await?;
    Ok(Some(kid))
}

/// Makes a key the signing key.
pub(crate) async fn start_signing(
    database: &mut PgConnection,
    kid: &str,
    now: OffsetDateTime,
) -> Result<(), Failure> {
    lock_table(database).await?;
    match find_state(database, kid).await?.as_deref() {
        None => return Err(unknown_key(kid)),
        Some("retired") => return Err(format!("{kid} is retired: add another key").into()),
        Some("signing") => return Ok(()),
        Some(_) => {}
    }
    sqlx::query!(
        "UPDATE signing_key SET state = 'superseded', superseded_at = $1 WHERE state = 'signing'",
        now
    )
    .execute(&mut *database)
    .instrument(span("UPDATE signing_key"))
    .await?;
    sqlx::query!(
        "UPDATE signing_key SET state = 'signing', signing_at = $2, superseded_at = NULL WHERE kid = $1",
        kid,
        now
    )
    .execute(database)
    .instrument(span("UPDATE signing_key"))
    .await?;
    Ok(())
}

/// Retires a key: its tokens are rejected from now on.
pub(crate) async fn retire(
    database: &mut PgConnection,
    kid: &str,
    now: OffsetDateTime,
) -> Result<(), Failure> {
    lock_table(database).await?;
    match find_state(database, kid).await?.as_deref() {
        None => return Err(unknown_key(kid)),
        Some("signing") => {
            return Err(format!("{kid} is the signing key: sign with another key first (keys sign)").into());
        }
        Some("retired") => return Ok(()),
        Some(_) => {}
    }
    sqlx::query!(
        "UPDATE signing_key SET state = 'retired', retired_at = $2, sealed_private_key = NULL WHERE kid = $1",
        kid,
        now
    )
    .execute(database)
    .instrument(span("UPDATE signing_key"))
    .await?;
    Ok(())
}

/// All keys as a text table, oldest first.
pub(crate) async fn format_table(database: &mut PgConnection) -> Result<String, Failure> {
    let keys = sqlx::query!(
        "SELECT kid, state, added_at, signing_at, superseded_at, retired_at FROM signing_key \
         ORDER BY added_at, kid"
    )
    .fetch_all(database)
    .instrument(span("SELECT signing_key"))
    .await?;
    let mut table = String::from(
        "kid               state       added                 signing since         superseded            retired",
    );
    for key in keys {
        write!(table, "\n{:<16}  {:<10}", key.kid, key.state)?;
        for time in [Some(key.added_at), key.signing_at, key.superseded_at, key.retired_at] {
            write!(table, "  {:<20}", time.map_or_else(|| "-".to_owned(), format_second))?;
        }
    }
    Ok(table)
}

/// Formats a time to the second (RFC 3339).
fn format_second(time: OffsetDateTime) -> String {
    let time = time.to_offset(time::UtcOffset::UTC);
    format!("{}T{:02}:{:02}:{:02}Z", time.date(), time.hour(), time.minute(), time.second())
}

fn unknown_key(kid: &str) -> Failure {
    format!("there is no key {kid}: see `auth keys list`").into()
}

/// Serializes changes, so that there is one signing key. Reads go on.
async fn lock_table(database: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE")
        .execute(database)
        .instrument(span("LOCK signing_key"))
        .await?;
    Ok(())
}

async fn find_signing_kid(database: &mut PgConnection) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!("SELECT kid FROM signing_key WHERE state = 'signing'")
        .fetch_optional(database)
        .instrument(span("SELECT signing_key"))
        .await
}

async fn find_state(database: &mut PgConnection, kid: &str) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!("SELECT state FROM signing_key WHERE kid = $1", kid)
        .fetch_optional(database)
        .instrument(span("SELECT signing_key"))
        .await
}
