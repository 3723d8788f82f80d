//! Ending subscriptions when a guardian withdraws consent.

use kit::timestamp::to_timestamp;
use kit_db::outbox::Outbox;
use kit_db::span;
use proto::auth::{GuardianAddress, PurchaseConsentWithdrawn};
use proto::commerce::SubscriptionStopped;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::change::{self, ChangeOutcome, LockedSubscription};
use crate::erased_account;

/// Cancels all subscriptions of a learner, regardless of the buyer. A paid one ends with its
/// period, and an unpaid order ends at once. Publishes emails to the buyers and the guardians.
pub(crate) async fn withdraw(
    connection: &mut PgConnection,
    outbox: &Outbox,
    learner: Uuid,
    withdrawn: &PurchaseConsentWithdrawn,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    // The lock keeps renewals from being ordered.
    erased_account::lock(connection, learner).await?;
    end_orders(connection, learner, now).await?;
    let ids = sqlx::query_scalar!(
        "SELECT id FROM subscription WHERE learner_id = $1 AND state <> 'ended' ORDER BY id",
        learner,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT subscription"))
    .await?;
    for id in ids {
        sqlx::query!("UPDATE subscription SET is_consent_withdrawn = true WHERE id = $1", id)
            .execute(&mut *connection)
            .instrument(span("UPDATE subscription"))
            .await?;
        let before = change::lock(connection, id).await?;
        if before.period().is_none() {
            // The subscription was never paid, so it ends with its order.
            continue;
        }
        let outcome = change::cancel(connection, outbox, id, now).await?;
        let ends_at = before.period().filter(|_| outcome == ChangeOutcome::Done).map(|period| period.end);
        for guardian in &withdrawn.guardians {
            if before.account.is_none() || forms::mailbox(&guardian.to) != forms::mailbox(&before.buyer_email)
            {
                let stopped = write_stopped(guardian, withdrawn, &before, ends_at);
                outbox.publish(connection, &stopped, now).await?;
            }
        }
    }
    Ok(())
}

fn write_stopped(
    guardian: &GuardianAddress,
    withdrawn: &PurchaseConsentWithdrawn,
    subscription: &LockedSubscription,
    ends_at: Option<OffsetDateTime>,
) -> SubscriptionStopped {
    SubscriptionStopped {
        to: guardian.to.clone(),
        account_id: withdrawn.account_id.clone(),
        guardian_name: guardian.name.clone(),
        learner_name: withdrawn.learner_name.clone(),
        item: subscription.name.clone(),
        ends_at: ends_at.map(to_timestamp),
    }
}

/// Ends the unpaid orders of the learner's subscriptions. A payment that is made in the meantime is
/// refunded.
async fn end_orders(connection: &mut PgConnection, learner: Uuid, now: OffsetDateTime) -> sqlx::Result<()> {
    // Increments the count of checks, so a worker that checks the order now does not postpone it.
    sqlx::query!(
        "
        UPDATE orders SET is_ending = true, next_check_at = $2, checks = checks + 1
        WHERE id IN (
            SELECT orders.id
            FROM subscription JOIN orders ON orders.id = subscription.order_id OR renews = subscription.id
            WHERE learner_id = $1 AND subscription.state <> 'ended' AND orders.state = 'awaiting_payment'
            ORDER BY orders.id FOR UPDATE OF orders
        )
        ",
        learner,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE orders"))
    .await?;
    Ok(())
}
