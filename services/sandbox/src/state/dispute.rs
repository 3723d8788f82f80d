//! Disputes: a bank takes back the money of a card payment.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::id::new_id;
use crate::state::State;
use crate::state::balance::BalanceKind;
use crate::state::intent::Method;

/// The provider's fee for a dispute, regardless of its outcome, in yen.
const FEE: i64 = 1_500;
/// The time limit for an answer, in seconds.
const ANSWER_TIME: i64 = 7 * 24 * 60 * 60;

/// A dispute.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Dispute {
    pub(crate) id: String,
    pub(crate) charge: String,
    pub(crate) intent: String,
    pub(crate) created: i64,
    /// Yen.
    pub(crate) amount: i64,
    pub(crate) status: DisputeStatus,
    /// The ids of its balance transactions.
    balance_transactions: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DisputeStatus {
    NeedsResponse,
    Won,
    Lost,
}

impl DisputeStatus {
    /// The final status with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "won" => Some(Self::Won),
            "lost" => Some(Self::Lost),
            _ => None,
        }
    }
}

impl State {
    pub(crate) fn dispute(&self, id: &str) -> Result<&Dispute, ApiError> {
        let found = self.disputes.iter().find(|dispute| dispute.id == id);
        found.ok_or_else(|| ApiError::missing("dispute", id))
    }

    /// The dispute in the API's format.
    pub(crate) fn dispute_json(&self, dispute: &Dispute) -> Value {
        let ids = &dispute.balance_transactions;
        let found = self.balance_transactions.iter().filter(|transaction| ids.contains(&transaction.id));
        let transactions: Vec<_> = found.map(crate::state::balance::BalanceTransaction::to_json).collect();
        json!({
            "id": dispute.id,
            "object": "dispute",
            "amount": dispute.amount,
            "balance_transactions": transactions,
            "charge": dispute.charge,
            "created": dispute.created,
            "currency": "jpy",
            "evidence": {},
            "evidence_details": {
                "due_by": dispute.created + ANSWER_TIME,
                "has_evidence": false,
                "past_due": false,
                "submission_count": 0,
            },
            "is_charge_refundable": false,
            "livemode": false,
            "metadata": {},
            "payment_intent": dispute.intent,
            "reason": "fraudulent",
            "status": dispute.status,
        })
    }

    /// Opens a dispute of the unrefunded rest of a card payment. The money and a fee are taken at
    /// once.
    pub(crate) fn open_dispute(&mut self, intent: &str, now: i64) -> Result<(), ApiError> {
        let found = self.intent(intent).ok_or_else(|| ApiError::missing("payment_intent", intent))?;
        let charge = found.charge.clone().filter(|_| found.method == Method::Card);
        let charge = charge
            .filter(|charge| !self.is_disputed(charge))
            .ok_or_else(|| ApiError::state(None, "This payment cannot be disputed."))?;
        let amount = found.amount - self.refunded(intent);
        if amount == 0 {
            return Err(ApiError::state(
                Some("charge_already_refunded"),
                "Charge has already been refunded.",
            ));
        }
        let id = new_id("du");
        let withdrawal = self.record_balance(BalanceKind::Adjustment, -amount, FEE, &id, now);
        let dispute = Dispute {
            id,
            charge,
            intent: intent.to_owned(),
            created: now,
            amount,
            status: DisputeStatus::NeedsResponse,
            balance_transactions: vec![withdrawal],
        };
        let object = self.dispute_json(&dispute);
        self.disputes.push(dispute);
        self.publish("charge.dispute.created", object.clone(), now);
        self.publish("charge.dispute.funds_withdrawn", object, now);
        Ok(())
    }

    /// Ends a dispute. If it is won, the money comes back, but not the fee.
    pub(crate) fn close_dispute(
        &mut self,
        id: &str,
        status: DisputeStatus,
        now: i64,
    ) -> Result<(), ApiError> {
        let dispute = self.dispute(id)?;
        if dispute.status != DisputeStatus::NeedsResponse {
            return Err(ApiError::state(None, "This dispute is already closed."));
        }
        let amount = dispute.amount;
        let returned = (status == DisputeStatus::Won)
            .then(|| self.record_balance(BalanceKind::Adjustment, amount, 0, id, now));
        let is_won = returned.is_some();
        if let Some(dispute) = self.disputes.iter_mut().find(|dispute| dispute.id == id) {
            dispute.status = status;
            dispute.balance_transactions.extend(returned);
        }
        let object = self.dispute_json(self.dispute(id)?);
        self.publish("charge.dispute.closed", object.clone(), now);
        if is_won {
            self.publish("charge.dispute.funds_reinstated", object, now);
        }
        Ok(())
    }
}
