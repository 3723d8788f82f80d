//! The consumption tax within prices.

/// Percent. Everything on sale has this rate.
pub(crate) const RATE: i32 = 10;

/// The tax within a total that includes it, rounded down. Called once for an invoice, never for its lines.
pub(crate) fn included_in(total: i32) -> i32 {
    // The rate is a divisor of 100 percent and itself, so this is total × 10 / 110 without an overflow.
    total / ((100 + RATE) / RATE)
}

#[cfg(test)]
mod tests {
    use super::included_in;

    #[test]
    fn three_lines_at_1050_yen_hold_286_yen() {
        assert_eq!(included_in(3 * 1_050), 286);
        assert_eq!(included_in(16_500), 1_500);
        assert_eq!(included_in(10), 0);
        assert_eq!(included_in(i32::MAX), 195_225_786);
    }
}
