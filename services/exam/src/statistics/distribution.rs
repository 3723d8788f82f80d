//! The distribution of points, and the figures computed from it.

use super::tenths::Tenths;

/// With fewer candidates, figures are only a reference (参考値).
const RELIABLE_FROM: i64 = 30;

/// The number of candidates by points. All figures are computed from these integers, so the order
/// of rows does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Distribution {
    /// The number of candidates with 0, 1, 2, … points.
    counts: Vec<i64>,
    candidates: i64,
    sum: i64,
    sum_of_squares: i64,
}

/// The number of candidates within a range of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bucket {
    pub(crate) from: i32,
    /// Inclusive.
    pub(crate) to: i32,
    pub(crate) count: i64,
}

impl Distribution {
    /// `counts` are the numbers of candidates with 0, 1, 2, … points.
    pub(crate) fn from_counts(counts: Vec<i64>) -> Self {
        let by_points = || (0_i64..).zip(&counts);
        let candidates = counts.iter().sum();
        let sum = by_points().map(|(points, count)| points * count).sum();
        let sum_of_squares = by_points().map(|(points, count)| points * points * count).sum();
        Self { counts, candidates, sum, sum_of_squares }
    }

    pub(crate) fn candidates(&self) -> i64 {
        self.candidates
    }

    /// Whether a candidate has `points`.
    pub(crate) fn contains(&self, points: i32) -> bool {
        usize::try_from(points)
            .ok()
            .and_then(|points| self.counts.get(points))
            .is_some_and(|count| *count > 0)
    }

    /// Whether there are so few candidates that figures are only a reference.
    pub(crate) fn is_reference(&self) -> bool {
        self.candidates < RELIABLE_FROM
    }

    /// Returns the average, rounded half up. `None` without candidates.
    pub(crate) fn average(&self) -> Option<Tenths> {
        (self.candidates > 0).then(|| Tenths::from_ratio(self.sum, self.candidates))
    }

    /// Returns the rank of `points`: 1 plus the number of candidates with more points. Equal points
    /// share a rank.
    pub(crate) fn rank(&self, points: i32) -> i64 {
        let better = usize::try_from(points + 1).unwrap_or(0);
        1 + self.counts.iter().skip(better).sum::<i64>()
    }

    /// Returns the 偏差値 of `points`: 50 + 10 (points − average) / σ with the population's σ, rounded
    /// half up. It is 50 if σ is 0, and `None` with fewer than two candidates.
    ///
    /// It is computed with integers. For n candidates, sum S and sum of squares Q it is 50 + 10
    /// (n·points − S) / √(n·Q − S²).
    pub(crate) fn deviation_score(&self, points: i32) -> Option<Tenths> {
        if self.candidates < 2 {
            return None;
        }
        let (n, sum, squares) =
            (i128::from(self.candidates), i128::from(self.sum), i128::from(self.sum_of_squares));
        let variance = n * squares - sum * sum;
        if variance == 0 {
            return Some(Tenths::new(500));
        }
        let distance = n * i128::from(points) - sum;
        Some(Tenths::new(500 + round_ratio_to_root(100 * distance, variance)))
    }

    /// Returns the fewest points whose 偏差値 is at least `score`. `None` if no points reach it.
    pub(crate) fn points_for(&self, score: Tenths) -> Option<i32> {
        let full = i32::try_from(self.counts.len()).unwrap_or(i32::MAX);
        (0..full).find(|points| self.deviation_score(*points).is_some_and(|reached| reached >= score))
    }

    /// Counts the candidates in ranges of `width` points. The last range ends with the full points.
    pub(crate) fn buckets(&self, width: i32) -> Vec<Bucket> {
        let width = usize::try_from(width).unwrap_or(1).max(1);
        let buckets = (0..).step_by(width).zip(self.counts.chunks(width)).map(|(from, counts)| {
            let length = i32::try_from(counts.len()).unwrap_or(i32::MAX);
            Bucket { from, to: from + length - 1, count: counts.iter().sum() }
        });
        buckets.collect()
    }
}

/// Returns `numerator` / √`square`, rounded half up. `square` must be positive.
fn round_ratio_to_root(numerator: i128, square: i128) -> i32 {
    // The result is the highest m with m − 1/2 ≤ numerator / √square, or (2m − 1) √square ≤ 2 numerator.
    let doubled = (2 * numerator).unsigned_abs();
    let (squares, square) = (doubled * doubled, square.unsigned_abs());
    let rounded = if numerator >= 0 {
        // The highest odd 2m − 1 whose square is at most `squares / square`; −1 if there is none.
        let root = (squares / square).isqrt();
        root.div_ceil(2)
    } else {
        // The lowest odd 1 − 2m whose square is at least `squares / square`.
        let least = squares.div_ceil(square);
        let root = (least - 1).isqrt() + 1;
        root / 2
    };
    let rounded = i32::try_from(rounded).unwrap_or(i32::MAX);
    if numerator >= 0 { rounded } else { -rounded }
}

#[cfg(test)]
mod tests;
