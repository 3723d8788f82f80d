//! Receipts as PDF. Each issue is rendered once, and its bytes do not change.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::Receipt;

/// Finds the PDF of the latest issue of an order's receipt, if it was rendered.
pub(crate) async fn find_pdf(
    connection: &mut PgConnection,
    account: Uuid,
    order: Uuid,
) -> sqlx::Result<Option<ReceiptPdf>> {
    let row = sqlx::query!(
        "
        SELECT number, pdf
        FROM orders JOIN receipt_pdf ON order_id = orders.id AND issue = receipt_issues
        WHERE orders.id = $1 AND account_id = $2
        ",
        order,
        account,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT receipt_pdf"))
    .await?;
    Ok(row.map(|row| ReceiptPdf { number: super::make_number(&row.number), pdf: row.pdf }))
}

/// A receipt as PDF.
pub(crate) struct ReceiptPdf {
    /// The number of the receipt.
    pub(crate) number: String,
    pub(crate) pdf: Vec<u8>,
}

/// Finds the issued receipt of an order and locks the order until the transaction ends, so the
/// receipt is not reissued and no name in it is erased.
pub(crate) async fn lock_issued(
    connection: &mut PgConnection,
    account: Uuid,
    order: Uuid,
) -> sqlx::Result<Option<Receipt>> {
    sqlx::query!("SELECT id FROM orders WHERE id = $1 AND account_id = $2 FOR UPDATE", order, account)
        .fetch_optional(&mut *connection)
        .instrument(span("SELECT orders"))
        .await?;
    let receipt = super::find_receipt(connection, account, order).await?;
    Ok(receipt.filter(|receipt| receipt.issues > 0))
}

/// Stores the PDF of an issue.
pub(crate) async fn store_pdf(
    connection: &mut PgConnection,
    order: Uuid,
    issue: i32,
    pdf: &[u8],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO receipt_pdf (order_id, issue, pdf, written_at) VALUES ($1, $2, $3, $4)",
        order,
        issue,
        pdf,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT receipt_pdf"))
    .await?;
    Ok(())
}

/// Deletes the PDFs of orders with erased names. They are rendered again without the names for
/// readers who still have access to the order.
pub(crate) async fn erase(connection: &mut PgConnection, orders: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM receipt_pdf WHERE order_id = ANY ($1)", orders)
        .execute(connection)
        .instrument(span("DELETE receipt_pdf"))
        .await?;
    Ok(())
}
