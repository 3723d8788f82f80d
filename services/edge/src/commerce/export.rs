//! Purchases in the export of personal data.

use proto::commerce as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use super::order::Order;
use super::payment::{PaymentMethod, PaymentState, Transfer};
use crate::error::Error;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// A line of the caller's cart.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportedCartLine {
    product_id: i64,
    product_name: String,
    /// The learner whom the product is for.
    #[schema(format = Uuid)]
    learner_id: String,
    #[serde(with = "time::serde::rfc3339")]
    added_at: OffsetDateTime,
    /// When it was last added again, or given to another learner.
    #[serde(with = "time::serde::rfc3339")]
    touched_at: OffsetDateTime,
    /// The learner who asked the account to pay for the line; null for other lines.
    #[schema(required, format = Uuid)]
    asked_by: Option<String>,
}

impl ExportedCartLine {
    pub(crate) fn new(line: wire::ExportedCartLine) -> Result<Self, Error> {
        Ok(Self {
            product_id: line.product_id,
            product_name: line.product_name,
            learner_id: line.learner_id,
            added_at: parse_timestamp(line.added_at)?,
            touched_at: parse_timestamp(line.touched_at)?,
            asked_by: line.asked_by,
        })
    }
}

/// A coupon that the caller holds or has on the cart.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportedCoupon {
    id: i64,
    #[schema(example = "FUYU15")]
    code: String,
    #[schema(example = "冬の学習応援 15％引き")]
    name: String,
    /// When its code was typed; null: it was not.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    claimed_at: Option<OffsetDateTime>,
    /// When it was put on the cart; null: it is not there.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    applied_at: Option<OffsetDateTime>,
}

impl ExportedCoupon {
    pub(crate) fn new(coupon: wire::ExportedCoupon) -> Result<Self, Error> {
        Ok(Self {
            id: coupon.id,
            code: coupon.code,
            name: coupon.name,
            claimed_at: parse_optional_timestamp(coupon.claimed_at)?,
            applied_at: parse_optional_timestamp(coupon.applied_at)?,
        })
    }
}

/// An order of the caller with all that is stored about it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportedOrder {
    order: Order,
    /// Family name and given name when it was placed.
    #[schema(example = "葵 花子")]
    buyer_name: String,
    buyer_email: String,
    /// Family name and given name in katakana when it was placed.
    #[schema(example = "アオイ ハナコ")]
    buyer_kana: String,
    /// Every attempt to pay it, oldest first.
    payments: Vec<ExportedPayment>,
    /// Null: not issued.
    #[schema(required)]
    receipt: Option<ExportedReceipt>,
}

impl ExportedOrder {
    pub(crate) fn new(export: wire::ExportedOrder) -> Result<Self, Error> {
        Ok(Self {
            order: Order::new(export.order.ok_or_else(|| incomplete("order"))?)?,
            buyer_name: export.buyer_name,
            buyer_email: export.buyer_email,
            buyer_kana: export.buyer_kana,
            payments: export.payments.into_iter().map(ExportedPayment::new).collect::<Result<_, _>>()?,
            receipt: export.receipt.map(ExportedReceipt::new).transpose()?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedPayment {
    method: PaymentMethod,
    state: PaymentState,
    /// Yen.
    #[schema(minimum = 0, example = 16500)]
    amount: i32,
    /// Why the provider refused the last card: its code; null: it did not.
    #[schema(required, example = "card_declined")]
    decline_code: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    created_at: OffsetDateTime,
    /// Null while it is open.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    settled_at: Option<OffsetDateTime>,
    /// Bank transfers that arrived for it, oldest first.
    transfers: Vec<Transfer>,
}

impl ExportedPayment {
    fn new(payment: wire::ExportedPayment) -> Result<Self, Error> {
        Ok(Self {
            method: PaymentMethod::new(payment.method())?,
            state: PaymentState::new(payment.state())?,
            amount: payment.amount,
            decline_code: payment.decline_code,
            created_at: parse_timestamp(payment.created_at)?,
            settled_at: parse_optional_timestamp(payment.settled_at)?,
            transfers: payment.transfers.into_iter().map(Transfer::new).collect::<Result<_, _>>()?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedReceipt {
    #[schema(example = "R-261125-7Q4F2")]
    number: String,
    #[schema(example = "葵 花子")]
    addressee: String,
    /// How often it was issued.
    issues: u32,
    /// When it was issued last; null: unknown.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    issued_at: Option<OffsetDateTime>,
}

impl ExportedReceipt {
    fn new(receipt: wire::ExportedReceipt) -> Result<Self, Error> {
        Ok(Self {
            number: receipt.number,
            addressee: receipt.addressee,
            issues: receipt.issues,
            issued_at: parse_optional_timestamp(receipt.issued_at)?,
        })
    }
}
