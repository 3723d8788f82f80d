//! Encodes orders and receipts as messages.

use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::commerce as wire;
use time::OffsetDateTime;

use crate::config::Issuer;
use crate::coupon::usage::OrderCoupon;
use crate::order::purchase::Purchase;
use crate::order::{Line, Order, State};
use crate::payment::message::{encode_bank_transfer, encode_konbini, encode_state};
use crate::payment::{LastPayment, Method};
use crate::receipt::Receipt;
use crate::refund::{self, Refund};
use crate::tax;

/// Encodes an order. Includes the provider's page if it is open at `now`.
pub(super) fn encode_order(order: Order, now: OffsetDateTime) -> wire::Order {
    wire::Order {
        id: order.id.to_string(),
        number: order.number,
        state: encode_order_state(order.state).into(),
        lines: order.lines.into_iter().map(encode_line).collect(),
        total: order.total,
        tax: order.tax,
        placed_at: Some(to_timestamp(order.placed_at)),
        due_at: Some(to_timestamp(order.due_at)),
        paid_at: order.paid_at.map(to_timestamp),
        ended_at: order.ended_at.map(to_timestamp),
        payment: Some(encode_payment(order.payment, order.state, now)),
        confirmation: order.confirmation.map(|stored| encode_confirmation(stored.document, &stored.digest)),
        refunds: order.refunds.iter().map(encode_refund).collect(),
        subscription_id: order.subscription.map(|id| id.to_string()),
        discount: order.discount,
        coupons: order.coupons.into_iter().map(encode_coupon).collect(),
    }
}

fn encode_order_state(state: State) -> wire::OrderState {
    match state {
        State::AwaitingPayment => wire::OrderState::AwaitingPayment,
        State::Paid => wire::OrderState::Paid,
        State::Fulfilled => wire::OrderState::Fulfilled,
        State::Expired => wire::OrderState::Expired,
        State::Cancelled => wire::OrderState::Cancelled,
        State::PartRefunded => wire::OrderState::PartRefunded,
        State::Refunded => wire::OrderState::Refunded,
    }
}

pub(super) fn encode_purchase(purchase: Purchase) -> wire::LearnerPurchase {
    wire::LearnerPurchase {
        name: purchase.name,
        placed_at: Some(to_timestamp(purchase.placed_at)),
        state: encode_order_state(purchase.state).into(),
        amount: purchase.amount,
    }
}

pub(super) fn encode_confirmation(document: Vec<u8>, digest: &[u8]) -> wire::Confirmation {
    wire::Confirmation { document, digest: hex::encode(digest) }
}

fn encode_line(line: Line) -> wire::OrderLine {
    wire::OrderLine {
        product_id: line.product,
        name: line.name,
        price: line.price,
        period_days: line.period_days,
        course_id: line.course,
        learner_id: line.learner.to_string(),
        learner_name: line.learner_name,
        discount: line.discount,
        kind: wire::ProductKind::from(line.kind).into(),
        refunded: line.refunded,
        n: u32::from(line.n.unsigned_abs()),
        exam_id: line.exam,
    }
}

fn encode_coupon(coupon: OrderCoupon) -> wire::OrderCoupon {
    wire::OrderCoupon { id: coupon.id, name: coupon.name, amount: coupon.amount }
}

fn encode_payment(payment: LastPayment, order: State, now: OffsetDateTime) -> wire::Payment {
    let page_url = payment.open_page(now).filter(|_| order == State::AwaitingPayment);
    wire::Payment {
        method: wire::PaymentMethod::from(payment.method).into(),
        state: encode_state(payment.state).into(),
        page_url: page_url.map(str::to_owned),
        konbini: encode_konbini(&payment),
        bank_transfer: encode_bank_transfer(&payment),
        decline_code: payment.decline_code,
    }
}

/// Decodes the method that a buyer chooses. The confirmation decides whether it is available.
pub(super) fn decode_method(method: i32) -> Result<Method, FieldError> {
    match wire::PaymentMethod::try_from(method) {
        Ok(wire::PaymentMethod::Card) => Ok(Method::Card),
        Ok(wire::PaymentMethod::Konbini) => Ok(Method::Konbini),
        Ok(wire::PaymentMethod::BankTransfer) => Ok(Method::BankTransfer),
        Ok(wire::PaymentMethod::SavedCard) => Ok(Method::SavedCard),
        Ok(wire::PaymentMethod::Coupon) => Ok(Method::Coupon),
        Ok(wire::PaymentMethod::Unspecified) | Err(_) => Err(FieldError::new("method", "UNKNOWN_CHOICE")),
    }
}

fn encode_refund(refund: &Refund) -> wire::Refund {
    let state = match refund.state {
        refund::State::Requested | refund::State::Pending => wire::RefundState::Pending,
        refund::State::NeedsDetails => wire::RefundState::NeedsDetails,
        refund::State::Succeeded => wire::RefundState::Succeeded,
        refund::State::Failed => wire::RefundState::Failed,
        refund::State::Overtaken => wire::RefundState::Overtaken,
    };
    wire::Refund {
        amount: refund.amount,
        state: state.into(),
        requested_at: Some(to_timestamp(refund.requested_at)),
        id: refund.id.to_string(),
        reason: wire::RefundReason::from(refund.reason).into(),
        has_invoice: refund.has_invoice,
        can_retry: refund.can_retry,
        is_replaced: refund.is_replaced,
    }
}

pub(super) fn encode_receipt(receipt: Receipt, issuer: &Issuer) -> wire::Receipt {
    wire::Receipt {
        number: receipt.number(),
        order_number: receipt.order_number,
        addressee: receipt.addressee,
        issues: receipt.issues.unsigned_abs(),
        issued_at: receipt.issued_at.map(to_timestamp),
        paid_at: Some(to_timestamp(receipt.paid_at)),
        lines: receipt.lines.into_iter().map(encode_line).collect(),
        total: receipt.total,
        tax: receipt.tax,
        tax_rate: tax::RATE.unsigned_abs(),
        issuer: issuer.name.clone(),
        issuer_number: issuer.number.clone(),
        method: wire::PaymentMethod::from(receipt.method).into(),
        discount: receipt.discount,
        coupons: receipt.coupons.into_iter().map(encode_coupon).collect(),
    }
}
