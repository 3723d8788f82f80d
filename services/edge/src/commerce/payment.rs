//! Payments of orders.

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
    /// How to pay at a convenience store. It stays with the order; null for other methods, and until the provider has
    /// answered.
    #[schema(required)]
    konbini: Option<Konbini>,
    /// How to pay by bank transfer, and what has arrived. It stays with the order; null for other methods, and until the
    /// provider has answered.
    #[schema(required)]
    bank_transfer: Option<BankTransfer>,
}

/// How to pay at a convenience store.
#[derive(Serialize, ToSchema)]
struct Konbini {
    /// When the codes end.
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
    /// One for each chain of stores.
    stores: Vec<KonbiniStore>,
}

/// A chain of convenience stores.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum StoreChain {
    Familymart,
    Lawson,
    Ministop,
    Seicomart,
}

impl StoreChain {
    /// Parses the provider's name of a chain. Returns `None` for a chain that this release does not know.
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "familymart" => Some(Self::Familymart),
            "lawson" => Some(Self::Lawson),
            "ministop" => Some(Self::Ministop),
            "seicomart" => Some(Self::Seicomart),
            _ => None,
        }
    }
}

/// The codes for one chain of convenience stores.
#[derive(Serialize, ToSchema)]
struct KonbiniStore {
    store: StoreChain,
    #[schema(example = "20000")]
    payment_code: String,
    /// Empty: the chain needs none.
    #[schema(example = "0901234567")]
    confirmation_number: String,
}

/// How to pay by bank transfer, and what has arrived. The bank account belongs to this buyer alone.
#[derive(Serialize, ToSchema)]
struct BankTransfer {
    bank_name: String,
    #[schema(example = "0009")]
    bank_code: String,
    branch_name: String,
    #[schema(example = "950")]
    branch_code: String,
    account_type: BankAccountType,
    #[schema(example = "1234567")]
    account_number: String,
    account_holder: String,
    /// Yen that have arrived for the order and are not returned.
    #[schema(minimum = 0, example = 10000)]
    amount_received: i32,
    /// Yen that are missing.
    #[schema(minimum = 0, example = 6500)]
    amount_remaining: i32,
    /// Oldest first.
    transfers: Vec<Transfer>,
}

/// The type of a bank account.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum BankAccountType {
    /// 普通
    Futsu,
    /// 当座
    Toza,
}

/// A bank transfer that arrived.
#[derive(Serialize, ToSchema)]
pub(super) struct Transfer {
    /// Yen.
    #[schema(minimum = 1, example = 10000)]
    amount: i32,
    #[serde(with = "time::serde::rfc3339")]
    received_at: OffsetDateTime,
    /// As the bank sent it, mostly in half-width katakana.
    #[schema(example = "ｱｵｲ ﾀﾛｳ")]
    sender_name: String,
    /// Whether the sender's name differs from the buyer's. The transfer counts anyway.
    is_other_name: bool,
    /// Whether it goes back to the sender.
    is_returned: bool,
}

/// How an order is paid.
#[derive(Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PaymentMethod {
    /// By card, on the provider's page.
    // Confirmations of version 1 have only this method.
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

impl Payment {
    pub(super) fn new(payment: wire::Payment) -> Result<Self, Error> {
        Ok(Self {
            method: PaymentMethod::new(payment.method())?,
            state: PaymentState::new(payment.state())?,
            page_url: payment.page_url,
            decline_code: payment.decline_code,
            konbini: payment.konbini.map(Konbini::new).transpose()?,
            bank_transfer: payment.bank_transfer.map(BankTransfer::new).transpose()?,
        })
    }
}

impl Konbini {
    fn new(konbini: wire::KonbiniInstructions) -> Result<Self, Error> {
        let stores = konbini.stores.into_iter().filter_map(|store| {
            Some(KonbiniStore {
                store: StoreChain::from_name(&store.store)?,
                payment_code: store.payment_code,
                confirmation_number: store.confirmation_number,
            })
        });
        Ok(Self { expires_at: parse_timestamp(konbini.expires_at)?, stores: stores.collect() })
    }
}

