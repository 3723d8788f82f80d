//! The emails of events about orders, payments, refunds and subscriptions.

use proto::commerce::{
    BankAccountType, OrderEnded, OrderPaid, OrderPlaced, OrderRefunded, OrderTerm, Payment, PaymentAsked,
    PaymentMethod, PaymentReminder, ProductKind, RefundFailed, RefundReason, RefundRequested,
    SubscriptionCancelled, SubscriptionEnded, SubscriptionName, SubscriptionNoticed, SubscriptionRefused,
    SubscriptionRenewed, SubscriptionStopped, TransferShort,
};

use super::to_time;
use crate::email::order::{self, Agreement, OrderName, RefundCause, ReturnReason, ReturnWay, UsePlaces};
use crate::email::payment::{self, BankAccount, Bill, HowToPay, KonbiniStore};
use crate::email::subscription::{self, SubscriptionItem};
use crate::email::{Email, Recipient, Section};

impl From<OrderPaid> for Email {
    fn from(event: OrderPaid) -> Self {
        let seats = event.kinds().filter(|kind| *kind == ProductKind::ExamSeat).count();
        let places = UsePlaces { courses: seats < event.items.len(), exams: seats > 0 };
        order::write_order_paid(
            Recipient::new(event.to, &event.account_id, event.name),
            &OrderName { id: event.order_id, number: event.order_number },
            event.items,
            places,
            event.total,
            to_time(event.paid_at),
            Agreement {
                placed_at: to_time(event.placed_at),
                terms: read_sections(event.terms),
                contract: read_sections(event.contract),
            },
        )
    }
}

fn read_sections(terms: Vec<OrderTerm>) -> Vec<Section> {
    terms.into_iter().map(|term| Section { title: term.title, text: term.text }).collect()
}

impl From<OrderEnded> for Email {
    fn from(event: OrderEnded) -> Self {
        order::write_order_ended(
            Recipient::new(event.to, &event.account_id, event.name),
            &OrderName { id: event.order_id, number: event.order_number },
            event.is_cancelled,
            event.returned,
        )
    }
}

impl From<RefundRequested> for Email {
    fn from(event: RefundRequested) -> Self {
        let (way, is_duplicate) = (event.method().into(), event.reason() == RefundReason::Duplicate);
        let seats = event.items.iter().filter(|item| item.kind() == ProductKind::ExamSeat).count();
        let places = UsePlaces { courses: seats < event.items.len(), exams: seats > 0 };
        let items = event.items.into_iter().map(|item| (item.name, item.amount));
        order::write_refund_requested(
            Recipient::new(event.to, &event.account_id, event.name),
            &OrderName { id: event.order_id, number: event.order_number },
            items.collect(),
            if is_duplicate { RefundCause::Duplicate } else { RefundCause::Wish(places) },
            event.amount,
            way,
        )
    }
}

impl From<OrderRefunded> for Email {
    fn from(event: OrderRefunded) -> Self {
        let (reason, way) = (event.reason().into(), event.method().into());
        let invoice = event.invoice_refund_id;
        order::write_order_refunded(
            Recipient::new(event.to, &event.account_id, event.name),
            &OrderName { id: event.order_id, number: event.order_number },
            event.amount,
            reason,
            way,
            (!invoice.is_empty()).then_some(invoice.as_str()),
        )
    }
}

impl From<RefundFailed> for Email {
    fn from(event: RefundFailed) -> Self {
        order::write_refund_failed(
            Recipient::new(event.to, &event.account_id, event.name),
            &OrderName { id: event.order_id, number: event.order_number },
            event.amount,
            event.can_retry,
        )
    }
}

impl From<PaymentMethod> for ReturnWay {
    fn from(method: PaymentMethod) -> Self {
        match method {
            // An older release sends no method, and supports only cards.
            PaymentMethod::Unspecified | PaymentMethod::Card | PaymentMethod::SavedCard => Self::Card,
            PaymentMethod::Konbini | PaymentMethod::BankTransfer => Self::Bank,
            PaymentMethod::Coupon => Self::Nothing,
        }
    }
}

impl From<RefundReason> for ReturnReason {
    fn from(reason: RefundReason) -> Self {
        match reason {
            RefundReason::Unspecified | RefundReason::Late => Self::Late,
            RefundReason::Excess => Self::Excess,
            RefundReason::Buyer | RefundReason::Outside | RefundReason::Duplicate => Self::Sale,
            RefundReason::Dispute => Self::Dispute,
        }
    }
}

