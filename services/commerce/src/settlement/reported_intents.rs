//! Intents that the provider reports: finds the payment of each, even if the answer with its id was lost.

use super::Settlement;
use crate::payment;
use crate::provider::{IntentStatus, ProviderError};
use crate::settlement_error::SettlementError;

impl Settlement {
    /// Queries the provider about an intent that one of its events names, and books its payment.
    pub(super) async fn check_reported_intent(&self, id: &str) -> Result<(), SettlementError> {
        let payment = payment::find_by_intent(&mut *self.pool.acquire().await?, id).await?;
        match payment {
            Some(payment) if payment.is_final() => Ok(()),
            Some(payment) => self.check_payment(&payment).await,
            None => self.check_lost_charge(id).await,
        }
    }

    /// Handles an intent with an unknown id: of a payment with a saved card whose answer was lost,
    /// or another one.
    async fn check_lost_charge(&self, id: &str) -> Result<(), SettlementError> {
        let intent = match self.provider.find_charge(id).await {
            Ok(intent) => intent,
            Err(ProviderError::NotFound) => return self.check_unknown_intent(id).await,
            Err(error) => return Err(error.into()),
        };
        let own = intent.payment.as_deref().and_then(|payment| payment.parse().ok());
        match payment::find_charge(&mut *self.pool.acquire().await?, own, id).await? {
            Some(payment) => self.apply_charge(&payment, &intent).await,
            None => self.check_unknown_intent(id).await,
        }
    }

    /// Handles an intent of a session, which may not be stored yet. An intent without a session
    /// belongs to another system, or a restored database has lost its id. If it was paid, books the
    /// payment.
    async fn check_unknown_intent(&self, id: &str) -> Result<(), SettlementError> {
        let session = match self.provider.find_session_of_intent(id).await {
            Ok(session) => session,
            Err(ProviderError::NotFound) => return self.check_lost_intent(id).await,
            Err(error) => return Err(error.into()),
        };
        let payment = payment::find_by_session(&mut *self.pool.acquire().await?, &session.id).await?;
        match payment {
            Some(payment) => self.apply(&payment, &session).await,
            None => Ok(()),
        }
    }

    async fn check_lost_intent(&self, id: &str) -> Result<(), SettlementError> {
        let intent = match self.provider.find_intent(id).await {
            Ok(intent) if intent.status == IntentStatus::Succeeded => intent,
            Ok(_) | Err(ProviderError::NotFound) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let order = intent.reference.as_deref().and_then(|reference| reference.parse().ok());
        let payment = match order {
            Some(order) => payment::find_unstarted(&mut *self.pool.acquire().await?, order).await?,
            None => None,
        };
        let Some(payment) = payment else {
            tracing::warn!(intent = id, "a paid intent belongs to no payment");
            return Ok(());
        };
        self.apply_intent(&payment, &intent).await
    }
}
