//! Bank transfers: the provider lists a customer's transfers, and each is stored, applied or
//! returned once.

use kit_db::outbox::{Backoff, LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Span;

use super::Settlement;
use crate::order::change;
use crate::order::transfer_matching::{self, TransferMatch};
use crate::payment::{self, Payment};
use crate::provider::{FundedTransfer, ProviderError};
use crate::refund;
use crate::settlement_error::SettlementError;
use crate::transfer::account::{self, WatchedAccount};

/// The pauses after failed calls to the provider.
const BACKOFF: Backoff = Backoff { first: Duration::MINUTE, longest: account::CHECK_PERIOD };

impl Settlement {
    /// Lists the transfers of a customer at the provider. Applies those that cover the customer's
    /// open order, and returns those without an order.
    pub(super) async fn check_transfers(&self, customer: &str) -> Result<(), SettlementError> {
        let transfers = match self.provider.list_transfers(customer).await {
            Ok(transfers) => transfers,
            // The customer was deleted with its account.
            Err(ProviderError::NotFound) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let payment = payment::find_by_customer(&mut *self.pool.acquire().await?, customer).await?;
        let Some(payment) = payment else {
            if !transfers.is_empty() {
                tracing::warn!(customer, "transfers belong to no payment");
            }
            return Ok(());
        };
        match self.store_transfers(&payment, transfers).await? {
            TransferMatch::Waits => Ok(()),
            TransferMatch::Whole => self.apply_balance(&payment).await,
            TransferMatch::Returned => {
                self.new_refund.wake();
                Ok(())
            }
        }
    }

    async fn store_transfers(
        &self,
        payment: &Payment,
        mut transfers: Vec<FundedTransfer>,
    ) -> Result<TransferMatch, SettlementError> {
        transfers.sort_by_key(|transfer| transfer.received_at);
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let Some(order) = change::lock_order(&mut transaction, payment.order).await? else {
            return Ok(TransferMatch::Waits);
        };
        let matched = transfer_matching::store_transfers(
            &mut transaction,
            &self.outbox,
            &order,
            payment,
            &transfers,
            now,
        )
        .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(matched)
    }

    /// Sends the returns of a customer that the provider does not know yet. Otherwise money that is
    /// being returned could pay another order.
    pub(super) async fn send_returns(&self, customer: &str) -> Result<(), SettlementError> {
        let unsent = refund::due::list_unsent(&mut *self.pool.acquire().await?, customer).await?;
        for refund in unsent {
            self.return_balance(&refund, customer).await?;
        }
        Ok(())
    }
}

/// The queue of customers' bank accounts, which may also get transfers for no order.
#[derive(Clone)]
pub(super) struct WatchedAccounts(pub(super) Settlement);

impl Queue for WatchedAccounts {
    type Item = WatchedAccount;
    type Outcome = Result<(), SettlementError>;

    async fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<WatchedAccount>> {
        account::take_due(database, LEASE, now).await
    }

    fn span(&self, _: &WatchedAccount) -> Span {
        tracing::info_span!(parent: None, "check", otel.name = "check transfers")
    }

    async fn deliver(&self, account: &WatchedAccount) -> Self::Outcome {
        self.0.check_transfers(&account.customer).await
    }

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        account: &WatchedAccount,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        account::postpone(database, account, Some(now + LEASE)).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        account: &WatchedAccount,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        let next = match &outcome {
            Ok(()) if account.watched_until <= now => None,
            Ok(()) => Some(now + account::CHECK_PERIOD),
            Err(_) => Some(now + BACKOFF.pause(1)),
        };
        account::postpone(database, account, next).await?;
        let Err(error) = outcome else { return Ok(Reach::Reached) };
        let reach = error.reach();
        if reach == Reach::Reached {
            let error = kit::error::chain(&error);
            tracing::error!(customer = account.customer, error, "transfers could not be looked at");
        }
        Ok(reach)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        account::probe(database, now).await
    }
}
