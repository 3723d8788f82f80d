//! Refunds of an order.

use proto::commerce as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::commerce::incomplete;
use crate::error::Error;
use crate::timestamp::parse_timestamp;

/// Money that goes back to the buyer.
#[derive(Serialize, ToSchema)]
pub(super) struct Refund {
    #[schema(format = Uuid)]
    id: String,
    reason: RefundReason,
    /// Yen.
    #[schema(minimum = 0, example = 16500)]
    amount: i32,
    state: RefundState,
    #[serde(with = "time::serde::rfc3339")]
    requested_at: OffsetDateTime,
    /// Whether there is a return invoice (返還インボイス).
    has_invoice: bool,
    /// Whether it failed, and the buyer can name another bank account.
    can_retry: bool,
    /// Whether it failed, and another refund of the order has taken its place.
    is_replaced: bool,
}

/// Why money goes back.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum RefundReason {
    /// It came after the order had ended, or beside another payment.
    Late,
    /// It was more than the total.
    Excess,
    /// The buyer asked for it.
    Buyer,
    /// The school returned it at the provider.
    Outside,
    /// The card's bank took it back.
    Dispute,
    /// The learner had the same from another order, of a guardian or their own, that was paid before.
    Duplicate,
}

/// State of a refund.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum RefundState {
    /// On its way.
    Pending,
    /// The provider has asked the buyer by email where to send it.
    NeedsDetails,
    Succeeded,
    /// The provider could not return it. The school handles it.
    Failed,
    /// The money went back in another way: by a refund that the school made, or by the card's bank.
    Overtaken,
}

impl Refund {
    pub(super) fn new(refund: wire::Refund) -> Result<Self, Error> {
        let state = match refund.state() {
            wire::RefundState::Unspecified => return Err(incomplete("refund.state")),
            wire::RefundState::Pending => RefundState::Pending,
            wire::RefundState::NeedsDetails => RefundState::NeedsDetails,
            wire::RefundState::Succeeded => RefundState::Succeeded,
            wire::RefundState::Failed => RefundState::Failed,
            wire::RefundState::Overtaken => RefundState::Overtaken,
        };
        let reason = match refund.reason() {
            // Sent by an older release.
            wire::RefundReason::Unspecified | wire::RefundReason::Late => RefundReason::Late,
            wire::RefundReason::Excess => RefundReason::Excess,
            wire::RefundReason::Buyer => RefundReason::Buyer,
            wire::RefundReason::Outside => RefundReason::Outside,
            wire::RefundReason::Dispute => RefundReason::Dispute,
            wire::RefundReason::Duplicate => RefundReason::Duplicate,
        };
        Ok(Self {
            id: refund.id,
            reason,
            amount: refund.amount,
            state,
            requested_at: parse_timestamp(refund.requested_at)?,
            has_invoice: refund.has_invoice,
            can_retry: refund.can_retry,
            is_replaced: refund.is_replaced,
        })
    }
}