impl BankTransfer {
    fn new(bank_transfer: wire::BankTransferInstructions) -> Result<Self, Error> {
        let account_type = match bank_transfer.account_type() {
            wire::BankAccountType::Unspecified => return Err(incomplete("account_type")),
            wire::BankAccountType::Futsu => BankAccountType::Futsu,
            wire::BankAccountType::Toza => BankAccountType::Toza,
        };
        Ok(Self {
            bank_name: bank_transfer.bank_name,
            bank_code: bank_transfer.bank_code,
            branch_name: bank_transfer.branch_name,
            branch_code: bank_transfer.branch_code,
            account_type,
            account_number: bank_transfer.account_number,
            account_holder: bank_transfer.account_holder,
            amount_received: bank_transfer.amount_received,
            amount_remaining: bank_transfer.amount_remaining,
            transfers: bank_transfer.transfers.into_iter().map(Transfer::new).collect::<Result<_, _>>()?,
        })
    }
}

impl Transfer {
    pub(super) fn new(transfer: wire::BankTransfer) -> Result<Self, Error> {
        Ok(Self {
            amount: transfer.amount,
            received_at: parse_timestamp(transfer.received_at)?,
            sender_name: transfer.sender_name,
            is_other_name: transfer.is_other_name,
            is_returned: transfer.is_returned,
        })
    }
}

impl PaymentMethod {
    /// Parses the method that a buyer chooses. Commerce checks whether it is offered.
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// 2026-11-24 00:00 in Tokyo.
    const MIDNIGHT: prost_types::Timestamp = prost_types::Timestamp { seconds: 1_795_446_000, nanos: 0 };

    #[test]
    fn codes_of_convenience_stores_are_passed_on() {
        let store = |store: &str, confirmation_number: &str| wire::KonbiniStore {
            store: store.to_owned(),
            payment_code: "20000".to_owned(),
            confirmation_number: confirmation_number.to_owned(),
        };
        let konbini = wire::KonbiniInstructions {
            expires_at: Some(MIDNIGHT),
            stores: vec![store("familymart", ""), store("lawson", "0901234567")],
        };
        let payment = wire::Payment {
            method: wire::PaymentMethod::Konbini.into(),
            state: wire::PaymentState::RequiresAction.into(),
            konbini: Some(konbini),
            ..wire::Payment::default()
        };
        assert_eq!(
            serde_json::to_value(Payment::new(payment).unwrap()).unwrap(),
            json!({
                "method": "konbini", "state": "requires_action", "page_url": null, "decline_code": null,
                "konbini": {"expires_at": "2026-11-23T15:00:00Z", "stores": [
                    {"store": "familymart", "payment_code": "20000", "confirmation_number": ""},
                    {"store": "lawson", "payment_code": "20000", "confirmation_number": "0901234567"},
                ]},
                "bank_transfer": null,
            })
        );
    }

    #[test]
    fn a_bank_account_and_what_has_arrived_are_passed_on() {
        let transfer = wire::BankTransfer {
            amount: 10_000,
            received_at: Some(MIDNIGHT),
            sender_name: "ｱｵｲ ﾀﾛｳ".to_owned(),
            is_other_name: true,
            is_returned: false,
        };
        let bank_transfer = wire::BankTransferInstructions {
            bank_name: "みらい銀行".to_owned(),
            bank_code: "0009".to_owned(),
            branch_name: "さくら支店".to_owned(),
            branch_code: "950".to_owned(),
            account_type: wire::BankAccountType::Toza.into(),
            account_number: "1234567".to_owned(),
            account_holder: "カ）コノマナ".to_owned(),
            amount_received: 10_000,
            amount_remaining: 6_500,
            transfers: vec![transfer],
        };
        let payment = wire::Payment {
            method: wire::PaymentMethod::BankTransfer.into(),
            state: wire::PaymentState::PartFunded.into(),
            bank_transfer: Some(bank_transfer),
            ..wire::Payment::default()
        };
        assert_eq!(
            serde_json::to_value(Payment::new(payment).unwrap()).unwrap(),
            json!({
                "method": "bank_transfer", "state": "part_funded", "page_url": null, "decline_code": null,
                "konbini": null,
                "bank_transfer": {
                    "bank_name": "みらい銀行", "bank_code": "0009", "branch_name": "さくら支店", "branch_code": "950",
                    "account_type": "toza", "account_number": "1234567", "account_holder": "カ）コノマナ",
                    "amount_received": 10_000, "amount_remaining": 6_500,
                    "transfers": [{
                        "amount": 10_000, "received_at": "2026-11-23T15:00:00Z", "sender_name": "ｱｵｲ ﾀﾛｳ",
                        "is_other_name": true, "is_returned": false,
                    }],
                },
            })
        );
    }
}
