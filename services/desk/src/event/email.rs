//! The emails of events.

use kit::timestamp::from_timestamp;
use prost_types::Timestamp;
use proto::auth as event_types;
use proto::commerce::{
    BankAccountType, OrderEnded, OrderPaid, OrderPlaced, OrderRefunded, Payment, PaymentAsked, PaymentMethod,
    PaymentReminder, RefundFailed, RefundReason, RefundRequested, SubscriptionCancelled, SubscriptionEnded,
    SubscriptionName, SubscriptionNoticed, SubscriptionRefused, SubscriptionRenewed, TransferShort,
};
use time::OffsetDateTime;

use crate::email::order::{self, OrderName, ReturnReason, ReturnWay};
use crate::email::payment::{self, BankAccount, Bill, HowToPay, KonbiniStore};
use crate::email::subscription::{self, SubscriptionItem};
use crate::email::{Email, Recipient, account, guardian};

impl Recipient {
    fn new(to: String, account: &str, name: String) -> Self {
        Self { to, account: account.parse().ok(), name }
    }
}

fn to_time(timestamp: Option<Timestamp>) -> Option<OffsetDateTime> {
    timestamp.and_then(|timestamp| from_timestamp(timestamp).ok())
}

impl From<event_types::SignUpStarted> for Email {
    fn from(event: event_types::SignUpStarted) -> Self {
        account::write_sign_up(event.to, &event.token, to_time(event.expires_at), event.code)
    }
}

impl From<event_types::SignUpOfAccount> for Email {
    fn from(event: event_types::SignUpOfAccount) -> Self {
        account::write_sign_up_of_account(Recipient::new(event.to, &event.account_id, String::new()))
    }
}

impl From<event_types::AccountCreated> for Email {
    fn from(event: event_types::AccountCreated) -> Self {
        account::write_welcome(Recipient::new(event.to, &event.account_id, event.name))
    }
}

