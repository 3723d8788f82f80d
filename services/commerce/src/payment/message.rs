//! Encodes payments as messages, for responses and events.

use kit::timestamp::to_timestamp;
use proto::commerce as wire;

use super::{LastPayment, Method, State};
use crate::provider::{BankAccount, Instructions, KonbiniInstructions};
use crate::transfer::{self, Transfer};

impl From<Method> for wire::PaymentMethod {
    fn from(method: Method) -> Self {
        match method {
            Method::Card => Self::Card,
            Method::Konbini => Self::Konbini,
            Method::BankTransfer => Self::BankTransfer,
            Method::SavedCard => Self::SavedCard,
            Method::Coupon => Self::Coupon,
        }
    }
}

pub(crate) fn encode_state(state: State) -> wire::PaymentState {
    match state {
        State::Created | State::Unknown => wire::PaymentState::Unknown,
        State::RequiresAction => wire::PaymentState::RequiresAction,
        State::PartFunded => wire::PaymentState::PartFunded,
        State::Succeeded => wire::PaymentState::Succeeded,
        State::Failed => wire::PaymentState::Failed,
        State::Cancelled => wire::PaymentState::Cancelled,
        State::Expired => wire::PaymentState::Expired,
    }
}

/// Encodes how to pay at a convenience store. It is kept as long as the order.
pub(crate) fn encode_konbini(payment: &LastPayment) -> Option<wire::KonbiniInstructions> {
    let Some(Instructions::Konbini(KonbiniInstructions { expires_at, stores })) = &payment.instructions
    else {
        return None;
    };
    let stores = stores.iter().map(|store| wire::KonbiniStore {
        store: store.store.clone(),
        payment_code: store.payment_code.clone(),
        confirmation_number: store.confirmation_number.clone(),
    });
    Some(wire::KonbiniInstructions { expires_at: Some(to_timestamp(*expires_at)), stores: stores.collect() })
}

/// Encodes how to pay by bank transfer, and the received amount. It is kept as long as the order.
pub(crate) fn encode_bank_transfer(payment: &LastPayment) -> Option<wire::BankTransferInstructions> {
    let Some(Instructions::BankTransfer(account)) = &payment.instructions else { return None };
    let BankAccount {
        bank_name,
        bank_code,
        branch_name,
        branch_code,
        account_type,
        account_number,
        account_holder_name,
    } = account.clone();
    let account_type =
        if account_type == "toza" { wire::BankAccountType::Toza } else { wire::BankAccountType::Futsu };
    // The excess is returned.
    let amount_received = transfer::sum_received(&payment.transfers).min(payment.amount);
    let remaining = if payment.state == State::Succeeded { 0 } else { payment.amount - amount_received };
    Some(wire::BankTransferInstructions {
        bank_name,
        bank_code,
        branch_name,
        branch_code,
        account_type: account_type.into(),
        account_number,
        account_holder: account_holder_name,
        amount_received,
        amount_remaining: remaining,
        transfers: payment.transfers.iter().map(encode_transfer).collect(),
    })
}

pub(crate) fn encode_transfer(transfer: &Transfer) -> wire::BankTransfer {
    wire::BankTransfer {
        amount: transfer.amount,
        received_at: Some(to_timestamp(transfer.received_at)),
        sender_name: transfer.sender_name.clone(),
        is_other_name: transfer.is_other_name,
        is_returned: transfer.state == transfer::State::Returned,
    }
}
