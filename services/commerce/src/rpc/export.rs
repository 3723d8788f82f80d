//! The export of an account's purchases, in parts within the size limit of a message.

use kit::timestamp::to_timestamp;
use proto::commerce as wire;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use super::card;
use super::order_message;
use super::subscription::encode as encode_subscription;
use crate::cart::export::{self as cart_export, LineExport};
use crate::coupon::claim::{self, CouponExport};
use crate::guardian_request;
use crate::order::export::{self, OrderExport};
use crate::payment::PaymentExport;
use crate::payment::message::{encode_state, encode_transfer};
use crate::transfer::Transfer;
use crate::{receipt, subscription};

/// Orders per part. With 20 lines each, they take about 1 MB of gRPC's 4 MB.
const ORDERS: i64 = 50;

/// A part of the export.
pub(super) enum Part {
    /// The cart and the coupons.
    Cart,
    /// The orders after this one.
    Orders(Option<(OffsetDateTime, Uuid)>),
}

impl Part {
    pub(super) const FIRST: Self = Self::Cart;

    /// Exports the part. Also returns the next part.
    pub(super) async fn read_part(
        self,
        connection: &mut PgConnection,
        account: Uuid,
        now: OffsetDateTime,
    ) -> sqlx::Result<(wire::ExportPurchasesResponse, Option<Self>)> {
        let mut part = wire::ExportPurchasesResponse::default();
        let next = match self {
            Self::Cart => {
                let lines = cart_export::export(connection, account).await?;
                part.cart = lines.into_iter().map(encode_cart_line).collect();
                let coupons = claim::export(connection, account).await?;
                part.coupons = coupons.into_iter().map(encode_coupon).collect();
                part.asked_at = guardian_request::find_asked_at(connection, account).await?.map(to_timestamp);
                part.card = card::find_card(connection, account, now).await?;
                let subscriptions = subscription::export(connection, account).await?;
                let encode = |it| encode_subscription(it, None, now);
                part.subscriptions = subscriptions.into_iter().map(encode).collect();
                Some(Self::Orders(None))
            }
            Self::Orders(after) => {
                let orders = export::export(connection, account, after, ORDERS).await?;
                let last = orders.last().map(|last| (last.order.placed_at, last.order.id));
                part.orders = orders.into_iter().map(|order| encode_order(order, now)).collect();
                last.map(|last| Self::Orders(Some(last)))
            }
        };
        Ok((part, next))
    }
}

fn encode_cart_line(line: LineExport) -> wire::ExportedCartLine {
    wire::ExportedCartLine {
        product_id: line.product,
        product_name: line.product_name,
        learner_id: line.learner.to_string(),
        added_at: Some(to_timestamp(line.added_at)),
        touched_at: Some(to_timestamp(line.touched_at)),
        asked_by: line.asked_by.map(|learner| learner.to_string()),
    }
}

fn encode_coupon(coupon: CouponExport) -> wire::ExportedCoupon {
    wire::ExportedCoupon {
        id: coupon.id,
        code: coupon.code,
        name: coupon.name,
        claimed_at: coupon.claimed_at.map(to_timestamp),
        applied_at: coupon.applied_at.map(to_timestamp),
    }
}

fn encode_order(export: OrderExport, now: OffsetDateTime) -> wire::ExportedOrder {
    let receipt = export.addressee.map(|addressee| wire::ExportedReceipt {
        number: receipt::make_number(&export.order.number),
        addressee,
        issues: export.issues.unsigned_abs(),
        issued_at: export.issued_at.map(to_timestamp),
    });
    let payments = export.payments.into_iter().map(|payment| encode_payment(payment, &export.transfers));
    wire::ExportedOrder {
        payments: payments.collect(),
        order: Some(order_message::encode_order(export.order, now)),
        buyer_name: export.buyer_name,
        buyer_email: export.buyer_email,
        buyer_kana: export.buyer_kana,
        receipt,
    }
}

fn encode_payment(payment: PaymentExport, transfers: &[Transfer]) -> wire::ExportedPayment {
    let transfers = transfers.iter().filter(|transfer| transfer.payment == payment.id);
    wire::ExportedPayment {
        method: wire::PaymentMethod::from(payment.method).into(),
        state: encode_state(payment.state).into(),
        amount: payment.amount,
        decline_code: payment.decline_code,
        created_at: Some(to_timestamp(payment.created_at)),
        settled_at: payment.settled_at.map(to_timestamp),
        transfers: transfers.map(encode_transfer).collect(),
    }
}
