//! A learner's points compared with those of all candidates.

use super::{Distribution, Tenths};

/// Points and the distribution that contains them.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub(crate) points: i32,
    pub(crate) full_points: i32,
    pub(crate) average: Tenths,
    pub(crate) distribution: Distribution,
}

impl Standing {
    /// `None` unless the distribution contains the points.
    pub(crate) fn new(points: i32, full_points: i32, distribution: Distribution) -> Option<Self> {
        if !distribution.contains(points) {
            return None;
        }
        Some(Self { points, full_points, average: distribution.average()?, distribution })
    }

    /// The 偏差値. `None` with fewer than two candidates.
    pub(crate) fn deviation_score(&self) -> Option<Tenths> {
        self.distribution.deviation_score(self.points)
    }

    pub(crate) fn rank(&self) -> i64 {
        self.distribution.rank(self.points)
    }
}
