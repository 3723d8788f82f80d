//! Payments on the provider's page: opens and closes the page, and books its state.

use tracing::Instrument as _;
use uuid::Uuid;

use super::{CHECK_PERIOD, Outcome, Settlement};
use crate::order::change;
use crate::payment::{self, Payment};
use crate::provider::{NewSession, ProviderError, Session, SessionStatus};
use crate::settlement_error::SettlementError;

impl Settlement {
    /// Creates the session of a payment. A repeated call with the same key returns the same
    /// session.
    pub(super) async fn create_session(&self, payment: &Payment) -> Result<(), SettlementError> {
        let label = payment::find_order_label(&mut *self.pool.acquire().await?, payment.order).await?;
        let reference = payment.order.to_string();
        let key = format!("{}:{}", label.number, payment.attempt);
        let customer = match label.account {
            Some(account) if label.has_subscription => {
                Some(self.ensure_customer(account, &label.email, &label.name).await?)
            }
            _ => None,
        };
        let new = NewSession {
            key: &key,
            reference: &reference,
            number: &label.number,
            description: &format!("コノマナ ご注文番号 {}", label.number),
            amount: payment.amount,
            email: &label.email,
            customer: customer.as_deref(),
            expires_at: payment.page_expires_at,
            success_url: &self.return_url(payment.order, label.has_subscription),
            cancel_url: &format!("{}/payment?order={reference}", self.site),
        };
        match self.provider.create_session(&new).await {
            Ok(session) => self.apply(payment, &session).await,
            Err(error @ ProviderError::Unreachable(_)) => {
                self.mark_unknown(payment).await?;
                Err(error.into())
            }
            Err(error) => {
                // No session exists: if the key had one, the provider would return it.
                tracing::error!(order = label.number, %error, "the provider refused a payment");
                self.close_payment(payment, payment::State::Failed, Outcome::Failed).await
            }
        }
    }

    /// Closes the page of a payment at the provider, and applies its state.
    pub(super) async fn close_page(&self, payment: &Payment, session: &str) -> Result<(), SettlementError> {
        let closed = match self.provider.expire_session(session).await {
            // The session is not open.
            Err(ProviderError::Refused { .. }) => self.provider.find_session(session).await,
            answer => answer,
        };
        match closed {
            Ok(session) => self.apply(payment, &session).await,
            // The session does not exist at the provider, so the buyer can't pay.
            Err(error @ ProviderError::NotFound) => {
                tracing::error!(payment = %payment.id, %error, "a payment is closed without its session");
                self.close_payment(payment, payment::State::Expired, Outcome::Expired).await
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Where the provider sends the buyer after a payment by card.
    pub(super) fn return_url(&self, order: Uuid, has_subscription: bool) -> String {
        let page = if has_subscription { "subscribe" } else { "credit" };
        format!("{}/payment/complete/{page}?order={order}", self.site)
    }

    /// Books the provider's state of a payment. Uses the trace of the request that placed the
    /// order, so a purchase is one trace from the button to the course.
    pub(crate) async fn apply(&self, payment: &Payment, session: &Session) -> Result<(), SettlementError> {
        self.apply_session(payment, session).instrument(Self::settlement_span(payment)).await
    }

    async fn apply_session(&self, payment: &Payment, session: &Session) -> Result<(), SettlementError> {
        let now = self.clock.now();
        let card = self.find_paid_card(payment, session).await?;
        let mut transaction = self.pool.begin().await?;
        let Some(order) = change::lock_order(&mut transaction, payment.order).await? else { return Ok(()) };
        let state = payment::lock_payment(&mut transaction, payment.id).await?;
        payment::store_session(&mut transaction, payment.id, session).await?;
        let outcome = if session.is_paid {
            if let (Some(card), Some(account)) = (card, order.account) {
                self.save_card(&mut transaction, account, &card).await?;
            }
            self.book_success(&mut transaction, &order, payment, state, session.amount, now).await?
        } else if session.status == SessionStatus::Expired {
            let is_closed =
                payment::close_payment(&mut transaction, payment.id, payment::State::Expired, now).await?;
            is_closed.then_some(Outcome::Expired)
        } else {
            if matches!(state, payment::State::Created | payment::State::Unknown) {
                change::schedule_check(&mut transaction, order.id, now + CHECK_PERIOD, now).await?;
            }
            None
        };
        transaction.commit().await?;
        self.announce_outcome(outcome);
        if session.status == SessionStatus::Other && !session.is_paid {
            return Err(SettlementError::UnknownState(session.id.clone()));
        }
        Ok(())
    }
}
