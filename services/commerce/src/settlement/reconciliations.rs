//! The provider's lists of refunds, disputes and balance transactions. What the database lacks is
//! stored as an event of our own, and processed like a webhook event.

use kit_db::outbox::{LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Span;

use super::Settlement;
use crate::dispute;
use crate::provider::{BalanceEntry, DisputeStatus, ProviderDispute, ProviderRefund};
use crate::provider_event::{self, FoundEvent};
use crate::reconciliation::{self, DueList, List};
use crate::refund::{self, ReportedState};
use crate::settlement_error::SettlementError;

/// The pause after a list could not be read.
const RETRY_PERIOD: Duration = Duration::seconds(15);
/// Each run overlaps with the end of the previous one, because the clocks may differ and the
/// provider's lists may lag.
const OVERLAP: Duration = Duration::minutes(10);
/// The period that the first run reads.
const FIRST_PERIOD: Duration = Duration::days(30);

const REFUND_UPDATED: &str = "refund.updated";
const DISPUTE_UPDATED: &str = "charge.dispute.updated";

/// The queue of the provider's lists.
#[derive(Clone)]
pub(super) struct Lists(pub(super) Settlement);

impl Queue for Lists {
    type Item = DueList;
    /// The time until which the list was read.
    type Outcome = Result<OffsetDateTime, SettlementError>;

    async fn take(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<Option<DueList>> {
        reconciliation::take_due(database, LEASE, now).await
    }

    fn span(&self, list: &DueList) -> Span {
        let list = match list.list {
            List::Refunds => "refunds",
            List::Disputes => "disputes",
            List::Balance => "balance",
        };
        tracing::info_span!(parent: None, "reconcile", otel.name = format!("reconcile {list}"))
    }

    async fn deliver(&self, list: &DueList) -> Self::Outcome {
        let now = self.0.clock.now();
        let since = list.read_until.map_or(now - FIRST_PERIOD, |until| until - OVERLAP);
        let found = match list.list {
            List::Refunds => self.0.find_missed_refunds(since).await?,
            List::Disputes => self.0.find_missed_disputes(since).await?,
            List::Balance => self.0.find_missed_moves(since).await?,
        };
        self.0.store_found(&found, now).await?;
        Ok(now)
    }

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        list: &DueList,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        reconciliation::postpone(database, list, now + LEASE).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        list: &DueList,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        let error = match outcome {
            Ok(read_until) => {
                reconciliation::finish(database, list, read_until).await?;
                return Ok(Reach::Reached);
            }
            Err(error) => error,
        };
        reconciliation::postpone(database, list, now + RETRY_PERIOD).await?;
        let reach = error.reach();
        if reach == Reach::Reached {
            let error = kit::error::chain(&error);
            tracing::error!(list = ?list.list, error, "a list of the provider cannot be read");
        }
        Ok(reach)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        reconciliation::probe(database, now).await
    }
}

impl Settlement {
    /// Finds the refunds that are unknown here or in another state.
    async fn find_missed_refunds(&self, since: OffsetDateTime) -> Result<Vec<FoundEvent>, SettlementError> {
        let made = self.provider.list_refunds_since(since).await?;
        let ids: Vec<_> = made.iter().map(|made| made.id.clone()).collect();
        let known = reconciliation::find_refunds(&mut *self.pool.acquire().await?, &ids).await?;
        let is_missed = |made: &&ProviderRefund| match known.get(&made.id) {
            Some(refund::State::Overtaken) => false,
            known => known != Some(&ReportedState::from(made.state).into()),
        };
        Ok(made.iter().filter(is_missed).map(refund_event).collect())
    }

    /// Finds the disputes that are unknown here or in another state.
    async fn find_missed_disputes(&self, since: OffsetDateTime) -> Result<Vec<FoundEvent>, SettlementError> {
        let made = self.provider.list_disputes_since(since).await?;
        let ids: Vec<_> = made.iter().map(|made| made.id.clone()).collect();
        let known = reconciliation::find_disputes(&mut *self.pool.acquire().await?, &ids).await?;
        let is_missed = |made: &&ProviderDispute| match made.status {
            DisputeStatus::Inquiry => false,
            DisputeStatus::Open | DisputeStatus::Other => !known.contains_key(&made.id),
            DisputeStatus::Won => known.get(&made.id) == Some(&dispute::State::Open),
            DisputeStatus::Lost => known.get(&made.id) != Some(&dispute::State::Lost),
        };
        Ok(made.iter().filter(is_missed).map(dispute_event).collect())
    }

    /// Finds the refunds and disputes whose balance transactions were missed. Only this list shows
    /// changes of old ones: a refund that a bank sent back, or a dispute that was won.
    async fn find_missed_moves(&self, since: OffsetDateTime) -> Result<Vec<FoundEvent>, SettlementError> {
        let entries = self.provider.list_balance(since.unix_timestamp()).await?;
        let sources: Vec<_> = entries.iter().filter_map(|entry| entry.source.clone()).collect();
        let mut connection = self.pool.acquire().await?;
        let refunds = reconciliation::find_refunds(&mut connection, &sources).await?;
        let disputes = reconciliation::find_disputes(&mut connection, &sources).await?;
        let found = entries.iter().filter_map(|entry| {
            let source = entry.source.as_ref()?;
            let (kind, is_missed) = match entry.kind.as_str() {
                "refund" | "payment_refund" => (REFUND_UPDATED, !refunds.contains_key(source)),
                "refund_failure" => (
                    REFUND_UPDATED,
                    !matches!(refunds.get(source), Some(refund::State::Failed | refund::State::Overtaken)),
                ),
                "adjustment" if entry.amount < 0 => (DISPUTE_UPDATED, !disputes.contains_key(source)),
                "adjustment" => (DISPUTE_UPDATED, disputes.get(source) == Some(&dispute::State::Open)),
                _ => return None,
            };
            is_missed.then(|| move_event(entry, kind, source))
        });
        Ok(found.collect())
    }

    /// Stores the missed changes as webhook events, each once, and wakes their processing.
    async fn store_found(&self, found: &[FoundEvent], now: OffsetDateTime) -> sqlx::Result<()> {
        if found.is_empty() {
            return Ok(());
        }
        let mut connection = self.pool.acquire().await?;
        for event in found {
            if provider_event::add_found(&mut connection, event, now).await? {
                tracing::warn!(
                    object = event.object,
                    r#type = event.kind,
                    "the provider's list has what no event told"
                );
            }
        }
        self.wake_events();
        Ok(())
    }
}

fn refund_event(made: &ProviderRefund) -> FoundEvent {
    FoundEvent {
        id: format!("found:{}:{:?}", made.id, made.state),
        kind: REFUND_UPDATED,
        object: made.id.clone(),
    }
}

fn dispute_event(made: &ProviderDispute) -> FoundEvent {
    FoundEvent {
        id: format!("found:{}:{:?}", made.id, made.status),
        kind: DISPUTE_UPDATED,
        object: made.id.clone(),
    }
}

fn move_event(entry: &BalanceEntry, kind: &'static str, source: &str) -> FoundEvent {
    FoundEvent { id: format!("found:{}", entry.id), kind, object: source.to_owned() }
}
