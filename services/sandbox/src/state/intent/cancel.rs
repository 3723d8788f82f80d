//! Cancels payment intents.

use super::{Cancellation, IntentStatus, Method};
use crate::error::ApiError;
use crate::state::State;
use crate::state::cash_balance::CashCause;

impl State {
    /// Cancels an intent on request. An intent of a session is canceled with its session only.
    pub(crate) fn cancel_intent(
        &mut self,
        id: &str,
        reason: Option<String>,
        now: i64,
    ) -> Result<(), ApiError> {
        let intent = self.named_intent(id)?;
        if matches!(intent.status, IntentStatus::Succeeded | IntentStatus::Canceled) {
            let message = "You cannot cancel this PaymentIntent because of its status.";
            return Err(ApiError::intent_state(message, self.intent_json(intent)));
        }
        if intent.session.is_some() {
            let message = "You cannot cancel a PaymentIntent of a Checkout Session; expire the session.";
            return Err(ApiError::intent_state(message, self.intent_json(intent)));
        }
        self.end_intent(id, reason, now);
        Ok(())
    }

    /// Cancels an intent. Money of bank transfers returns to the cash balance.
    pub(crate) fn end_intent(&mut self, id: &str, reason: Option<String>, now: i64) {
        let mut returned = None;
        self.change_intent(id, "payment_intent.canceled", now, |intent| {
            intent.status = IntentStatus::Canceled;
            intent.cancellation = Some(Cancellation { at: now, reason });
            if let Method::Transfer(transfer) = &mut intent.method {
                let amount = std::mem::take(&mut transfer.applied);
                returned = intent.customer.clone().filter(|_| amount > 0).map(|customer| (customer, amount));
            }
        });
        if let Some((customer, amount)) = returned {
            self.record_cash(&customer, amount, CashCause::UnappliedFromPayment(id.to_owned()), now);
        }
    }
}
