//! Figures with one decimal.

/// A figure in tenths: 偏差値, an average, a percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tenths(i32);

impl Tenths {
    pub(crate) const fn new(tenths: i32) -> Self {
        Self(tenths)
    }

    /// Returns `numerator / denominator`, rounded half up. The denominator must be positive.
    pub(crate) fn from_ratio(numerator: i64, denominator: i64) -> Self {
        let tenths = (20 * numerator + denominator).div_euclid(2 * denominator);
        Self(i32::try_from(tenths).unwrap_or(i32::MAX))
    }

    /// The number of tenths.
    pub(crate) const fn tenths(self) -> i32 {
        self.0
    }
}

impl From<Tenths> for f64 {
    fn from(Tenths(tenths): Tenths) -> Self {
        Self::from(tenths) / 10.0
    }
}
