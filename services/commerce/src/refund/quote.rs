//! Computes the refund of an order at a time, by the refund policy. Uses no database.

use std::fmt::Write as _;

use aws_lc_rs::digest::{SHA256, digest};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::japan_time::format_last_day;
use crate::opened_lessons::Lessons;
use crate::refund_policy::RefundPolicy;
use crate::tax;
use crate::yen::group_digits;

/// The data of a paid order that its refund depends on.
#[derive(Clone, Debug)]
pub(crate) struct PaidOrder {
    pub(crate) id: Uuid,
    pub(crate) paid_at: OffsetDateTime,
    /// Yen that were paid.
    pub(crate) total: i32,
    /// Yen of earlier refunds, completed or in progress.
    pub(crate) refunded: i32,
    /// Whether the payment has an open dispute.
    pub(crate) is_disputed: bool,
    pub(crate) lines: Vec<PaidLine>,
}

/// A line of a paid order.
#[derive(Clone, Debug)]
pub(crate) struct PaidLine {
    pub(crate) n: i16,
    /// The paid amount in yen: the price less the discount.
    pub(crate) paid: i32,
    /// The refunded amount of the line in yen, or `None` if it was not refunded.
    pub(crate) refunded: Option<i32>,
    /// Whether it is a course.
    pub(crate) is_course: bool,
    /// The exclusive end of the period in which a seat of an exam can be returned, or `None` if it
    /// is no seat.
    pub(crate) application_closes_at: Option<OffsetDateTime>,
    /// Whether the learner's account was erased.
    pub(crate) is_erased: bool,
    /// When access ends, or `None` if it has no end.
    pub(crate) ends_at: Option<OffsetDateTime>,
    pub(crate) lessons: Lessons,
    /// Whether it belongs to a contract of a 特定継続的役務, which has a cooling-off period.
    pub(crate) is_continuous_service: bool,
}

/// The rule that applies to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Full,
    ProRata,
    None,
}

/// The refund of a line.
#[derive(Clone, Debug)]
pub(crate) struct LineQuote {
    pub(crate) n: i16,
    pub(crate) rule: Rule,
    /// The explanation of the amount for the buyer.
    pub(crate) text: String,
    /// Yen.
    pub(crate) amount: i32,
}

/// The refund of an order.
#[derive(Clone, Debug)]
pub(crate) struct Quote {
    /// The SHA-256 of the figures.
    pub(crate) digest: [u8; 32],
    pub(crate) full_until: OffsetDateTime,
    /// The exclusive end of the cooling-off of a contract's lines.
    pub(crate) cooling_off_until: OffsetDateTime,
    pub(crate) lines: Vec<LineQuote>,
    /// The total of all lines in yen.
    pub(crate) total: i32,
    /// Yen of tax in `total`.
    pub(crate) tax: i32,
}

impl Quote {
    /// Computes the refund at `now`.
    pub(crate) fn compute(order: &PaidOrder, policy: &RefundPolicy, now: OffsetDateTime) -> Self {
        let mut left = order.total - order.refunded;
        let full_until = policy.full_until(order.paid_at);
        let mut lines = Vec::with_capacity(order.lines.len());
        for line in &order.lines {
            let quote = quote_line(order, line, policy, full_until, left, now);
            left -= quote.amount;
            lines.push(quote);
        }
        let total = lines.iter().map(|line| line.amount).sum();
        Self {
            digest: digest_figures(order, policy, &lines),
            full_until,
            cooling_off_until: policy.cooling_off_until(order.paid_at),
            total,
            tax: tax_of_refund(order.total - order.refunded, total),
            lines,
        }
    }

    /// Whether a line can be refunded.
    pub(crate) fn is_refundable(&self) -> bool {
        self.lines.iter().any(|line| line.rule != Rule::None)
    }
}

/// The tax in a refund: the tax of the amount left before it, less the tax of the amount left after
/// it. So the taxes of all refunds of an order sum to the order's tax.
pub(crate) fn tax_of_refund(left: i32, amount: i32) -> i32 {
    tax::included_in(left.max(0)) - tax::included_in((left - amount).max(0))
}

