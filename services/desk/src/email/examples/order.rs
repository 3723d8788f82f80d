//! Emails about orders and subscriptions.

use proto::commerce::{
    BankAccountType, BankTransferInstructions, KonbiniInstructions, KonbiniStore, OrderEnded, OrderPaid,
    OrderPlaced, OrderRefunded, OrderTerm, Payment, PaymentAsked, PaymentMethod, PaymentReminder,
    ProductKind, RefundFailed, RefundReason, RefundRequested, RefundedItem, SubscriptionCancelled,
    SubscriptionEnded, SubscriptionName, SubscriptionNoticed, SubscriptionRefused, SubscriptionRenewed,
    SubscriptionStopped, TransferShort,
};

use super::{Email, guardian_name, id, in_hours, learner_name, name, text, to};

const ORDER: &str = "KM-261121-7Q4F2";
const COURSE: &str = "中3数学 二次方程式と関数";

fn order_id() -> String {
    id()
}

fn order_number() -> String {
    text(ORDER)
}

fn items() -> Vec<String> {
    vec![text(COURSE), text("第2回 コノ模試")]
}

pub(super) fn list_order_emails() -> Vec<Email> {
    let terms =
        || vec![OrderTerm { title: text("お支払い方法"), text: text("クレジットカード") }];
    let konbini = || {
        let store = |store: &str| KonbiniStore {
            store: text(store),
            payment_code: text("123456789012"),
            confirmation_number: text("0123456789"),
        };
        let stores = vec![store("lawson"), store("familymart")];
        Some(Payment {
            konbini: Some(KonbiniInstructions { stores, ..KonbiniInstructions::default() }),
            ..Payment::default()
        })
    };
    let transfer = || {
        Some(Payment {
            bank_transfer: Some(BankTransferInstructions {
                bank_name: text("見本銀行"),
                bank_code: text("9999"),
                branch_name: text("見本支店"),
                branch_code: text("999"),
                account_type: BankAccountType::Futsu.into(),
                account_number: text("1234567"),
                account_holder: text("カ）コノマナ"),
                amount_received: 10_000,
                amount_remaining: 6_500,
                ..BankTransferInstructions::default()
            }),
            ..Payment::default()
        })
    };
    let kinds = vec![ProductKind::Course.into(), ProductKind::ExamSeat.into()];
    let returned =
        |name: &str, kind: ProductKind| RefundedItem { name: text(name), amount: 16_500, kind: kind.into() };
    let refund = |reason: RefundReason| {
        let items = vec![returned(COURSE, ProductKind::Course)];
        let (reason, method) = (reason.into(), PaymentMethod::Card.into());
        example!(RefundRequested {
            name,
            order_id,
            order_number,
            items: items,
            amount: 16_500,
            reason: reason,
            method: method,
        })
    };
    let refunded = |reason: RefundReason, method: PaymentMethod| {
        let (reason, method, invoice_refund_id) = (reason.into(), method.into(), id());
        example!(OrderRefunded {
            name,
            order_id,
            order_number,
            amount: 16_500,
            reason: reason,
            method: method,
            invoice_refund_id: invoice_refund_id,
        })
    };
    vec![
        example!(OrderPlaced {
            name,
            order_id,
            order_number,
            items,
            total: 16_500,
            due_at: in_hours(7 * 24),
            payment: konbini(),
            placed_at: in_hours(0),
            terms: terms(),
        }),
        example!(OrderPlaced {
            name,
            order_id,
            order_number,
            items,
            total: 16_500,
            due_at: in_hours(7 * 24),
            payment: transfer(),
            placed_at: in_hours(0),
            terms: terms(),
            contract: terms(),
        }),
        example!(PaymentReminder {
            name,
            order_id,
            order_number,
            total: 16_500,
            due_at: in_hours(24),
            days_left: 1,
            payment: konbini(),
        }),
        example!(TransferShort {
            name,
            order_id,
            order_number,
            amount: 10_000,
            due_at: in_hours(24),
            payment: transfer(),
            total: 16_500,
        }),
        example!(OrderPaid {
            name,
            order_id,
            order_number,
            items,
            total: 16_500,
            paid_at: in_hours(1),
            kinds: kinds,
            placed_at: in_hours(0),
            terms: terms(),
            contract: terms(),
        }),
        example!(OrderEnded { name, order_id, order_number, is_cancelled: true, returned: 0 }),
        example!(OrderEnded { name, order_id, order_number, is_cancelled: false, returned: 10_000 }),
        refund(RefundReason::Buyer),
        refund(RefundReason::Duplicate),
        refunded(RefundReason::Buyer, PaymentMethod::Card),
        refunded(RefundReason::Late, PaymentMethod::BankTransfer),
        refunded(RefundReason::Excess, PaymentMethod::BankTransfer),
        refunded(RefundReason::Dispute, PaymentMethod::Card),
        example!(RefundFailed { name, order_id, order_number, amount: 16_500, can_retry: true }),
        example!(RefundFailed { name, order_id, order_number, amount: 16_500, can_retry: false }),
        example!(PaymentAsked { name: guardian_name(), learner_name, items, total: 16_500, left_out: 1 }),
    ]
}

pub(super) fn list_subscription_emails() -> Vec<Email> {
    let subscription = || {
        Some(SubscriptionName {
            to: to(),
            account_id: id(),
            name: name(),
            id: id(),
            item: text("質問し放題（山田 花子 さん）"),
        })
    };
    let month = || in_hours(30 * 24);
    let refused = |decline_code: &str| SubscriptionRefused {
        subscription: subscription(),
        order_id: id(),
        total: 2_980,
        decline_code: text(decline_code),
        retry_at: in_hours(24),
        ends_at: in_hours(5 * 24),
    };
    let cancelled = |is_consent_withdrawn| SubscriptionCancelled {
        subscription: subscription(),
        ends_at: month(),
        is_consent_withdrawn,
    };
    let ended = |is_unpaid| SubscriptionEnded { subscription: subscription(), is_unpaid };
    let renewed = SubscriptionRenewed {
        subscription: subscription(),
        order_id: id(),
        order_number: order_number(),
        total: 2_980,
        paid_at: in_hours(0),
        period_end: month(),
    };
    let noticed =
        SubscriptionNoticed { subscription: subscription(), price: 2_980, charge_at: in_hours(7 * 24) };
    vec![
        renewed.into(),
        noticed.into(),
        refused("authentication_required").into(),
        refused("insufficient_funds").into(),
        cancelled(false).into(),
        cancelled(true).into(),
        example!(SubscriptionStopped {
            guardian_name,
            learner_name,
            item: text("質問し放題"),
            ends_at: month()
        }),
        ended(true).into(),
        ended(false).into(),
    ]
}
