//! Pictures of inquiries.

use kit::encryption::Encryptor;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;

/// Retention of a picture without an inquiry.
const PENDING_RETENTION: Duration = Duration::HOUR;
/// Retry-After if the storage limit is reached.
const STORAGE_RETRY: std::time::Duration = std::time::Duration::from_mins(10);
/// The advisory lock of pictures in desk's database.
const PICTURE_LOCK: i64 = 0x7069_6374;
/// Retention of a picture with an inquiry. Its mail is sent or expires within a day.
const SENT_RETENTION: Duration = Duration::days(7);

/// Storage limits for the pictures of all senders.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StorageLimit {
    /// Number of pictures without an inquiry.
    pub(crate) waiting: i64,
    /// Bytes of pictures without an inquiry.
    pub(crate) waiting_bytes: i64,
    /// Bytes of all pictures.
    pub(crate) bytes: i64,
}

/// Checks that a picture of this size fits into the storage limit.
pub(crate) async fn check_limit(
    database: &mut PgConnection,
    bytes: usize,
    limit: StorageLimit,
) -> Result<(), Error> {
    let stored = sqlx::query!(
        r#"SELECT count(*) FILTER (WHERE contact IS NULL) AS "waiting!",
            COALESCE(sum(octet_length(sealed)) FILTER (WHERE contact IS NULL), 0) AS "waiting_bytes!",
            COALESCE(sum(octet_length(sealed)), 0) AS "bytes!"
        FROM contact_picture"#
    )
    .fetch_one(database)
    .instrument(span("SELECT contact_picture"))
    .await?;
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    let has_room = stored.waiting < limit.waiting
        && stored.waiting_bytes.saturating_add(bytes) <= limit.waiting_bytes
        && stored.bytes.saturating_add(bytes) <= limit.bytes;
    if has_room { Ok(()) } else { Err(Error::RateLimited(STORAGE_RETRY)) }
}

/// Stores a JPEG, encrypted, if it fits into the storage limit. Requires a transaction.
pub(crate) async fn add_picture(
    database: &mut PgConnection,
    id: Uuid,
    jpeg: &[u8],
    encryptor: &Encryptor,
    limit: StorageLimit,
    now: OffsetDateTime,
) -> Result<(), Error> {
    // Serialises the insertions of all replicas, so that the counts stay valid until the row is inserted.
    sqlx::query!("SELECT pg_advisory_xact_lock($1) IS NULL AS locked", PICTURE_LOCK)
        .fetch_one(&mut *database)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await?;
    check_limit(database, jpeg.len(), limit).await?;
    let sealed = encryptor.seal(&id.to_string(), jpeg).map_err(|_| Error::Sealing)?;
    sqlx::query!("INSERT INTO contact_picture (id, created, sealed) VALUES ($1, $2, $3)", id, now, sealed)
        .execute(database)
        .instrument(span("INSERT contact_picture"))
        .await?;
    Ok(())
}

/// Finds the JPEG of a picture without an inquiry.
pub(crate) async fn find_pending(
    database: &mut PgConnection,
    id: Uuid,
    encryptor: &Encryptor,
) -> Result<Option<Vec<u8>>, Error> {
    let sealed =
        sqlx::query_scalar!("SELECT sealed FROM contact_picture WHERE id = $1 AND contact IS NULL", id)
            .fetch_optional(database)
            .instrument(span("SELECT contact_picture"))
            .await?;
    sealed.map(|sealed| encryptor.open(&id.to_string(), &sealed).map_err(|_| Error::Sealing)).transpose()
}

/// Attaches a picture to an inquiry. Returns false if the picture is attached already or deleted.
pub(crate) async fn attach_picture(
    database: &mut PgConnection,
    id: Uuid,
    contact: Uuid,
) -> sqlx::Result<bool> {
    let updated = sqlx::query!(
        "UPDATE contact_picture SET contact = $2 WHERE id = $1 AND contact IS NULL",
        id,
        contact
    )
    .execute(database)
    .instrument(span("UPDATE contact_picture"))
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Deletes at most `limit` expired pictures. Returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM contact_picture WHERE id IN (SELECT id FROM contact_picture \
         WHERE created < $1 OR (created < $2 AND contact IS NULL) LIMIT $3 FOR UPDATE SKIP LOCKED)",
        now - SENT_RETENTION,
        now - PENDING_RETENTION,
        limit
    )
    .execute(database)
    .instrument(span("DELETE contact_picture"))
    .await?;
    Ok(deleted.rows_affected())
}
