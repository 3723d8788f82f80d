//! Grants and revocations of question plans: every subscription includes questions to the teachers.

use std::time::Duration;

use kit::clock::Clock;
use kit::error;
use kit::shutdown::Shutdown;
use kit::task::every;
use kit_db::outbox::Outbox;
use kit_db::{Pool, span};
use proto::desk::{QuestionPlanGranted, QuestionPlanRevoked};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// How often subscriptions without a grant or a revocation are looked for. Only replicas of an
/// earlier release start or end one without it.
const PERIOD: Duration = Duration::from_mins(10);

/// Publishes missing grants and revocations, at once and then periodically, until `shutdown`.
pub(crate) fn spawn(pool: Pool, outbox: Outbox, clock: Clock, shutdown: Shutdown) {
    every("question plans", PERIOD, shutdown, move || {
        let (pool, outbox, clock) = (pool.clone(), outbox.clone(), clock.clone());
        async move {
            if let Err(error) = grant_missing(&pool, &outbox, clock.now()).await {
                tracing::warn!(error = error::chain(&error), "could not grant question plans");
            }
            if let Err(error) = revoke_missing(&pool, &outbox, clock.now()).await {
                tracing::warn!(error = error::chain(&error), "could not revoke question plans");
            }
        }
    });
}

/// Publishes the grants of running subscriptions that were started by an earlier release, which
/// published none. Several processes may do this at once.
async fn grant_missing(pool: &Pool, outbox: &Outbox, now: OffsetDateTime) -> sqlx::Result<()> {
    loop {
        let mut transaction = pool.begin().await?;
        let missing = sqlx::query!(
            "
            SELECT id, learner_id FROM subscription
            WHERE NOT is_plan_granted AND NOT is_ending AND state IN ('active', 'past_due', 'cancel_scheduled')
            LIMIT 1 FOR UPDATE SKIP LOCKED
            ",
        )
        .fetch_optional(&mut *transaction)
        .instrument(span("SELECT subscription"))
        .await?;
        let Some(missing) = missing else { return Ok(()) };
        grant(&mut transaction, outbox, (missing.id, missing.learner_id), now).await?;
        transaction.commit().await?;
        outbox.wake();
    }
}

/// Publishes the revocations of granted subscriptions that were ended by an earlier release, which
/// published none. Several processes may do this at once.
async fn revoke_missing(pool: &Pool, outbox: &Outbox, now: OffsetDateTime) -> sqlx::Result<()> {
    loop {
        let mut transaction = pool.begin().await?;
        let missing = sqlx::query_scalar!(
            "
            SELECT id FROM subscription WHERE is_plan_granted AND NOT is_plan_revoked AND state = 'ended'
            LIMIT 1 FOR UPDATE SKIP LOCKED
            ",
        )
        .fetch_optional(&mut *transaction)
        .instrument(span("SELECT subscription"))
        .await?;
        let Some(missing) = missing else { return Ok(()) };
        revoke(&mut transaction, outbox, missing, now).await?;
        transaction.commit().await?;
        outbox.wake();
    }
}

/// Publishes the grant of the question plan. The subscription is locked.
pub(super) async fn grant(
    connection: &mut PgConnection,
    outbox: &Outbox,
    (id, learner): (Uuid, Uuid),
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let event = QuestionPlanGranted { subscription_id: id.to_string(), learner_id: learner.to_string() };
    outbox.publish(connection, &event, now).await?;
    sqlx::query!("UPDATE subscription SET is_plan_granted = true WHERE id = $1", id)
        .execute(connection)
        .instrument(span("UPDATE subscription"))
        .await?;
    Ok(())
}

/// Publishes the revocation of the question plan. The subscription is locked.
pub(super) async fn revoke(
    connection: &mut PgConnection,
    outbox: &Outbox,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    outbox.publish(connection, &QuestionPlanRevoked { subscription_id: id.to_string() }, now).await?;
    sqlx::query!("UPDATE subscription SET is_plan_revoked = true WHERE id = $1", id)
        .execute(connection)
        .instrument(span("UPDATE subscription"))
        .await?;
    Ok(())
}