impl From<OrderPlaced> for Email {
    fn from(event: OrderPlaced) -> Self {
        payment::write_order_placed(
            Recipient::new(event.to, &event.account_id, event.name),
            &OrderName { id: event.order_id, number: event.order_number },
            event.items,
            Bill { how: read_how(event.payment), total: event.total, due_at: to_time(event.due_at) },
            Agreement {
                placed_at: to_time(event.placed_at),
                terms: read_sections(event.terms),
                contract: read_sections(event.contract),
            },
        )
    }
}

impl From<PaymentReminder> for Email {
    fn from(event: PaymentReminder) -> Self {
        payment::write_payment_reminder(
            Recipient::new(event.to, &event.account_id, event.name),
            &OrderName { id: event.order_id, number: event.order_number },
            event.days_left,
            Bill { how: read_how(event.payment), total: event.total, due_at: to_time(event.due_at) },
        )
    }
}

impl From<TransferShort> for Email {
    fn from(event: TransferShort) -> Self {
        payment::write_transfer_short(
            Recipient::new(event.to, &event.account_id, event.name),
            &OrderName { id: event.order_id, number: event.order_number },
            event.amount,
            Bill { how: read_how(event.payment), total: event.total, due_at: to_time(event.due_at) },
        )
    }
}

fn read_how(payment: Option<Payment>) -> HowToPay {
    let Some(payment) = payment else { return HowToPay::OnPage };
    if let Some(konbini) = payment.konbini {
        let stores = konbini.stores.into_iter().map(|store| KonbiniStore {
            name: match store.store.as_str() {
                "familymart" => "ファミリーマート",
                "lawson" => "ローソン",
                "ministop" => "ミニストップ",
                "seicomart" => "セイコーマート",
                _ => "コンビニエンスストア",
            },
            payment_code: store.payment_code,
            confirmation_number: store.confirmation_number,
        });
        return HowToPay::Konbini(stores.collect());
    }
    let Some(account) = payment.bank_transfer else { return HowToPay::OnPage };
    HowToPay::BankTransfer(BankAccount {
        account_type: match account.account_type() {
            BankAccountType::Toza => "当座",
            BankAccountType::Futsu | BankAccountType::Unspecified => "普通",
        },
        bank: format!("{}（{}）", account.bank_name, account.bank_code),
        branch: format!("{}（{}）", account.branch_name, account.branch_code),
        account_number: account.account_number,
        account_holder: account.account_holder,
        received: account.amount_received,
        remaining: account.amount_remaining,
    })
}

impl From<PaymentAsked> for Email {
    fn from(event: PaymentAsked) -> Self {
        order::write_payment_asked(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.learner_name,
            event.items,
            event.total,
            event.left_out,
        )
    }
}
/// The recipient and the subscription of an email.
fn split(name: Option<SubscriptionName>) -> (Recipient, SubscriptionItem) {
    let name = name.unwrap_or_default();
    let item = SubscriptionItem { id: name.id, item: name.item };
    (Recipient::new(name.to, &name.account_id, name.name), item)
}

impl From<SubscriptionRenewed> for Email {
    fn from(event: SubscriptionRenewed) -> Self {
        let (recipient, item) = split(event.subscription);
        subscription::write_renewed(
            recipient,
            &item,
            &OrderName { id: event.order_id, number: event.order_number },
            event.total,
            to_time(event.paid_at),
            to_time(event.period_end),
        )
    }
}

impl From<SubscriptionNoticed> for Email {
    fn from(event: SubscriptionNoticed) -> Self {
        let (recipient, item) = split(event.subscription);
        subscription::write_notice(recipient, &item, event.price, to_time(event.charge_at))
    }
}

impl From<SubscriptionRefused> for Email {
    fn from(event: SubscriptionRefused) -> Self {
        let (recipient, item) = split(event.subscription);
        subscription::write_refused(
            recipient,
            &item,
            &event.order_id,
            event.total,
            &event.decline_code,
            (to_time(event.retry_at), to_time(event.ends_at)),
        )
    }
}

impl From<SubscriptionCancelled> for Email {
    fn from(event: SubscriptionCancelled) -> Self {
        let (recipient, item) = split(event.subscription);
        subscription::write_cancelled(recipient, &item, to_time(event.ends_at), event.is_consent_withdrawn)
    }
}

impl From<SubscriptionStopped> for Email {
    fn from(event: SubscriptionStopped) -> Self {
        subscription::write_stopped(
            Recipient::new(event.to, &event.account_id, event.guardian_name),
            &event.learner_name,
            event.item,
            to_time(event.ends_at),
        )
    }
}

impl From<SubscriptionEnded> for Email {
    fn from(event: SubscriptionEnded) -> Self {
        let (recipient, item) = split(event.subscription);
        subscription::write_ended(recipient, &item, event.is_unpaid)
    }
}
