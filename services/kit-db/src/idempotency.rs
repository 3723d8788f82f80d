//! Idempotency keys: a repeated request gets the stored answer of the first one, and has no second effect.
//!
//! The caller makes a key for each unsafe request and repeats it with every retry (IETF draft "The Idempotency-Key HTTP
//! Header Field"):
//!
//! | the key was used | answer |
//! |---|---|
//! | with the same body | the stored answer, byte for byte |
//! | with another body | [`Refusal::KeyReused`]: 422 |
//! | by a request that still runs | the stored answer, if that request ends within 2 s; else [`Refusal::KeyInUse`]: 409 with `Retry-After` |
//! | over 24 h ago, or never | the request runs |
//!
//! The answer is stored in the transaction of the effect. A process that is killed before the commit leaves neither, and
//! after the commit both. A tower layer could not share that transaction, so each rpc calls
//! [`claim`] and [`Claim::store`] itself.
//!
//! Only answers are stored. An error rolls the effect back, and a repeated request runs again. A refusal with an effect of
//! its own, e.g. a declined payment, must therefore be an answer.
//!
//! The table holds no account: keys and bodies are keyed hashes. Answers lie there for 24 h and should hold ids and figures,
//! no personal data.
//!
//! ```sql
//! CREATE TABLE idempotency (
//!     key bytea CONSTRAINT idempotency_pkey PRIMARY KEY,
//!     body_hash bytea NOT NULL,
//!     answer bytea NOT NULL,
//!     created timestamptz NOT NULL
//! );
//! CREATE INDEX idempotency_created ON idempotency (created);
//! ```

#![expect(
    clippy::disallowed_methods,
    reason = "the table lies in the database of every service that uses it, so no build can check"
)]

use kit::encryption::KeyedHash;
use kit::error::{Code, FieldError, ServiceError};
use prost::Message;
use sqlx::{PgConnection, Row as _};
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;

use crate::span;

/// How long an answer is stored.
pub const RETENTION: Duration = Duration::hours(24);
/// Longest wait for a running request with the same key, as PostgreSQL writes it.
const LOCK_TIMEOUT: &str = "2s";
/// Retry time after [`Refusal::KeyInUse`].
const RETRY_AFTER: std::time::Duration = std::time::Duration::from_secs(1);
/// SQLSTATE `lock_not_available`.
const LOCK_NOT_AVAILABLE: &str = "55P03";
/// Allowed lengths of a key, in bytes.
const KEY_LENGTHS: std::ops::RangeInclusive<usize> = 8..=64;

/// Why a request with an idempotency key did not run.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The key was used with another body.
    #[error("the idempotency key was used with another body")]
    KeyReused,
    /// A request with the same key still runs.
    #[error("a request with the same idempotency key is running")]
    KeyInUse,
    /// A statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl From<&Refusal> for ServiceError {
    fn from(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::KeyReused => Self::new(Code::Unprocessable, "IDEMPOTENCY_KEY_REUSED"),
            Refusal::KeyInUse => {
                Self { retry_after: Some(RETRY_AFTER), ..Self::new(Code::Conflict, "IDEMPOTENCY_KEY_IN_USE") }
            }
            Refusal::Database(error) => crate::code(error).into(),
        }
    }
}

/// A valid idempotency key of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdempotencyKey<'a>(&'a str);

impl<'a> IdempotencyKey<'a> {
    /// Parses a key: 8 to 64 ASCII letters, digits and hyphens.
    ///
    /// # Errors
    ///
    /// The field `idempotency_key` is `REQUIRED` or of `INVALID_FORMAT`.
    pub fn parse(text: &'a str) -> Result<Self, FieldError> {
        if text.is_empty() {
            return Err(FieldError::new("idempotency_key", "REQUIRED"));
        }
        let is_key = KEY_LENGTHS.contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if is_key { Ok(Self(text)) } else { Err(FieldError::new("idempotency_key", "INVALID_FORMAT")) }
    }

    /// The text of the key.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        self.0
    }
}

/// Identifies a request: keyed hashes of its key and its body.
#[derive(Clone)]
pub struct IdempotentRequest {
    key: Vec<u8>,
    body_hash: Vec<u8>,
}

impl IdempotentRequest {
    /// `scope` is the operation with the calling account, e.g. `order 0199…`: the same key in another scope is another
    /// key. `body` is everything that determines the effect.
    #[must_use]
    pub fn new(keyed_hash: &KeyedHash, scope: &str, key: IdempotencyKey<'_>, body: &[u8]) -> Self {
        // A key contains no line break, so no two scopes share a text.
        let key = keyed_hash.hash("idempotency key", &format!("{}\n{scope}", key.as_str()));
        Self { key, body_hash: keyed_hash.hash_bytes("idempotency body", body) }
    }

