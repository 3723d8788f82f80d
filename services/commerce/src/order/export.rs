//! Orders with all their stored data, for the export of personal data.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{Order, StoredConfirmation, load};
use crate::payment::{self, PaymentExport};
use crate::transfer::{self, Transfer};

/// An exported order.
pub(crate) struct OrderExport {
    /// Includes its confirmation.
    pub(crate) order: Order,
    pub(crate) buyer_name: String,
    pub(crate) buyer_email: String,
    pub(crate) buyer_kana: String,
    /// The addressee of the receipt, or `None` until it is issued.
    pub(crate) addressee: Option<String>,
    /// The number of issues of the receipt, and the time of the last one.
    pub(crate) issues: i32,
    pub(crate) issued_at: Option<OffsetDateTime>,
    /// All payment attempts, oldest first.
    pub(crate) payments: Vec<PaymentExport>,
    /// The bank transfers that arrived for them.
    pub(crate) transfers: Vec<Transfer>,
}

/// Exports at most `limit` orders of the account after this time and id, oldest first.
pub(crate) async fn export(
    connection: &mut PgConnection,
    account: Uuid,
    after: Option<(OffsetDateTime, Uuid)>,
    limit: i64,
) -> sqlx::Result<Vec<OrderExport>> {
    let (after_time, after_id) = after.unzip();
    let rows = sqlx::query!(
        "
        SELECT
            id, buyer_name, buyer_email, buyer_kana, receipt_addressee, receipt_issues, receipt_issued_at,
            confirmation, confirmation_digest
        FROM orders
        WHERE account_id = $1 AND ($2::timestamptz IS NULL OR (placed_at, id) > ($2, $3::uuid))
        ORDER BY placed_at, id
        LIMIT $4
        ",
        account,
        after_time,
        after_id,
        limit,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT orders"))
    .await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let orders = load(connection, &ids).await?;
    let mut payments = payment::export(connection, &ids).await?;
    let mut transfers = transfer::list_transfers(connection, &ids).await?;
    // Newest first.
    let orders = orders.into_iter().rev().zip(rows).map(|(order, row)| OrderExport {
        order: Order {
            confirmation: Some(StoredConfirmation {
                document: row.confirmation,
                digest: row.confirmation_digest,
            }),
            ..order
        },
        buyer_name: row.buyer_name,
        buyer_email: row.buyer_email,
        buyer_kana: row.buyer_kana,
        addressee: row.receipt_addressee,
        issues: row.receipt_issues,
        issued_at: row.receipt_issued_at,
        payments: payments.extract_if(.., |payment| payment.order == row.id).collect(),
        transfers: transfers.extract_if(.., |transfer| transfer.order == row.id).collect(),
    });
    Ok(orders.collect())
}
