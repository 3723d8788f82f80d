//! Computes the discounts of coupons on a cart, and the best combination.

use std::cmp::Reverse;

use time::OffsetDateTime;

use super::AccountCoupon;
use crate::cart;
use crate::discount::{Deduction, Discount, Offer, deduct};
use crate::product::Kind;

/// A line that can be bought, with its price.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PricedLine {
    pub(crate) product: i64,
    pub(crate) kind: Kind,
    /// Yen, tax included.
    pub(crate) price: i32,
}

impl From<&cart::Line> for PricedLine {
    fn from(line: &cart::Line) -> Self {
        Self { product: line.product.id, kind: line.product.kind, price: line.product.price }
    }
}

/// Why a coupon gives no discount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    Minimum,
    Scope,
    Expired,
    NotStarted,
    Used,
    UsedUp,
    EmptyCart,
    FirstOrderOnly,
}

/// The discounts of the coupons on a cart.
pub(crate) struct Quote {
    /// The percentage first.
    pub(crate) coupons: Vec<QuotedCoupon>,
    /// The discount of each line in yen.
    pub(crate) lines: Vec<i32>,
    /// The total discount in yen.
    pub(crate) discount: i32,
}

/// A coupon on a cart with its discount.
pub(crate) struct QuotedCoupon {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Its discount in yen.
    pub(crate) amount: i32,
    /// Why it gives no discount.
    pub(crate) problem: Option<Problem>,
}

impl AccountCoupon {
    /// Why the coupon gives no discount on these lines. Of several problems, it returns the one
    /// that the buyer can do least about.
    pub(crate) fn problem(&self, lines: &[PricedLine], now: OffsetDateTime) -> Option<Problem> {
        if self.remaining_uses() == 0 {
            return Some(Problem::Used);
        }
        if self.coupon.has_ended(now) {
            return Some(Problem::Expired);
        }
        if self.coupon.is_first_order_only && self.has_bought {
            return Some(Problem::FirstOrderOnly);
        }
        if self.is_used_up() {
            return Some(Problem::UsedUp);
        }
        if !self.coupon.has_started(now) {
            return Some(Problem::NotStarted);
        }
        if lines.is_empty() {
            return Some(Problem::EmptyCart);
        }
        let in_scope = lines.iter().filter(|line| self.coupon.covers(line.kind, line.product));
        let prices: Vec<i32> = in_scope.map(|line| line.price).collect();
        if prices.is_empty() {
            return Some(Problem::Scope);
        }
        let is_below = self.coupon.minimum.is_some_and(|minimum| prices.iter().sum::<i32>() < minimum);
        is_below.then_some(Problem::Minimum)
    }

    fn is_fixed(&self) -> bool {
        matches!(self.coupon.discount, Discount::Fixed { .. })
    }
}

/// Computes the discounts of the coupons on a cart for these lines. Skips coupons that the open
/// order reserves.
pub(crate) fn quote(applied: &[AccountCoupon], lines: &[PricedLine], now: OffsetDateTime) -> Quote {
    let mut shown: Vec<&AccountCoupon> = applied.iter().filter(|coupon| !coupon.is_reserved).collect();
    shown.sort_by_key(|coupon| coupon.is_fixed());
    let deduction = deduct_all(&shown, lines, now);
    let discount = deduction.total();
    let coupons = shown.iter().zip(deduction.amounts).map(|(coupon, amount)| QuotedCoupon {
        id: coupon.coupon.id,
        name: coupon.coupon.name.clone(),
        amount,
        problem: coupon.problem(lines, now),
    });
    Quote { coupons: coupons.collect(), lines: deduction.lines, discount }
}

/// How many yen the coupon saves on these lines, combined with the applied coupon of the other
/// kind.
pub(crate) fn saving(
    coupon: &AccountCoupon,
    applied: &[AccountCoupon],
    lines: &[PricedLine],
    now: OffsetDateTime,
) -> i32 {
    let is_beside = |other: &&AccountCoupon| !other.is_reserved && other.is_fixed() != coupon.is_fixed();
    let mut together: Vec<&AccountCoupon> = applied.iter().filter(is_beside).collect();
    let without = deduct_all(&together, lines, now).total();
    together.push(coupon);
    deduct_all(&together, lines, now).total() - without
}

/// Finds the coupons that save the most on these lines. Compares all pairs of a percentage and a
/// fixed amount, and each coupon alone. Ties go to fewer coupons, then to smaller ids. Returns an
/// empty list if no coupon saves anything.
pub(crate) fn find_best(coupons: &[AccountCoupon], lines: &[PricedLine], now: OffsetDateTime) -> Vec<i64> {
    let usable = coupons.iter().filter(|coupon| coupon.problem(lines, now).is_none());
    let (fixed, percent): (Vec<_>, Vec<_>) = usable.partition(|coupon| coupon.is_fixed());
    let or_none = |coupons: &[&'_ AccountCoupon]| -> Vec<Option<usize>> {
        std::iter::once(None).chain((0..coupons.len()).map(Some)).collect()
    };
    let mut best = (0, Reverse(0), Reverse(Vec::new()));
    for first in or_none(&percent) {
        for second in or_none(&fixed) {
            let pair = first.map(|index| percent[index]).into_iter();
            let pair: Vec<_> = pair.chain(second.map(|index| fixed[index])).collect();
            let total = deduct_all(&pair, lines, now).total();
            let ids: Vec<i64> = pair.iter().map(|coupon| coupon.coupon.id).collect();
            best = best.max((total, Reverse(ids.len()), Reverse(ids)));
        }
    }
    best.2.0
}

/// Computes the discounts of coupons on lines. Coupons with a problem give none.
fn deduct_all(coupons: &[&AccountCoupon], lines: &[PricedLine], now: OffsetDateTime) -> Deduction {
    let prices: Vec<i32> = lines.iter().map(|line| line.price).collect();
    let offer = |coupon: &&AccountCoupon| {
        let is_usable = coupon.problem(lines, now).is_none();
        let in_scope = |line: &PricedLine| is_usable && coupon.coupon.covers(line.kind, line.product);
        Offer { discount: coupon.coupon.discount, scope: lines.iter().map(in_scope).collect() }
    };
    let offers: Vec<Offer> = coupons.iter().map(offer).collect();
    deduct(&prices, &offers)
}
