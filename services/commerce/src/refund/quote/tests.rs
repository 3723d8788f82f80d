use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{Lessons, PaidLine, PaidOrder, Quote, Rule, tax_of_refund};
use crate::refund_policy::RefundPolicy;
use crate::tax;

const POLICY: RefundPolicy =
    RefundPolicy { version: 1, full_days: 8, full_below_percent: 20, cooling_off_days: 8 };
/// Noon in Tokyo.
const PAID: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);

fn line(n: i16, paid: i32, total: u32, opened: u32) -> PaidLine {
    PaidLine {
        n,
        paid,
        refunded: None,
        is_course: true,
        application_closes_at: None,
        is_erased: false,
        ends_at: Some(PAID + Duration::days(365)),
        lessons: Lessons { total, opened },
        is_continuous_service: false,
    }
}

fn order(lines: Vec<PaidLine>) -> PaidOrder {
    PaidOrder {
        id: Uuid::from_u128(1),
        paid_at: PAID,
        total: lines.iter().map(|line| line.paid).sum(),
        refunded: lines.iter().filter_map(|line| line.refunded).sum(),
        is_disputed: false,
        lines,
    }
}

fn one(line: PaidLine, now: OffsetDateTime) -> (Rule, i32) {
    let quote = Quote::compute(&order(vec![line]), &POLICY, now);
    (quote.lines[0].rule, quote.lines[0].amount)
}

#[test]
fn all_comes_back_until_the_end_of_the_eighth_day_in_tokyo() {
    let end = datetime!(2026-11-28 15:00 UTC);
    assert_eq!(POLICY.full_until(PAID), end, "midnight after 28 November in Tokyo");
    let before = one(line(1, 16_500, 18, 0), end - Duration::NANOSECOND);
    assert_eq!(before, (Rule::Full, 16_500));
    assert_eq!(one(line(1, 16_500, 18, 1), end), (Rule::ProRata, 15_583));
    // The payment's day is the day in Tokyo: 23:59:59 and midnight belong to different days.
    assert_eq!(POLICY.full_until(datetime!(2026-11-20 14:59:59 UTC)), end);
    assert_eq!(POLICY.full_until(datetime!(2026-11-20 15:00 UTC)), end + Duration::DAY);
}

#[test]
fn the_eighth_day_is_counted_over_month_ends_and_leap_days() {
    // 28 February 2028 is followed by the 29th.
    assert_eq!(
        POLICY.full_until(datetime!(2028-02-21 03:00 UTC)),
        datetime!(2028-02-29 15:00 UTC),
        "the whole leap day counts"
    );
    assert_eq!(POLICY.full_until(datetime!(2027-02-21 03:00 UTC)), datetime!(2027-03-01 15:00 UTC));
    assert_eq!(POLICY.full_until(datetime!(2028-02-29 03:00 UTC)), datetime!(2028-03-08 15:00 UTC));
    assert_eq!(POLICY.full_until(datetime!(2026-12-31 14:00 UTC)), datetime!(2027-01-08 15:00 UTC));
}

#[test]
fn all_comes_back_if_less_than_a_fifth_was_opened() {
    for (total, opened, wanted) in [
        (18, 3, (Rule::Full, 16_500)),
        (18, 4, (Rule::ProRata, 12_833)),
        (20, 3, (Rule::Full, 16_500)),
        // 20 % is not under 20 %.
        (20, 4, (Rule::ProRata, 13_200)),
        (1, 0, (Rule::Full, 16_500)),
        (5, 1, (Rule::ProRata, 13_200)),
    ] {
        assert_eq!(one(line(1, 16_500, total, opened), PAID), wanted, "{opened} of {total}");
    }
}

#[test]
fn a_continuous_service_comes_back_whole_for_eight_days_whatever_was_opened() {
    let end = datetime!(2026-11-28 15:00 UTC);
    assert_eq!(POLICY.cooling_off_until(PAID), end, "midnight after 28 November in Tokyo");
    let used = PaidLine { is_continuous_service: true, ..line(1, 66_000, 18, 17) };
    assert_eq!(one(used.clone(), end - Duration::NANOSECOND), (Rule::Full, 66_000));
    assert_eq!(one(used.clone(), end), (Rule::ProRata, 3_666));
    // Without the number of opened lessons, too.
    let erased = PaidLine { is_erased: true, ..used.clone() };
    assert_eq!(one(erased, PAID), (Rule::Full, 66_000));
    // Once.
    assert_eq!(one(PaidLine { refunded: Some(66_000), ..used }, PAID), (Rule::None, 0));
    let quote = Quote::compute(
        &order(vec![
            PaidLine { is_continuous_service: true, ..line(1, 66_000, 18, 18) },
            line(2, 9_900, 18, 9),
        ]),
        &RefundPolicy { cooling_off_days: 20, ..POLICY },
        end,
    );
    let rules: Vec<_> = quote.lines.iter().map(|line| (line.rule, line.amount)).collect();
    assert_eq!(rules, [(Rule::Full, 66_000), (Rule::ProRata, 4_950)], "the version of the rules decides");
    assert!(
        quote.lines[0].text.starts_with("クーリング・オフの期間（2026年12月10日まで）"),
        "{}",
        quote.lines[0].text
    );
}

