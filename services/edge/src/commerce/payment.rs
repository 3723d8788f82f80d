//! Payments of orders, and money that goes back.

use proto::commerce as wire;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use crate::error::Error;
use crate::timestamp::parse_timestamp;

/// The last attempt to pay an order.
#[derive(Serialize, ToSchema)]
pub(super) struct Payment {
    method: PaymentMethod,
    state: PaymentState,
    /// The provider's page while the buyer can pay there; null otherwise.
    #[schema(required, format = "uri")]
    page_url: Option<String>,
    /// Why the provider refused the last card: its code; null: it did not.
    #[schema(required, example = "card_declined")]
    decline_code: Option<String>,
}

/// How an order is paid.
#[derive(Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PaymentMethod {
    /// By card, on the provider's page.
    // The only one of confirmations of version 1.
    #[default]
    Card,
    /// In cash at a convenience store.
    Konbini,
    /// By bank transfer.
    BankTransfer,
    /// With the card that the account has saved.
    SavedCard,
    /// Coupons cover the order.
    Coupon,
}

/// State of the last attempt to pay.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PaymentState {
    /// The provider's answer is missing: 確認中.
    Unknown,
    /// The provider waits for the buyer.
    RequiresAction,
    /// A bank transfer of less than the total has arrived.
    PartFunded,
    Succeeded,
    Failed,
    Cancelled,
    Expired,
}

/// Money that goes back to the buyer.
#[derive(Serialize, ToSchema)]
pub(super) struct Refund {
    /// Yen.
    #[schema(minimum = 1, example = 16500)]
    amount: i32,
    state: RefundState,
    #[serde(with = "time::serde::rfc3339")]
    requested_at: OffsetDateTime,
}

/// State of a refund.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum RefundState {
    /// On its way.
    Pending,
    Succeeded,
    /// The provider could not return it; the school looks after it.
    Failed,
}

impl Payment {
    pub(super) fn new(payment: wire::Payment) -> Result<Self, Error> {
        Ok(Self {
            method: PaymentMethod::new(payment.method())?,
            state: PaymentState::new(payment.state())?,
            page_url: payment.page_url,
            decline_code: payment.decline_code,
        })
    }
}

impl PaymentMethod {
    /// Parses the method that a buyer chooses. Whether it is offered, commerce says.
    pub(super) fn parse(text: &str) -> Option<wire::PaymentMethod> {
        match text {
            "card" => Some(wire::PaymentMethod::Card),
            "konbini" => Some(wire::PaymentMethod::Konbini),
            "bank_transfer" => Some(wire::PaymentMethod::BankTransfer),
            "saved_card" => Some(wire::PaymentMethod::SavedCard),
            "coupon" => Some(wire::PaymentMethod::Coupon),
            _ => None,
        }
    }

    pub(super) fn new(method: wire::PaymentMethod) -> Result<Self, Error> {
        match method {
            wire::PaymentMethod::Unspecified => Err(incomplete("method")),
            wire::PaymentMethod::Card => Ok(Self::Card),
            wire::PaymentMethod::Konbini => Ok(Self::Konbini),
            wire::PaymentMethod::BankTransfer => Ok(Self::BankTransfer),
            wire::PaymentMethod::SavedCard => Ok(Self::SavedCard),
            wire::PaymentMethod::Coupon => Ok(Self::Coupon),
        }
    }
}

impl PaymentState {
    pub(super) fn new(state: wire::PaymentState) -> Result<Self, Error> {
        match state {
            wire::PaymentState::Unspecified => Err(incomplete("payment.state")),
            wire::PaymentState::Unknown => Ok(Self::Unknown),
            wire::PaymentState::RequiresAction => Ok(Self::RequiresAction),
            wire::PaymentState::PartFunded => Ok(Self::PartFunded),
            wire::PaymentState::Succeeded => Ok(Self::Succeeded),
            wire::PaymentState::Failed => Ok(Self::Failed),
            wire::PaymentState::Cancelled => Ok(Self::Cancelled),
            wire::PaymentState::Expired => Ok(Self::Expired),
        }
    }
}

impl Refund {
    pub(super) fn new(refund: wire::Refund) -> Result<Self, Error> {
        let state = match refund.state() {
            wire::RefundState::Unspecified => return Err(incomplete("refund.state")),
            wire::RefundState::Pending => RefundState::Pending,
            wire::RefundState::Succeeded => RefundState::Succeeded,
            wire::RefundState::Failed => RefundState::Failed,
        };
        Ok(Self { amount: refund.amount, state, requested_at: parse_timestamp(refund.requested_at)? })
    }
}
