//! Receipts: signed proofs of handed-in papers. `exam/v1/receipt.proto` documents their layout.

mod statement;

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use self::statement::Statement;
use crate::error::Error;
use crate::receipt_keys::ReceiptKeys;
use crate::sitting::StoredTranscript;

/// Finds the receipt of a sealed sitting, or issues it the first time.
pub(crate) async fn find_or_issue(
    connection: &mut PgConnection,
    keys: &ReceiptKeys,
    sitting: Uuid,
    transcript: &StoredTranscript,
) -> Result<Vec<u8>, Error> {
    if let Some(receipt) = find(connection, sitting).await? {
        return Ok(receipt);
    }
    let statement = Statement::new(transcript)?.write(keys.id())?;
    // With two concurrent requests, the receipt of the first one is stored.
    sqlx::query!(
        "INSERT INTO receipt (sitting_id, receipt) VALUES ($1, $2) ON CONFLICT (sitting_id) DO NOTHING",
        sitting,
        keys.sign(statement),
    )
    .execute(&mut *connection)
    .instrument(span("INSERT receipt"))
    .await?;
    find(connection, sitting).await?.ok_or(Error::NotFound)
}

async fn find(connection: &mut PgConnection, sitting: Uuid) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar!("SELECT receipt FROM receipt WHERE sitting_id = $1", sitting)
        .fetch_optional(connection)
        .instrument(span("SELECT receipt"))
        .await
}
