//! Computes the discounts of coupons on the lines of a cart, in whole yen.
//!
//! A percentage comes first, rounded down and limited by its cap. A fixed amount comes next.
//! Neither exceeds the remaining price of the lines in its scope. Each amount is distributed over
//! these lines by the largest remainder method, so the parts sum to the amount.

use serde::Serialize;

/// The discount of a coupon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Discount {
    Percent {
        percent: i32,
        /// The maximum discount in yen, or `None` for no limit.
        cap: Option<i32>,
    },
    /// Yen.
    Fixed { amount: i32 },
}

impl Discount {
    /// Name in the database.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Percent { .. } => "percent",
            Self::Fixed { .. } => "fixed",
        }
    }
}

/// A coupon and the lines it applies to.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub(crate) discount: Discount,
    /// For each line, whether the coupon applies to it.
    pub(crate) scope: Vec<bool>,
}

/// The result of applying coupons to lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deduction {
    /// The discount of each coupon in yen, in the order of the input.
    pub(crate) amounts: Vec<i32>,
    /// The discount of each line in yen. Never more than its price.
    pub(crate) lines: Vec<i32>,
}

impl Deduction {
    /// Yen in all.
    pub(crate) fn total(&self) -> i32 {
        self.amounts.iter().sum()
    }
}

/// Computes the discounts of `offers` on lines with these prices, each at least 0. The order of the
/// offers does not matter.
pub(crate) fn deduct(prices: &[i32], offers: &[Offer]) -> Deduction {
    let mut deduction = Deduction { amounts: vec![0; offers.len()], lines: vec![0; prices.len()] };
    // Percentages first.
    let is_fixed = |index: &usize| matches!(offers[*index].discount, Discount::Fixed { .. });
    let mut order: Vec<usize> = (0..offers.len()).collect();
    order.sort_by_key(is_fixed);
    for index in order {
        let offer = &offers[index];
        let left = prices.iter().zip(&deduction.lines).zip(&offer.scope);
        let left: Vec<i64> = left
            .map(|((price, taken), is_in_scope)| if *is_in_scope { i64::from(price - taken) } else { 0 })
            .collect();
        let amount = amount_of(offer.discount, left.iter().sum());
        for (line, part) in deduction.lines.iter_mut().zip(spread(amount, &left)) {
            *line += part;
        }
        deduction.amounts[index] = to_yen(amount);
    }
    deduction
}

/// The amount of a discount on this base.
fn amount_of(discount: Discount, base: i64) -> i64 {
    match discount {
        Discount::Percent { percent, cap } => {
            let amount = base * i64::from(percent) / 100;
            cap.map_or(amount, |cap| amount.min(cap.into()))
        }
        Discount::Fixed { amount } => i64::from(amount).min(base),
    }
}

/// Distributes an amount over lines by weight. Each line gets its share rounded down, and the
/// remaining yen go to the largest remainders, earlier lines first. `amount` is at most the sum of
/// the weights, and no part exceeds its weight.
fn spread(amount: i64, weights: &[i64]) -> Vec<i32> {
    let base: i64 = weights.iter().sum();
    if base == 0 {
        return vec![0; weights.len()];
    }
    let mut parts: Vec<i64> = weights.iter().map(|weight| amount * weight / base).collect();
    let missing = amount - parts.iter().sum::<i64>();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(amount * weights[*index] % base));
    // `missing` is less than the number of remainders: they sum to `missing × base`, and each is
    // below `base`.
    for index in order.into_iter().take(usize::try_from(missing).unwrap_or_default()) {
        parts[index] += 1;
    }
    parts.into_iter().map(to_yen).collect()
}

