//! Question plans: subscriptions with questions to teachers without a limit. Events of commerce grant and revoke them.

use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::learner_contact;

/// A granted plan.
#[derive(Debug)]
pub(crate) struct PlanGrant {
    pub(crate) subscription: Uuid,
    /// The learner.
    pub(crate) account: Uuid,
}

/// Grants a plan. Changes nothing if its subscription was granted or revoked before, or if the account was erased.
pub(crate) async fn grant(database: &mut PgConnection, grant: &PlanGrant) -> sqlx::Result<()> {
    learner_contact::lock(database, grant.account).await?;
    if erased_account::contains(database, grant.account).await? {
        return Ok(());
    }
    sqlx::query!(
        "INSERT INTO question_plan (subscription, account) VALUES ($1, $2) \
         ON CONFLICT ON CONSTRAINT question_plan_pkey DO NOTHING",
        grant.subscription,
        grant.account
    )
    .execute(database)
    .instrument(span("INSERT question_plan"))
    .await?;
    Ok(())
}

/// Revokes the plan of a subscription. A grant that arrives later changes nothing.
pub(crate) async fn revoke(
    database: &mut PgConnection,
    subscription: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO question_plan (subscription, revoked_at) VALUES ($1, $2) \
         ON CONFLICT ON CONSTRAINT question_plan_pkey \
         DO UPDATE SET revoked_at = coalesce(question_plan.revoked_at, excluded.revoked_at)",
        subscription,
        now
    )
    .execute(database)
    .instrument(span("INSERT question_plan"))
    .await?;
    Ok(())
}

/// Whether the account has a plan now.
pub(crate) async fn is_active(database: &mut PgConnection, account: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM question_plan WHERE account = $1 AND revoked_at IS NULL) AS "is_active!""#,
        account
    )
    .fetch_one(database)
    .instrument(span("SELECT question_plan"))
    .await
}

/// Deletes the plans of an account. The caller holds its lock.
pub(crate) async fn erase(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM question_plan WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE question_plan"))
        .await?;
    Ok(())
}
