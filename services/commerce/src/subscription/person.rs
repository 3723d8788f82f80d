//! The buyer's name and email address in the renewals of an account's subscriptions.

use kit_db::span;
use proto::auth::AccountRenamed;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

/// Stores the new name and email address of an account for future renewals. Existing orders are not
/// changed.
pub(crate) async fn rename(
    connection: &mut PgConnection,
    account: Uuid,
    renamed: &AccountRenamed,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE subscription SET
            buyer_name = CASE WHEN account_id = $1 THEN $2 ELSE buyer_name END,
            buyer_email = CASE WHEN account_id = $1 THEN $3 ELSE buyer_email END,
            learner_name = CASE WHEN learner_id = $1 THEN $2 ELSE learner_name END
        WHERE id IN (
            SELECT id FROM subscription
            WHERE (account_id = $1 OR learner_id = $1) AND state <> 'ended'
            ORDER BY id FOR UPDATE
        )
        ",
        account,
        renamed.name,
        renamed.email,
    )
    .execute(connection)
    .instrument(span("UPDATE subscription"))
    .await?;
    Ok(())
}
