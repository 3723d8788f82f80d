//! The consumption tax within prices.

/// Percent. Everything on sale has this rate.
pub(crate) const RATE: i32 = 10;

/// The tax within a total that includes it, rounded down. Called once for an invoice, never for its lines.
pub(crate) fn included_in(total: i32) -> i32 {
    // The same as total × 10 / 110, which may overflow.
    total / ((100 + RATE) / RATE)
}