/// Converts an amount that is at most the total of a cart: 20 lines of at most 1,000,000 yen.
fn to_yen(amount: i64) -> i32 {
    i32::try_from(amount).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(percent: i32, cap: impl Into<Option<i32>>) -> Discount {
        Discount::Percent { percent, cap: cap.into() }
    }

    fn fixed(amount: i32) -> Discount {
        Discount::Fixed { amount }
    }

    /// Applies the coupons to all lines.
    fn whole(prices: &[i32], discounts: &[Discount]) -> Deduction {
        let offer = |discount: &Discount| Offer { discount: *discount, scope: vec![true; prices.len()] };
        deduct(prices, &discounts.iter().map(offer).collect::<Vec<_>>())
    }

    #[test]
    fn a_thousand_yen_off_five_thousand_leave_four_thousand() {
        let deduction = whole(&[5_000], &[fixed(1_000)]);
        assert_eq!((deduction.total(), deduction.lines), (1_000, vec![1_000]));
    }

    #[test]
    fn a_percentage_is_rounded_down() {
        for (price, percents, off) in [
            (999, 15, 149),
            (1, 99, 0),
            (13_201, 15, 1_980),
            (16_500, 15, 2_475),
            (3, 34, 1),
            (100, 100, 100),
        ] {
            assert_eq!(whole(&[price], &[percent(percents, None)]).total(), off, "{percents} % of {price}");
        }
        // Rounded once for the total, not for each line.
        assert_eq!(whole(&[33, 33, 33], &[percent(10, None)]).total(), 9);
    }

    #[test]
    fn a_percentage_takes_off_its_cap_at_most() {
        assert_eq!(whole(&[33_333], &[percent(15, 5_000)]).total(), 4_999);
        assert_eq!(whole(&[33_334], &[percent(15, 5_000)]).total(), 5_000);
        assert_eq!(whole(&[100_000], &[percent(15, 5_000)]).total(), 5_000);
    }

    #[test]
    fn a_percentage_comes_before_a_fixed_amount() {
        // 10,000 − 15 % − 1,000, and not (10,000 − 1,000) − 15 %.
        let expected = Deduction { amounts: vec![1_500, 1_000], lines: vec![2_500] };
        assert_eq!(whole(&[10_000], &[percent(15, None), fixed(1_000)]), expected);
        let turned = Deduction { amounts: vec![1_000, 1_500], lines: vec![2_500] };
        assert_eq!(whole(&[10_000], &[fixed(1_000), percent(15, None)]), turned);
    }

    #[test]
    fn a_price_never_falls_below_0_yen() {
        assert_eq!(whole(&[500], &[fixed(1_000)]).total(), 500);
        assert_eq!(whole(&[500], &[percent(50, None), fixed(1_000)]).amounts, [250, 250]);
        assert_eq!(whole(&[500], &[percent(100, None), fixed(1_000)]).amounts, [500, 0]);
        assert_eq!(whole(&[], &[percent(15, None), fixed(1_000)]).amounts, [0, 0]);
    }

    #[test]
    fn the_parts_of_the_lines_sum_to_the_amount() {
        // 1,000 over three equal lines: 333 each, and the remaining yen goes to the first line.
        assert_eq!(whole(&[1_050; 3], &[fixed(1_000)]).lines, [334, 333, 333]);
        // Shares of 0.4, 0.8 and 0.8 yen.
        assert_eq!(whole(&[1, 2, 2], &[fixed(2)]).lines, [0, 1, 1]);
        assert_eq!(whole(&[13_200, 16_500, 9_900], &[fixed(1)]).lines, [0, 1, 0]);
    }

    #[test]
    fn a_coupon_takes_off_the_lines_in_its_scope_only() {
        let scope = vec![true, false, true];
        let deduction = deduct(&[1_000, 5_000, 3_000], &[Offer { discount: fixed(500), scope }]);
        assert_eq!((deduction.total(), deduction.lines), (500, vec![125, 0, 375]));
        let small = Offer { discount: fixed(2_000), scope: vec![true, false] };
        assert_eq!(deduct(&[1_000, 5_000], &[small]).lines, [1_000, 0]);
        let half = Offer { discount: percent(50, None), scope: vec![false, true] };
        let rest = Offer { discount: fixed(9_000), scope: vec![true, true] };
        let both = deduct(&[1_000, 5_000], &[half, rest]);
        assert_eq!((both.amounts, both.lines), (vec![2_500, 3_500], vec![1_000, 5_000]));
    }

    #[test]
    fn line_discounts_sum_to_the_total_and_never_exceed_a_price() {
        // A generator with a fixed seed: xorshift64.
        let mut seed = 0x2026_1125_u64;
        let mut random = |below: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % below
        };
        for _ in 0..20_000 {
            let length = 1 + random(20);
            let prices: Vec<i32> = (0..length)
                .map(|_| {
                    i32::try_from(1 + if random(4) == 0 { random(9) } else { random(1_000_000) }).unwrap()
                })
                .collect();
            let mut scope = || prices.iter().map(|_| random(3) > 0).collect::<Vec<_>>();
            let (first, second) = (scope(), scope());
            let cap = (random(2) == 0).then(|| i32::try_from(1 + random(9_000)).unwrap());
            let offers = [
                Offer { discount: percent(i32::try_from(1 + random(100)).unwrap(), cap), scope: first },
                Offer { discount: fixed(i32::try_from(1 + random(100_000)).unwrap()), scope: second },
            ];
            let deduction = deduct(&prices, &offers);
            assert_eq!(deduction.lines.iter().sum::<i32>(), deduction.total(), "{prices:?} {offers:?}");
            let fits = |(part, price): (&i32, &i32)| (0..=*price).contains(part);
            assert!(deduction.lines.iter().zip(&prices).all(fits), "{prices:?} {offers:?} {deduction:?}");
            let outside = |offer: &Offer, line: usize| !offer.scope[line];
            let is_free =
                |(line, part): (usize, &i32)| *part == 0 || !offers.iter().all(|offer| outside(offer, line));
            assert!(deduction.lines.iter().enumerate().all(is_free), "{prices:?} {offers:?} {deduction:?}");
        }
    }
}
