//! Emails about orders that are paid at a convenience store or by bank transfer: how, how much, and until when.

use time::{Duration, OffsetDateTime};

use super::Email;
use super::account::Recipient;
use super::order::{Agreement, CONTACT, OrderName, WHY, format_yen};
use crate::japan_time::format_in_japan;

/// How an order is paid.
pub(crate) enum HowToPay {
    Konbini(Vec<KonbiniStore>),
    BankTransfer(BankAccount),
    /// Instructions only on its page.
    OnPage,
}

/// The codes for a chain of convenience stores.
pub(crate) struct KonbiniStore {
    /// Its name.
    pub(crate) name: &'static str,
    pub(crate) payment_code: String,
    /// Empty if the chain uses none.
    pub(crate) confirmation_number: String,
}

/// Where a transfer goes, and what is missing.
pub(crate) struct BankAccount {
    pub(crate) bank: String,
    pub(crate) branch: String,
    /// 普通 or 当座.
    pub(crate) account_type: &'static str,
    pub(crate) account_number: String,
    pub(crate) account_holder: String,
    /// Yen that have arrived.
    pub(crate) received: i32,
    /// Yen that are missing.
    pub(crate) remaining: i32,
}

/// An unpaid order.
pub(crate) struct Bill {
    pub(crate) how: HowToPay,
    /// Yen, tax included.
    pub(crate) total: i32,
    /// The end of the payment period (exclusive): a midnight.
    pub(crate) due_at: Option<OffsetDateTime>,
}

impl Bill {
    fn facts(self) -> Vec<(&'static str, String)> {
        let mut facts = vec![("お支払い金額", format!("{}（税込）", format_yen(self.total)))];
        let rest = match &self.how {
            HowToPay::BankTransfer(account) if account.received > 0 => {
                Some((account.received, account.remaining))
            }
            _ => None,
        };
        if let Some((received, remaining)) = rest {
            facts.push(("届いた金額", format_yen(received)));
            facts.push(("不足している金額", format_yen(remaining)));
        }
        facts.extend(self.due_at.map(|due_at| ("お支払い期限", format_last_minute(due_at))));
        match self.how {
            HowToPay::Konbini(stores) => facts.extend(stores.into_iter().map(|store| {
                let KonbiniStore { payment_code, confirmation_number, .. } = store;
                let codes = if confirmation_number.is_empty() {
                    format!("支払いコード {payment_code}")
                } else {
                    format!("支払いコード {payment_code}、確認番号 {confirmation_number}")
                };
                (store.name, codes)
            })),
            HowToPay::BankTransfer(account) => facts.extend([
                ("振込先の銀行", account.bank),
                ("支店", account.branch),
                ("口座", format!("{} {}", account.account_type, account.account_number)),
                ("口座名義", account.account_holder),
            ]),
            HowToPay::OnPage => {}
        }
        facts
    }

    /// The request to the buyer.
    fn request(&self) -> &'static str {
        match self.how {
            HowToPay::Konbini(_) => "次の番号で、期限までにコンビニエンスストアの店頭でお支払いください。",
            HowToPay::BankTransfer(_) => {
                "次の口座へ、期限までに届くようにお振り込みください。この口座は、お客さま専用です。振込手数料はお客さまのご負担となります。"
            }
            HowToPay::OnPage => "お支払いの方法は、注文のページでご確認ください。",
        }
    }
}

/// The last minute before a midnight that is exclusive, e.g. `2026年11月27日(金) 23:59`.
fn format_last_minute(due_at: OffsetDateTime) -> String {
    format_in_japan(due_at - Duration::MINUTE)
}

/// Explains how to pay an order that was placed. Has its terms.
pub(crate) fn write_order_placed(
    recipient: Recipient,
    order: &OrderName,
    items: Vec<String>,
    bill: Bill,
    agreement: Agreement,
) -> Email {
    let mut email = write(
        "order_placed",
        recipient,
        order,
        "ご注文を受け付けました",
        "ご注文いただき、ありがとうございます。",
        bill.request(),
    );
    email.facts.extend(items.into_iter().map(|item| ("商品", item)));
    email.facts.extend(agreement.fact());
    email.facts.extend(bill.facts());
    email.documents = agreement.into_documents();
    email
}

/// Reminds of an order that still awaits its payment.
pub(crate) fn write_payment_reminder(
    recipient: Recipient,
    order: &OrderName,
    days_left: u32,
    bill: Bill,
) -> Email {
    let line = if days_left == 1 {
        "ご注文のお支払い期限は明日です。".to_owned()
    } else {
        format!("ご注文のお支払い期限まで、あと{days_left}日です。")
    };
    let mut email =
        write("payment_reminder", recipient, order, "お支払い期限が近づいています", &line, bill.request())
            .line("このメールと行き違いにお支払いいただいた場合は、ご容赦ください。");
    email.facts.extend(bill.facts());
    email
}

/// Reports a bank transfer of less than the amount due.
pub(crate) fn write_transfer_short(
    recipient: Recipient,
    order: &OrderName,
    amount: i32,
    bill: Bill,
) -> Email {
    let line = format!(
        "{}のお振り込みを確認しました。お支払い金額に足りないため、ご注文はまだ完了していません。",
        format_yen(amount)
    );
    let mut email = write(
        "transfer_short",
        recipient,
        order,
        "お振り込みの金額が不足しています",
        &line,
        "不足している金額を、期限までに同じ口座へお振り込みください。",
    )
    .line("期限までに届かない場合、ご注文は取り消され、届いた金額はお返しします。");
    email.facts.extend(bill.facts());
    email
}

fn write(
    kind: &'static str,
    recipient: Recipient,
    order: &OrderName,
    subject: &str,
    line: &str,
    request: &str,
) -> Email {
    let mut email = Email::for_buyer(kind, recipient, &format!("コノマナ {subject}（{}）", order.number))
        .line(line)
        .line(request)
        .button("お支払い方法を見る", format!("/payment?order={}", order.id))
        .why(WHY, CONTACT);
    email.facts = vec![("注文番号", order.number.clone())];
    email.links =
        vec![("注文の内容を見る", order.path().into()), ("特定商取引法に基づく表記", "/commerce".into())];
    email
}
