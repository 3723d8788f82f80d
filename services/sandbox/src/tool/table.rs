//! Tables of the tool pages, newest first.

use crate::page::{format_time, format_yen};
use crate::state::State;
use crate::state::cash_balance::{CashCause, CashTransaction};
use crate::state::customer::Customer;
use crate::state::intent::{Intent, IntentStatus, Method};

/// The maximum number of rows of a table.
pub(super) const ROWS: usize = 100;

/// A table under a heading.
pub(super) struct Table {
    pub(super) title: &'static str,
    pub(super) columns: &'static [&'static str],
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A text, optionally with a link.
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) link: Option<String>,
}

impl Cell {
    fn link(text: &str, link: String) -> Self {
        Self { text: text.to_owned(), link: Some(link) }
    }
}

impl<Text: Into<String>> From<Text> for Cell {
    fn from(text: Text) -> Self {
        Self { text: text.into(), link: None }
    }
}

/// A link to a customer, or an empty cell.
fn customer_cell(state: &State, id: Option<&str>) -> Cell {
    let Some(id) = id else { return Cell::from("") };
    let name = state.customer(id).ok().and_then(|customer| customer.name.clone());
    Cell::link(name.as_deref().unwrap_or(id), format!("/tool/customers/{id}"))
}

pub(super) fn customers(state: &State) -> Table {
    let row = |customer: &Customer| {
        let cards = state.payment_methods.iter();
        let cards = cards.filter(|method| method.customer.as_ref() == Some(&customer.id)).count();
        let name = if customer.is_deleted { "削除済み" } else { customer.name.as_deref().unwrap_or("") };
        vec![
            format_time(customer.created).into(),
            name.into(),
            customer.email.clone().unwrap_or_default().into(),
            format_yen(state.cash_of(&customer.id)).into(),
            format!("{cards}枚").into(),
            Cell::link(&customer.id, format!("/tool/customers/{}", customer.id)),
        ]
    };
    Table {
        title: "顧客",
        columns: &["作成", "名前", "メール", "預かり金", "登録カード", "ID"],
        rows: state.customers.iter().rev().take(ROWS).map(row).collect(),
    }
}

/// The payments of a customer or of all customers.
pub(super) fn intents(state: &State, customer: Option<&str>) -> Table {
    let row = |intent: &Intent| {
        vec![
            format_time(intent.created).into(),
            intent.number().into(),
            intent.method.label().into(),
            format_yen(intent.amount).into(),
            intent_state(intent).into(),
            customer_cell(state, intent.customer.as_deref()),
            Cell::link(&intent.id, format!("/tool/intents/{}", intent.id)),
        ]
    };
    let found = state.intents.iter().rev();
    let found = found.filter(|intent| customer.is_none() || intent.customer.as_deref() == customer);
    Table {
        title: "支払い",
        columns: &["作成", "注文番号", "方法", "金額", "状態", "顧客", "ID"],
        rows: found.take(ROWS).map(row).collect(),
    }
}

pub(super) fn intent_state(intent: &Intent) -> &'static str {
    match (intent.status, &intent.method) {
        (IntentStatus::Succeeded, _) => "支払い済み",
        (IntentStatus::Canceled, _) => "取り消し",
        (IntentStatus::RequiresPaymentMethod, Method::Konbini(_)) => "期限切れ",
        (IntentStatus::RequiresPaymentMethod, _) if intent.refusal.is_some() => "断られた",
        (IntentStatus::RequiresPaymentMethod, _) => "支払い待ち",
        (IntentStatus::RequiresAction, Method::Card) => "本人認証待ち",
        (IntentStatus::RequiresAction, Method::Konbini(_)) => "コンビニでの支払い待ち",
        (IntentStatus::RequiresAction, Method::Transfer(transfer)) if transfer.applied > 0 => "一部入金",
        (IntentStatus::RequiresAction, Method::Transfer(_)) => "振込待ち",
    }
}

/// The cash balance changes of a customer or of all customers.
pub(super) fn transfers(state: &State, customer: Option<&str>) -> Table {
    let row = |transaction: &CashTransaction| {
        let (cause, sender) = match &transaction.cause {
            CashCause::Funded { sender_name } => ("振込", sender_name.as_str()),
            CashCause::AppliedToPayment(_) => ("支払いに充当", ""),
            CashCause::UnappliedFromPayment(_) => ("充当の取り消し", ""),
            CashCause::RefundedFromPayment(_) => ("返金の戻り", ""),
            CashCause::ReturnInitiated => ("預かり金の返金", ""),
            CashCause::ReturnCanceled => ("預かり金の返金の戻り", ""),
        };
        vec![
            format_time(transaction.created).into(),
            cause.into(),
            sender.into(),
            format_yen(transaction.net_amount).into(),
            format_yen(transaction.ending_balance).into(),
            customer_cell(state, Some(&transaction.customer)),
        ]
    };
    let found = state.cash_transactions.iter().rev();
    let found = found.filter(|found| customer.is_none_or(|customer| found.customer == customer));
    Table {
        title: "振込と預かり金",
        columns: &["日時", "内容", "振込名義", "金額", "残高", "顧客"],
        rows: found.take(ROWS).map(row).collect(),
    }
}

pub(super) fn balance(state: &State) -> Table {
    let found = state.balance_transactions.iter().rev().take(ROWS);
    let rows = found.map(|transaction| {
        vec![
            format_time(transaction.created).into(),
            transaction.kind.label().into(),
            format_yen(transaction.amount).into(),
            format_yen(transaction.fee).into(),
            format_yen(transaction.net()).into(),
            transaction.source.as_str().into(),
        ]
    });
    Table {
        title: "残高の動き",
        columns: &["日時", "種類", "金額", "手数料", "差引", "元のID"],
        rows: rows.collect(),
    }
}

/// The saved cards of a customer.
pub(super) fn cards(state: &State, customer: &str) -> Table {
    let found = state.payment_methods.iter().rev();
    let found = found.filter(|method| method.customer.as_deref() == Some(customer));
    let rows = found.map(|method| {
        let face = &method.face;
        vec![
            format_time(method.created).into(),
            format!("•••• {}", face.last4).into(),
            format!("{:02}/{}", face.exp_month, face.exp_year).into(),
            method.id.as_str().into(),
        ]
    });
    Table {
        title: "登録カード",
        columns: &["登録", "番号", "有効期限", "ID"],
        rows: rows.take(ROWS).collect(),
    }
}
