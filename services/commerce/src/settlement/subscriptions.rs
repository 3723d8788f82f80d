//! The scheduler of subscriptions. It announces charges to buyers, places and charges renewals,
//! repeats refused charges, and ends subscriptions whose period is over.

use kit_db::outbox::{Backoff, LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Span;
use uuid::Uuid;

use super::Settlement;
use crate::order::change::Ending;
use crate::order::renewal::{self, CHECK_PERIOD};
use crate::settlement_error::SettlementError;
use crate::subscription::change::{self, ChangeOutcome};
use crate::subscription::due::{self, DueSubscription};
use crate::subscription_rules::{NOTICE_PERIOD, State};

/// The pauses after the provider or the database failed.
const BACKOFF: Backoff = Backoff { first: Duration::seconds(5), longest: Duration::minutes(10) };

/// The queue of subscriptions.
#[derive(Clone)]
pub(super) struct Subscriptions(pub(super) Settlement);

impl Queue for Subscriptions {
    type Item = DueSubscription;
    type Outcome = Result<(), SettlementError>;

    async fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<DueSubscription>> {
        due::take_due(database, LEASE, now).await
    }

    fn span(&self, _: &DueSubscription) -> Span {
        tracing::info_span!(parent: None, "renew", otel.name = "renew subscription")
    }

    async fn deliver(&self, subscription: &DueSubscription) -> Self::Outcome {
        self.0.run_subscription(subscription.id).await
    }

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        subscription: &DueSubscription,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        due::postpone(database, subscription, now + LEASE).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        subscription: &DueSubscription,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        let Err(error) = outcome else {
            // Does nothing if the subscription was changed: the change has set the next run.
            due::postpone(database, subscription, now + CHECK_PERIOD).await?;
            return Ok(Reach::Reached);
        };
        due::postpone(database, subscription, now + BACKOFF.pause(subscription.runs)).await?;
        let reach = error.reach();
        if reach == Reach::Reached || matches!(error, SettlementError::Renewal(_)) {
            let error = kit::error::chain(&error);
            tracing::error!(subscription = %subscription.id, error, "a subscription could not be renewed");
        }
        Ok(reach)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        due::probe(database, now).await
    }
}

impl Settlement {
    /// Runs the due steps of a subscription. Idempotent.
    async fn run_subscription(&self, id: Uuid) -> Result<(), SettlementError> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        renewal::admit(&mut transaction, id).await?;
        let locked = change::lock(&mut transaction, id).await?;
        if change::end_over(&mut transaction, &self.outbox, &locked, now).await? {
            transaction.commit().await?;
            self.outbox.wake();
            return Ok(());
        }
        let Some(period) = locked.period() else { return Ok(()) };
        match (locked.state, locked.open_renewal) {
            (State::Active, None) if period.end <= now => {
                let placed = renewal::place_renewal(&mut transaction, &locked, now).await;
                let Some(order) = placed.map_err(|error| SettlementError::Renewal(Box::new(error)))? else {
                    return Ok(());
                };
                transaction.commit().await?;
                // Without an answer, the order is checked again.
                self.start_payment(order).await
            }
            (State::Active, None) if period.end - NOTICE_PERIOD <= now => {
                change::announce(&mut transaction, &self.outbox, &locked, period.end, now).await?;
                transaction.commit().await?;
                self.outbox.wake();
                Ok(())
            }
            (State::PastDue, Some(order)) => {
                drop(transaction);
                self.retry_renewal(order).await
            }
            _ => Ok(()),
        }
    }

    /// Charges a renewal again, unless the buyer is paying it now.
    async fn retry_renewal(&self, order: Uuid) -> Result<(), SettlementError> {
        if let Some(payment) = self.find_open_payment(order).await? {
            self.check_payment(&payment).await?;
        }
        let mut transaction = self.pool.begin().await?;
        if !renewal::retry(&mut transaction, order, self.clock.now()).await? {
            return Ok(());
        }
        transaction.commit().await?;
        self.start_payment(order).await
    }

    /// Cancels a subscription for the end of its period, or at once together with its unpaid
    /// renewal. Returns `false` if it has ended or was never paid.
    pub(crate) async fn cancel_subscription(&self, id: Uuid) -> Result<bool, SettlementError> {
        let mut transaction = self.pool.begin().await?;
        let outcome = change::cancel(&mut transaction, &self.outbox, id, self.clock.now()).await?;
        transaction.commit().await?;
        self.outbox.wake();
        match outcome {
            ChangeOutcome::Done => Ok(true),
            ChangeOutcome::Refused => Ok(false),
            ChangeOutcome::EndRenewal(order) => {
                self.end_order(order, Ending::Cancelled).await?;
                // If it was paid in the meantime, the subscription continues and is cancelled for
                // the end of its new period.
                let mut transaction = self.pool.begin().await?;
                change::cancel(&mut transaction, &self.outbox, id, self.clock.now()).await?;
                transaction.commit().await?;
                self.outbox.wake();
                Ok(true)
            }
        }
    }

    /// Takes the cancellation of a subscription back. Returns `false` if it has ended or was never
    /// paid.
    pub(crate) async fn resume_subscription(&self, id: Uuid) -> Result<bool, SettlementError> {
        let mut transaction = self.pool.begin().await?;
        let outcome = change::resume(&mut transaction, id, self.clock.now()).await?;
        transaction.commit().await?;
        Ok(outcome == ChangeOutcome::Done)
    }
}