#[test]
fn after_that_the_lessons_that_were_not_opened_come_back_rounded_down() {
    let later = PAID + Duration::days(30);
    for (paid, total, opened, amount) in [
        (16_500, 18, 0, 16_500),
        (16_500, 18, 7, 10_083),
        (10_000, 3, 1, 6_666),
        (10_000, 3, 2, 3_333),
        (1, 18, 1, 0),
        (1_000_000, 999, 1, 998_998),
        (i32::MAX, 1_000, 1, 2_145_336_163),
    ] {
        assert_eq!(
            one(line(1, paid, total, opened), later),
            (Rule::ProRata, amount),
            "{paid} {total} {opened}"
        );
    }
}

#[test]
fn nothing_comes_back_after_the_last_lesson_or_the_end_of_access() {
    let later = PAID + Duration::days(30);
    assert_eq!(one(line(1, 16_500, 18, 18), later), (Rule::None, 0));
    assert_eq!(one(line(1, 16_500, 18, 18), PAID), (Rule::None, 0));
    // A lesson was removed from the course after it was opened.
    assert_eq!(one(line(1, 16_500, 18, 19), later), (Rule::None, 0));
    let end = PAID + Duration::days(365);
    assert_eq!(one(line(1, 16_500, 18, 0), end - Duration::NANOSECOND), (Rule::ProRata, 16_500));
    assert_eq!(one(line(1, 16_500, 18, 0), end), (Rule::None, 0));
    let unlimited = PaidLine { ends_at: None, ..line(1, 16_500, 18, 9) };
    assert_eq!(one(unlimited, end + Duration::days(3_650)), (Rule::ProRata, 8_250));
}

#[test]
fn a_short_access_that_ended_within_the_eight_days_comes_back_whole_if_it_was_hardly_used() {
    let short = PaidLine { ends_at: Some(PAID + Duration::days(3)), ..line(1, 16_500, 18, 1) };
    assert_eq!(one(short, PAID + Duration::days(4)), (Rule::Full, 16_500));
    let used = PaidLine { ends_at: Some(PAID + Duration::days(3)), ..line(1, 16_500, 18, 9) };
    assert_eq!(one(used, PAID + Duration::days(4)), (Rule::None, 0));
}

#[test]
fn what_was_paid_comes_back_and_not_the_discount() {
    // 16,500 less 1,000.
    assert_eq!(one(line(1, 15_500, 18, 0), PAID), (Rule::Full, 15_500));
    assert_eq!(one(line(1, 15_500, 18, 9), PAID), (Rule::ProRata, 7_750));
}

#[test]
fn a_line_that_cost_nothing_can_be_given_back_for_nothing() {
    assert_eq!(one(line(1, 0, 18, 0), PAID), (Rule::Full, 0));
    assert_eq!(one(line(1, 0, 18, 9), PAID), (Rule::ProRata, 0));
    assert!(Quote::compute(&order(vec![line(1, 0, 18, 0)]), &POLICY, PAID).is_refundable());
}

#[test]
fn a_course_without_lessons_counts_as_not_opened() {
    assert_eq!(one(line(1, 16_500, 0, 0), PAID), (Rule::Full, 16_500));
    assert_eq!(one(line(1, 16_500, 0, 0), PAID + Duration::days(30)), (Rule::ProRata, 16_500));
}

