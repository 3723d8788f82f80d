//! Webhook events. The object of an event is queried again, so events may arrive in any order.

use kit_db::outbox::{Backoff, LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Span;

use super::Settlement;
use crate::payment;
use crate::provider::ProviderError;
use crate::provider_event::{self, ProviderEvent};
use crate::refund;
use crate::settlement_error::SettlementError;

/// The pauses between the attempts of an event.
const BACKOFF: Backoff = Backoff { first: Duration::SECOND, longest: Duration::minutes(5) };

/// The queue of stored webhook events.
#[derive(Clone)]
pub(super) struct Events(pub(super) Settlement);

/// The kind of object that an event is about.
enum Subject {
    Session,
    Intent,
    /// The cash balance of a customer.
    Balance,
    Refund,
    /// A charge that was refunded, perhaps not by us.
    Charge,
    Dispute,
    /// A card that was entered to be saved.
    Setup,
    /// A card that was detached.
    Card,
    /// An event without an effect here.
    Other,
}

impl Subject {
    fn from_type(name: &str) -> Self {
        match name {
            "checkout.session.completed"
            | "checkout.session.expired"
            | "checkout.session.async_payment_succeeded"
            | "checkout.session.async_payment_failed" => Self::Session,
            "payment_intent.requires_action"
            | "payment_intent.partially_funded"
            | "payment_intent.succeeded"
            | "payment_intent.payment_failed"
            | "payment_intent.canceled" => Self::Intent,
            "customer_cash_balance_transaction.created" | "cash_balance.funds_available" => Self::Balance,
            "setup_intent.succeeded" => Self::Setup,
            "payment_method.detached" => Self::Card,
            "refund.created" | "refund.updated" | "refund.failed" => Self::Refund,
            "charge.refunded" => Self::Charge,
            "charge.dispute.created"
            | "charge.dispute.updated"
            | "charge.dispute.closed"
            | "charge.dispute.funds_withdrawn"
            | "charge.dispute.funds_reinstated" => Self::Dispute,
            _ => Self::Other,
        }
    }
}

impl Queue for Events {
    type Item = ProviderEvent;
    type Outcome = Result<(), SettlementError>;

    async fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<ProviderEvent>> {
        provider_event::take_due(database, LEASE, now).await
    }

    fn span(&self, event: &ProviderEvent) -> Span {
        let span = tracing::info_span!(
            parent: None,
            "process",
            otel.name = format!("process {}", event.kind),
            otel.kind = "consumer",
            messaging.message.id = event.id,
        );
        kit::trace::follow(&span, event.traceparent.as_deref());
        span
    }

    async fn deliver(&self, event: &ProviderEvent) -> Self::Outcome {
        match Subject::from_type(&event.kind) {
            Subject::Session => self.check_session(&event.object).await,
            Subject::Intent => self.0.check_reported_intent(&event.object).await,
            Subject::Balance => match &event.customer {
                Some(customer) => self.0.check_transfers(customer).await,
                None => Ok(()),
            },
            Subject::Refund => self.check_refund(&event.object).await,
            Subject::Charge => self.check_charge(&event.id).await,
            Subject::Dispute => self.0.check_dispute(&event.object).await,
            Subject::Setup => self.0.save_setup(&event.object).await,
            Subject::Card => self.0.check_detached(&event.object).await,
            Subject::Other => Ok(()),
        }
    }

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        event: &ProviderEvent,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        provider_event::postpone(database, event, now + LEASE).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        event: &ProviderEvent,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        let Err(error) = outcome else {
            provider_event::mark_processed(database, &event.id, now).await?;
            return Ok(Reach::Reached);
        };
        let reach = error.reach();
        // While the provider is down, each round tries only one event. The others continue as soon
        // as the provider is back.
        let pause = match reach {
            Reach::Unreachable(_) => BACKOFF.first,
            _ => BACKOFF.pause(event.tries),
        };
        provider_event::postpone(database, event, now + pause).await?;
        if reach == Reach::Reached {
            let error = kit::error::chain(&error);
            tracing::error!(
                event = event.id,
                r#type = event.kind,
                error,
                "an event failed and is retried later"
            );
        }
        Ok(reach)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        provider_event::probe(database, now).await
    }
}

impl Events {
    async fn check_session(&self, id: &str) -> Result<(), SettlementError> {
        let payment = payment::find_by_session(&mut *self.0.pool.acquire().await?, id).await?;
        match payment {
            Some(payment) if payment.is_final() => Ok(()),
            Some(payment) => self.0.check_payment(&payment).await,
            None => self.check_unknown_session(id).await,
        }
    }

    /// Handles a session of another system, or one whose answer was lost. In the second case, its
    /// page was not shown, unless a restored database has lost the id again. If it was paid, books
    /// the payment.
    async fn check_unknown_session(&self, id: &str) -> Result<(), SettlementError> {
        let session = match self.0.provider.find_session(id).await {
            Ok(session) if session.is_paid => session,
            Ok(_) | Err(ProviderError::NotFound) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let order = session.reference.as_deref().and_then(|reference| reference.parse().ok());
        let payment = match order {
            Some(order) => payment::find_unstarted(&mut *self.0.pool.acquire().await?, order).await?,
            None => None,
        };
        let Some(payment) = payment else {
            tracing::warn!(session = id, "a paid session belongs to no payment");
            return Ok(());
        };
        self.0.apply(&payment, &session).await
    }

    async fn check_refund(&self, id: &str) -> Result<(), SettlementError> {
        let refund = refund::find_by_provider_refund(&mut *self.0.pool.acquire().await?, id).await?;
        match refund {
            Some(refund) => self.0.check_refund(refund, id).await,
            None => match self.0.provider.find_refund(id).await {
                Ok(made) => self.0.apply_made_refund(&made).await,
                Err(ProviderError::NotFound) => Ok(()),
                Err(error) => Err(error.into()),
            },
        }
    }

    async fn check_charge(&self, event: &str) -> Result<(), SettlementError> {
        let intent = provider_event::find_intent(&mut *self.0.pool.acquire().await?, event).await?;
        let Some(intent) = intent else { return Ok(()) };
        for made in self.0.provider.list_refunds(&intent).await?.iter().rev() {
            self.0.apply_made_refund(made).await?;
        }
        Ok(())
    }
}