fn quote_line(
    order: &PaidOrder,
    line: &PaidLine,
    policy: &RefundPolicy,
    full_until: OffsetDateTime,
    left: i32,
    now: OffsetDateTime,
) -> LineQuote {
    let none = |text: String| LineQuote { n: line.n, rule: Rule::None, text, amount: 0 };
    if let Some(refunded) = line.refunded {
        return none(format!("返金済みです（{}円）。", group_digits(refunded)));
    }
    if order.is_disputed {
        return none("カード会社がこのお支払いを調べているため、いまは返金を申し込めません。".to_owned());
    }
    if let Some(closes_at) = line.application_closes_at {
        let last_day = format_last_day(closes_at);
        if closes_at <= now {
            return none(format!("申込みの締め切り（{last_day}）を過ぎたため、返金はありません。"));
        }
        let text = format!(
            "申込みの締め切り（{last_day}）までのお申し込みのため、お支払い額の{}円を全額返金します。",
            group_digits(line.paid)
        );
        return limit(line.n, Rule::Full, line.paid, left, text);
    }
    let cooling_off_until = policy.cooling_off_until(order.paid_at);
    if line.is_continuous_service && now < cooling_off_until {
        let text = format!(
            "クーリング・オフの期間（{}まで）のお申し込みのため、開いたレッスンの数にかかわらず、お支払い額の{}円を全額返金します。",
            format_last_day(cooling_off_until),
            group_digits(line.paid),
        );
        return limit(line.n, Rule::Full, line.paid, left, text);
    }
    if !line.is_course {
        return none("この商品は、この画面での返金の対象ではありません。".to_owned());
    }
    if line.is_erased {
        return none(
            "受講する方のアカウントが削除され、開いたレッスンの数が分からないため、返金額を計算できません。"
                .to_owned(),
        );
    }
    let Lessons { total, opened } = line.lessons;
    let opened = opened.min(total);
    let paid = group_digits(line.paid);
    // A course without lessons counts as not opened.
    let is_little =
        total == 0 || i64::from(opened) * 100 < i64::from(total) * i64::from(policy.full_below_percent);
    let last_day = format_last_day(full_until);
    if now < full_until && is_little {
        return limit(
            line.n,
            Rule::Full,
            line.paid,
            left,
            format!(
                "{last_day}（お支払いの日から{}日目）までのお申し込みで、開いたレッスンが{total}回のうち{opened}回（{}%未満）のため、お支払い額の{paid}円を全額返金します。",
                policy.full_days, policy.full_below_percent,
            ),
        );
    }
    if line.ends_at.is_some_and(|end| end <= now) {
        return none("利用期間が終わったため、返金はありません。".to_owned());
    }
    let unopened = total - opened;
    let reason = if is_little {
        format!("全額返金の期限（{last_day}）を過ぎたため")
    } else {
        format!("レッスンの{}%以上を開いたため", policy.full_below_percent)
    };
    if total > 0 && unopened == 0 {
        return none(format!("{total}回のレッスンをすべて開いたため、返金はありません。"));
    }
    let amount = pro_rata(line.paid, unopened, total);
    limit(
        line.n,
        Rule::ProRata,
        amount,
        left,
        format!(
            "{reason}、開いていないレッスンの分を返金します。{paid}円 × {unopened}回 ÷ {total}回 = {}円（1円未満は切り捨て）。",
            group_digits(amount),
        ),
    )
}

/// The share of the unopened lessons in the paid amount, rounded down.
fn pro_rata(paid: i32, unopened: u32, total: u32) -> i32 {
    if total == 0 {
        return paid;
    }
    // The result is at most `paid`.
    i32::try_from(i64::from(paid) * i64::from(unopened) / i64::from(total)).unwrap_or(paid)
}

/// Limits a line's refund to the amount that is left of the order.
fn limit(n: i16, rule: Rule, amount: i32, left: i32, text: String) -> LineQuote {
    let left = left.max(0);
    if amount <= left {
        return LineQuote { n, rule, text, amount };
    }
    let text = format!("{text}ただし、すでに返金した額があるため、{}円を返金します。", group_digits(left));
    LineQuote { n, rule, text, amount: left }
}

/// The SHA-256 of the figures that the buyer agrees to. The time is left out, so a quote is valid
/// as long as its figures are.
fn digest_figures(order: &PaidOrder, policy: &RefundPolicy, lines: &[LineQuote]) -> [u8; 32] {
    let mut text = format!("{} {} {} {}\n", order.id, policy.version, order.total, order.refunded);
    for (line, quote) in order.lines.iter().zip(lines) {
        let Lessons { total, opened } = line.lessons;
        let (rule, amount) = (quote.rule as u8, quote.amount);
        // Writing to a string can't fail.
        let _ =
            writeln!(text, "{} {} {:?} {total} {opened} {rule} {amount}", line.n, line.paid, line.refunded);
    }
    let mut sha256 = [0; 32];
    sha256.copy_from_slice(digest(&SHA256, text.as_bytes()).as_ref());
    sha256
}

#[cfg(test)]
mod tests;
