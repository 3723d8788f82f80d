//! The lines of carts, for the export of personal data.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// A cart line in the export of personal data.
pub(crate) struct LineExport {
    pub(crate) product: i64,
    pub(crate) product_name: String,
    pub(crate) learner: Uuid,
    pub(crate) added_at: OffsetDateTime,
    pub(crate) touched_at: OffsetDateTime,
    pub(crate) asked_by: Option<Uuid>,
}

/// Exports the lines of the account, oldest first.
pub(crate) async fn export(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<LineExport>> {
    sqlx::query_as!(
        LineExport,
        "
        SELECT
            product_id AS product, product.name AS product_name, learner_id AS learner, added_at, touched_at,
            asked_by
        FROM cart_line JOIN product ON product.id = product_id
        WHERE account_id = $1
        ORDER BY added_at, cart_line.id
        ",
        account,
    )
    .fetch_all(connection)
    .instrument(span("SELECT cart_line"))
    .await
}