impl From<event_types::PasswordResetRequested> for Email {
    fn from(event: event_types::PasswordResetRequested) -> Self {
        account::write_password_reset(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.uid,
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::PasswordChanged> for Email {
    fn from(event: event_types::PasswordChanged) -> Self {
        account::write_password_changed(
            Recipient::new(event.to, &event.account_id, event.name),
            event.suspended_passkeys,
            event.active_passkeys,
        )
    }
}

impl From<event_types::EmailChangeRequested> for Email {
    fn from(event: event_types::EmailChangeRequested) -> Self {
        account::write_email_change(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::EmailChangePending> for Email {
    fn from(event: event_types::EmailChangePending) -> Self {
        account::write_email_change_pending(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.new_email,
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::EmailChanged> for Email {
    fn from(event: event_types::EmailChanged) -> Self {
        account::write_email_changed(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.new_email,
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::EmailChangeUndone> for Email {
    fn from(event: event_types::EmailChangeUndone) -> Self {
        account::write_email_change_undone(
            Recipient::new(event.to, &event.account_id, event.name),
            event.suspended_passkeys,
        )
    }
}

impl From<event_types::GuardianConsentRequested> for Email {
    fn from(event: event_types::GuardianConsentRequested) -> Self {
        account::write_consent_request(
            Recipient::new(event.to, &event.account_id, event.guardian_name),
            &event.learner_name,
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::GuardianConsentGiven> for Email {
    fn from(event: event_types::GuardianConsentGiven) -> Self {
        account::write_consent_given(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.guardian_name,
        )
    }
}

impl From<event_types::GuardianLinked> for Email {
    fn from(event: event_types::GuardianLinked) -> Self {
        account::write_guardian_linked(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.guardian_name,
        )
    }
}

impl From<event_types::GuardianLinkReceipt> for Email {
    fn from(event: event_types::GuardianLinkReceipt) -> Self {
        guardian::write_link_receipt(
            Recipient::new(event.to, &event.account_id, event.guardian_name),
            &event.learner_name,
            &event.learner_id,
            event.is_consent,
        )
    }
}

impl From<event_types::GuardianUnlinked> for Email {
    fn from(event: event_types::GuardianUnlinked) -> Self {
        account::write_guardian_unlinked(
            Recipient::new(event.to, &event.account_id, event.name),
            event.to_guardian,
            &event.other_name,
        )
    }
}

impl From<event_types::PasskeyRemoved> for Email {
    fn from(event: event_types::PasskeyRemoved) -> Self {
        account::write_passkey_removed(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.passkey_name,
        )
    }
}

impl From<event_types::PasskeyAdded> for Email {
    fn from(event: event_types::PasskeyAdded) -> Self {
        account::write_passkey_added(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.passkey_name,
        )
    }
}

impl From<event_types::AccountClosing> for Email {
    fn from(event: event_types::AccountClosing) -> Self {
        account::write_account_closing(
            Recipient::new(event.to, &event.account_id, event.name),
            to_time(event.erase_at),
        )
    }
}

impl From<event_types::AccountReopened> for Email {
    fn from(event: event_types::AccountReopened) -> Self {
        account::write_account_reopened(Recipient::new(event.to, &event.account_id, event.name))
    }
}

impl From<event_types::GuardianMailboxRefused> for Email {
    fn from(event: event_types::GuardianMailboxRefused) -> Self {
        guardian::write_guardian_mailbox_refused(Recipient::new(event.to, &event.account_id, String::new()))
    }
}

impl From<event_types::GuardianConsentReceipt> for Email {
    fn from(event: event_types::GuardianConsentReceipt) -> Self {
        guardian::write_consent_receipt(
            Recipient::new(event.to, &event.account_id, event.guardian_name),
            &event.learner_name,
            &event.token,
        )
    }
}

impl From<event_types::GuardianConsentWithdrawn> for Email {
    fn from(event: event_types::GuardianConsentWithdrawn) -> Self {
        guardian::write_consent_withdrawn(Recipient::new(event.to, &event.account_id, event.name))
    }
}

impl From<event_types::GuardianConsentWithdrawnReceipt> for Email {
    fn from(event: event_types::GuardianConsentWithdrawnReceipt) -> Self {
        guardian::write_withdrawal_receipt(
            Recipient::new(event.to, &event.account_id, event.guardian_name),
            &event.learner_name,
        )
    }
}

impl From<event_types::BirthDateChangeRequested> for Email {
    fn from(event: event_types::BirthDateChangeRequested) -> Self {
        guardian::write_birth_date_change(
            Recipient::new(event.to, &event.account_id, event.guardian_name),
            &event.learner_name,
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::BirthDateChangeDecided> for Email {
    fn from(event: event_types::BirthDateChangeDecided) -> Self {
        guardian::write_birth_date_decided(
            Recipient::new(event.to, &event.account_id, event.name),
            event.is_approved,
        )
    }
}

impl From<OrderPaid> for Email {
    fn from(event: OrderPaid) -> Self {
        order::write_order_paid(
            Recipient::new(event.to, &event.account_id, event.name),
            &OrderName { id: event.order_id, number: event.order_number },
            event.items,
            event.total,
            to_time(event.paid_at),
        )
    }
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
        let way = event.method().into();
        let items = event.items.into_iter().map(|item| (item.name, item.amount));
        order::write_refund_requested(
            Recipient::new(event.to, &event.account_id, event.name),
            &OrderName { id: event.order_id, number: event.order_number },
            items.collect(),
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
        )
    }
}

impl From<PaymentMethod> for ReturnWay {
    fn from(method: PaymentMethod) -> Self {
        match method {
            // An older release names none, and has cards only.
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
            RefundReason::Buyer | RefundReason::Outside => Self::Sale,
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
        subscription::write_cancelled(recipient, &item, to_time(event.ends_at))
    }
}

impl From<SubscriptionEnded> for Email {
    fn from(event: SubscriptionEnded) -> Self {
        let (recipient, item) = split(event.subscription);
        subscription::write_ended(recipient, &item, event.is_unpaid)
    }
}