    /// The number of its advisory lock. Two requests with the same number only delay each other.
    fn lock_number(&self) -> i64 {
        self.key.iter().take(8).fold(0, |number, byte| number << 8 | i64::from(*byte))
    }
}

/// What is stored about a request when its transaction begins.
pub enum Attempt<'a, Answer> {
    /// It ran before: its stored answer.
    Answered(Answer),
    /// It runs now. [`Claim::store`] must follow its effects.
    First(Claim<'a>),
}

/// The key of a running request, locked until the transaction ends.
#[must_use = "the answer must be stored in the transaction of the effects"]
pub struct Claim<'a> {
    request: &'a IdempotentRequest,
    now: OffsetDateTime,
}

/// Claims the key of a request, first in the transaction of all its effects.
///
/// A request with the same key waits until this transaction ends, so the transaction should call no other service.
///
/// # Errors
///
/// A [`Refusal`]. The transaction must be rolled back then.
pub async fn claim<'a, Answer: Message + Default>(
    database: &mut PgConnection,
    request: &'a IdempotentRequest,
    now: OffsetDateTime,
) -> Result<Attempt<'a, Answer>, Refusal> {
    lock(database, request).await?;
    Ok(match find_answer(database, request, now).await? {
        Some(answer) => Attempt::Answered(answer),
        None => Attempt::First(Claim { request, now }),
    })
}

impl Claim<'_> {
    /// Stores the answer. The caller commits the transaction next.
    ///
    /// # Errors
    ///
    /// The database failed.
    pub async fn store(self, database: &mut PgConnection, answer: &impl Message) -> Result<(), Refusal> {
        let Self { request, now } = self;
        Ok(store_answer(database, request, &answer.encode_to_vec(), now).await?)
    }
}

/// The stored answer; `None` if the request never ran. Lets a repeated request skip work before the transaction; only
/// [`claim`] decides.
///
/// # Errors
///
/// [`Refusal::KeyReused`], or the database failed.
pub async fn find_answer<Answer: Message + Default>(
    database: &mut PgConnection,
    request: &IdempotentRequest,
    now: OffsetDateTime,
) -> Result<Option<Answer>, Refusal> {
    // An expired row counts as absent before the sweep deletes it.
    let row = sqlx::query("SELECT body_hash, answer FROM idempotency WHERE key = $1 AND created > $2")
        .bind(&request.key)
        .bind(now - RETENTION)
        .fetch_optional(database)
        .instrument(span("SELECT idempotency"))
        .await?;
    let Some(row) = row else { return Ok(None) };
    if row.try_get::<&[u8], _>("body_hash")? != request.body_hash {
        return Err(Refusal::KeyReused);
    }
    let answer = Answer::decode(row.try_get::<&[u8], _>("answer")?);
    Ok(Some(answer.map_err(|error| sqlx::Error::Decode(error.into()))?))
}

/// Locks the key until the transaction ends.
async fn lock(database: &mut PgConnection, request: &IdempotentRequest) -> Result<(), Refusal> {
    let number = request.lock_number();
    let is_locked: bool = sqlx::query_scalar("SELECT pg_try_advisory_xact_lock($1)")
        .bind(number)
        .fetch_one(&mut *database)
        .instrument(span("SELECT pg_try_advisory_xact_lock"))
        .await?;
    if is_locked {
        return Ok(());
    }
    sqlx::query("SELECT set_config('lock_timeout', $1, true)")
        .bind(LOCK_TIMEOUT)
        .execute(&mut *database)
        .await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)")
        .bind(number)
        .execute(&mut *database)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await
        .map_err(|error| {
            let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
            if code.as_deref() == Some(LOCK_NOT_AVAILABLE) { Refusal::KeyInUse } else { error.into() }
        })?;
    sqlx::query("SET LOCAL lock_timeout = DEFAULT").execute(database).await?;
    Ok(())
}

/// Stores an answer. The caller holds the lock, so the row of the key is absent or expired.
async fn store_answer(
    database: &mut PgConnection,
    request: &IdempotentRequest,
    answer: &[u8],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO idempotency (key, body_hash, answer, created) VALUES ($1, $2, $3, $4) \
         ON CONFLICT ON CONSTRAINT idempotency_pkey DO UPDATE SET \
         body_hash = excluded.body_hash, answer = excluded.answer, created = excluded.created",
    )
    .bind(&request.key)
    .bind(&request.body_hash)
    .bind(answer)
    .bind(now)
    .execute(database)
    .instrument(span("INSERT idempotency"))
    .await?;
    Ok(())
}

/// Deletes at most `limit` answers older than [`RETENTION`]. Returns their number.
pub async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query(
        "DELETE FROM idempotency WHERE key IN (SELECT key FROM idempotency WHERE created <= $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
    )
    .bind(now - RETENTION)
    .bind(limit)
    .execute(database)
    .instrument(span("DELETE idempotency"))
    .await?;
    Ok(deleted.rows_affected())
}
