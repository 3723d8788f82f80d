//! The consumption tax within prices.

/// Percent. All products have this rate.
pub(crate) const RATE: i32 = 10;

/// The tax included in a total, rounded down. Called once per invoice, never per line.
pub(crate) fn included_in(total: i32) -> i32 {
    // Equal to total × 10 / 110, which could overflow.
    total / ((100 + RATE) / RATE)
}
