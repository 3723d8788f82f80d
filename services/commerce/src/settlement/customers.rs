//! Customers at the provider. They are created on first use and deleted with their account.

use kit_db::outbox::{Backoff, LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Span;
use uuid::Uuid;

use super::Settlement;
use crate::customer::{self, ErasedCustomer};
use crate::provider::{NewCustomer, ProviderError};
use crate::settlement_error::SettlementError;

/// The pauses after failed attempts.
const BACKOFF: Backoff = Backoff { first: Duration::seconds(5), longest: NEED_PERIOD };
/// When a customer that is still needed is checked again.
const NEED_PERIOD: Duration = Duration::minutes(10);

impl Settlement {
    /// Returns the provider's customer of an account, and creates it if there is none. A repeated
    /// call with the same key returns the same customer. Must not be called within a transaction.
    pub(crate) async fn ensure_customer(
        &self,
        account: Uuid,
        email: &str,
        name: &str,
    ) -> Result<String, SettlementError> {
        if let Some(id) = customer::find(&mut *self.pool.acquire().await?, account).await? {
            return Ok(id);
        }
        let reference = account.to_string();
        let key = format!("customer:{reference}");
        let new = NewCustomer { key: &key, email, name, reference: &reference };
        let id = self.provider.create_customer(&new).await?;
        let mut transaction = self.pool.begin().await?;
        customer::store(&mut transaction, account, &id, self.clock.now()).await?;
        let stored = customer::find(&mut transaction, account).await?;
        transaction.commit().await?;
        Ok(stored.unwrap_or(id))
    }
}

/// The result of an attempt to delete a customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deletion {
    Done,
    /// A payment still needs it.
    Waits,
}

/// The queue of customers of erased accounts.
#[derive(Clone)]
pub(super) struct ErasedCustomers(pub(super) Settlement);

impl Queue for ErasedCustomers {
    type Item = ErasedCustomer;
    type Outcome = Result<Deletion, SettlementError>;

    async fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<ErasedCustomer>> {
        customer::take_erased(database, LEASE, now).await
    }

    fn span(&self, _: &ErasedCustomer) -> Span {
        tracing::info_span!(parent: None, "delete", otel.name = "delete customer")
    }

    async fn deliver(&self, customer: &ErasedCustomer) -> Self::Outcome {
        // Transfers that have arrived are returned first.
        self.0.check_transfers(&customer.id).await?;
        if customer::is_needed(&mut *self.0.pool.acquire().await?, &customer.id).await? {
            return Ok(Deletion::Waits);
        }
        match self.0.provider.delete_customer(&customer.id).await {
            Ok(()) | Err(ProviderError::NotFound) => Ok(Deletion::Done),
            Err(error) => Err(error.into()),
        }
    }

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        customer: &ErasedCustomer,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        customer::postpone_erased(database, customer, now + LEASE).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        customer: &ErasedCustomer,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        let pause = match &outcome {
            Ok(Deletion::Done) => {
                customer::forget_erased(database, &customer.id).await?;
                return Ok(Reach::Reached);
            }
            Ok(Deletion::Waits) => NEED_PERIOD,
            Err(_) => BACKOFF.pause(customer.tries),
        };
        customer::postpone_erased(database, customer, now + pause).await?;
        let Err(error) = outcome else { return Ok(Reach::Reached) };
        let reach = error.reach();
        if reach == Reach::Reached {
            let error = kit::error::chain(&error);
            tracing::error!(
                customer = customer.id,
                error,
                "a customer could not be deleted and is retried later"
            );
        }
        Ok(reach)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        customer::probe_erased(database, now).await
    }
}
