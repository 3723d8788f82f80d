//! Encodes quotes and return invoices as messages.

use kit::timestamp::to_timestamp;
use proto::commerce as wire;
use time::OffsetDateTime;

use crate::config::Issuer;
use crate::payment::Method;
use crate::receipt;
use crate::refund::quote::{LineQuote, Quote, Rule};
use crate::refund::refundable::{RefundableLine, RefundableOrder};
use crate::refund::return_invoice::ReturnInvoice;
use crate::tax;

/// Encodes the refund of an order at `now`.
pub(super) fn encode_quote(order: &RefundableOrder, now: OffsetDateTime) -> wire::RefundQuote {
    let quote = order.quote(now);
    let obstacle = match &quote {
        None => wire::RefundObstacle::NotPaid,
        Some(_) if order.is_all_refunded() => wire::RefundObstacle::AllRefunded,
        Some(_) => wire::RefundObstacle::Unspecified,
    };
    let lines = order.lines.iter().enumerate().map(|(index, line)| {
        encode_line(line, quote.as_ref().and_then(|quote| Some((quote, quote.lines.get(index)?))))
    });
    wire::RefundQuote {
        digest: quote.as_ref().map(|quote| hex::encode(quote.digest)).unwrap_or_default(),
        policy_version: u32::from(order.policy.version.unsigned_abs()),
        computed_at: Some(to_timestamp(now)),
        is_refundable: quote.as_ref().is_some_and(Quote::is_refundable),
        obstacle: obstacle.into(),
        lines: lines.collect(),
        total: quote.as_ref().map_or(0, |quote| quote.total),
        tax: quote.as_ref().map_or(0, |quote| quote.tax),
        method: wire::PaymentMethod::from(order.method).into(),
        arrival_text: write_arrival(order.method).to_owned(),
    }
}

fn encode_line(line: &RefundableLine, quoted: Option<(&Quote, &LineQuote)>) -> wire::RefundQuoteLine {
    let rule = match quoted.map_or(Rule::None, |(_, quote)| quote.rule) {
        Rule::Full => wire::RefundRule::Full,
        Rule::ProRata => wire::RefundRule::ProRata,
        Rule::None => wire::RefundRule::None,
    };
    let text = quoted.map_or("お支払いが完了していません。", |(_, quote)| &quote.text);
    wire::RefundQuoteLine {
        n: u32::from(line.n.unsigned_abs()),
        name: line.name.clone(),
        learner_id: line.learner.to_string(),
        learner_name: line.learner_name.clone(),
        paid: line.paid,
        refunded: line.refunded.unwrap_or_default(),
        lessons_total: line.lessons.total,
        lessons_opened: line.lessons.opened,
        rule: rule.into(),
        rule_text: text.to_owned(),
        full_until: quoted.map(|(quote, _)| to_timestamp(find_full_until(line, quote))),
        amount: quoted.map_or(0, |(_, quote)| quote.amount),
        last_use_at: line.ends_at.map(to_timestamp),
        kind: wire::ProductKind::from(line.kind).into(),
    }
}

/// The exclusive end of the full refund of a line.
fn find_full_until(line: &RefundableLine, quote: &Quote) -> OffsetDateTime {
    if line.is_continuous_service {
        return quote.cooling_off_until;
    }
    line.application_closes_at.unwrap_or(quote.full_until)
}

/// When and where the money arrives.
fn write_arrival(method: Method) -> &'static str {
    match method {
        Method::Card | Method::SavedCard => {
            "お支払いに使われたカードに返金します。カード会社により、ご利用明細に表示されるまで5〜10日ほどかかることがあります。"
        }
        Method::Konbini | Method::BankTransfer => {
            "銀行口座に振り込みます。振込先をお聞きするメールが決済代行会社から届くので、ご入力ください。ご入力から数日で入金されます。"
        }
        Method::Coupon => "お支払いがないため、返金される金額はありません。",
    }
}

/// Encodes a return invoice.
pub(super) fn encode_invoice(invoice: ReturnInvoice, issuer: &Issuer) -> wire::ReturnInvoice {
    let rows = invoice.rows().into_iter();
    let lines = rows.map(|(name, amount)| wire::ReturnInvoiceLine { name, amount }).collect();
    wire::ReturnInvoice {
        number: invoice.number,
        receipt_number: receipt::make_number(&invoice.order_number),
        order_number: invoice.order_number,
        addressee: invoice.addressee,
        issued_at: Some(to_timestamp(invoice.issued_at)),
        refunded_at: Some(to_timestamp(invoice.refunded_at)),
        lines,
        total: invoice.total,
        tax: invoice.tax,
        tax_rate: tax::RATE.unsigned_abs(),
        issuer: issuer.name.clone(),
        issuer_number: issuer.number.clone(),
        paid_at: Some(to_timestamp(invoice.paid_at)),
    }
}