#[test]
fn lines_are_worked_out_one_by_one_and_the_tax_once() {
    let mut paid = order(vec![line(1, 1_050, 18, 0), line(2, 1_050, 18, 9), line(3, 1_050, 18, 18)]);
    let quote = Quote::compute(&paid, &POLICY, PAID);
    let lines: Vec<_> = quote.lines.iter().map(|line| (line.n, line.rule, line.amount)).collect();
    assert_eq!(lines, [(1, Rule::Full, 1_050), (2, Rule::ProRata, 525), (3, Rule::None, 0)]);
    // 3,150 yen include 286 of tax, and the remaining 1,575 include 143.
    assert_eq!((quote.total, quote.tax), (1_575, 143));
    paid.lines[0].refunded = Some(1_050);
    paid.refunded = 1_050;
    let next = Quote::compute(&paid, &POLICY, PAID);
    assert_eq!((next.lines[0].rule, next.total), (Rule::None, 525));
    assert_ne!(next.digest, quote.digest);
}

#[test]
fn lines_that_can_not_be_counted_are_not_refunded() {
    for line in [
        PaidLine { is_course: false, ..line(1, 16_500, 0, 0) },
        PaidLine { is_erased: true, ..line(1, 16_500, 18, 0) },
        PaidLine { refunded: Some(0), ..line(1, 0, 18, 0) },
    ] {
        assert_eq!(one(line, PAID), (Rule::None, 0));
    }
    let disputed = PaidOrder { is_disputed: true, ..order(vec![line(1, 16_500, 18, 0)]) };
    assert!(!Quote::compute(&disputed, &POLICY, PAID).is_refundable());
}

#[test]
fn what_went_back_at_the_provider_is_not_paid_again() {
    let paid = PaidOrder { refunded: 10_000, ..order(vec![line(1, 9_900, 18, 0), line(2, 16_500, 18, 0)]) };
    let quote = Quote::compute(&paid, &POLICY, PAID);
    let amounts: Vec<_> = quote.lines.iter().map(|line| line.amount).collect();
    assert_eq!(amounts, [9_900, 6_500]);
    assert_eq!(quote.total, paid.total - paid.refunded);
    let whole = PaidOrder { refunded: 26_400, ..paid };
    assert_eq!(Quote::compute(&whole, &POLICY, PAID).total, 0);
}

#[test]
fn the_tax_of_all_refunds_is_the_tax_of_the_order() {
    for parts in [[1_050, 1_050, 1_050], [1, 3_148, 1], [9, 9, 3_132], [0, 3_150, 0], [3_139, 10, 1]] {
        let (mut left, mut sum) = (3_150, 0);
        for part in parts {
            let tax = tax_of_refund(left, part);
            assert!((0..=part).contains(&tax), "{tax} of {part}");
            left -= part;
            sum += tax;
        }
        assert_eq!((left, sum), (0, tax::included_in(3_150)), "{parts:?}");
    }
}

#[test]
fn a_quote_is_the_same_until_a_figure_changes() {
    let paid = order(vec![line(1, 16_500, 18, 0)]);
    let quote = Quote::compute(&paid, &POLICY, PAID).digest;
    let end = POLICY.full_until(PAID);
    assert_eq!(Quote::compute(&paid, &POLICY, end - Duration::SECOND).digest, quote);
    assert_ne!(Quote::compute(&paid, &POLICY, end).digest, quote, "another rule");
    assert_ne!(Quote::compute(&order(vec![line(1, 16_500, 18, 1)]), &POLICY, PAID).digest, quote);
    assert_ne!(Quote::compute(&order(vec![line(1, 16_500, 19, 0)]), &POLICY, PAID).digest, quote);
    let other = PaidOrder { id: Uuid::from_u128(2), ..paid.clone() };
    assert_ne!(Quote::compute(&other, &POLICY, PAID).digest, quote, "another order");
    let policy = RefundPolicy { version: 2, ..POLICY };
    assert_ne!(Quote::compute(&paid, &policy, PAID).digest, quote, "other rules");
}

#[test]
fn the_text_says_how_the_amount_was_worked_out() {
    let text = |line, now| Quote::compute(&order(vec![line]), &POLICY, now).lines.remove(0).text;
    assert_eq!(
        text(line(1, 16_500, 18, 3), PAID),
        "2026年11月28日（お支払いの日から8日目）までのお申し込みで、開いたレッスンが18回のうち3回（20%未満）のため、お支払い額の16,500円を全額返金します。"
    );
    assert_eq!(
        text(line(1, 16_500, 18, 7), PAID),
        "レッスンの20%以上を開いたため、開いていないレッスンの分を返金します。16,500円 × 11回 ÷ 18回 = 10,083円（1円未満は切り捨て）。"
    );
    assert!(
        text(line(1, 16_500, 18, 1), PAID + Duration::days(9))
            .starts_with("全額返金の期限（2026年11月28日）を過ぎたため、")
    );
}
