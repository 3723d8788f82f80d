//! Erases an account from subscriptions.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// Erases an account from its subscriptions, and from those that others pay for it. They end: paid
/// ones become due now, and the others end with their orders.
pub(crate) async fn erase(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE subscription SET
            learner_id = gen_random_uuid(),
            learner_name = '',
            buyer_name = CASE WHEN account_id = $1 THEN '' ELSE buyer_name END,
            buyer_email = CASE WHEN account_id = $1 THEN '' ELSE buyer_email END,
            account_id = nullif(account_id, $1),
            is_ending = state <> 'ended',
            next_run_at = CASE WHEN state IN ('active', 'past_due', 'cancel_scheduled') THEN $2::timestamptz END,
            runs = runs + 1
        WHERE id IN (
            SELECT id FROM subscription WHERE account_id = $1 OR learner_id = $1
            ORDER BY id FOR UPDATE
        )
        ",
        account,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE subscription"))
    .await?;
    Ok(())
}
