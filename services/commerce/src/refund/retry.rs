//! Retries of failed refunds to a bank account. The provider asks the buyer for the account again.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// Requests a refund that replaces a failed one. The money of a bank transfer is in the customer's
/// cash balance, and that of a konbini payment in the school's balance. Returns `false` if the
/// refund did not fail, was returned since, or was to a card. The order and the payments are
/// locked.
pub(crate) async fn request_again(
    connection: &mut PgConnection,
    order: Uuid,
    failed: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let added = sqlx::query!(
        "
        INSERT INTO refund (
            id, payment_id, amount, tax, state, reason, is_from_balance, replaces, requested_at, next_try_at
        )
        SELECT
            $1, payment_id, refund.amount, tax, 'requested',
            CASE WHEN reason = 'late' THEN 'late_part' ELSE reason END, method = 'bank_transfer', refund.id, $4, $4
        FROM refund JOIN payment ON payment.id = payment_id
        WHERE refund.id = $3 AND order_id = $2 AND refund.state = 'failed'
            AND method IN ('konbini', 'bank_transfer')
            AND NOT EXISTS (SELECT FROM refund AS other WHERE other.replaces = refund.id)
        ",
        Uuid::now_v7(),
        order,
        failed,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT refund"))
    .await?;
    Ok(added.rows_affected() == 1)
}
