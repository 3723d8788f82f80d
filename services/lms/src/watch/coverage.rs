//! Coverage: the watched parts of a lesson, in cells of 5 seconds. Watching twice counts once.
//! Skipping does not count.

use std::ops::Range;

#[cfg(test)]
mod properties;

/// Seconds in a cell. The last cell of a lesson may be shorter.
const CELL: i32 = 5;

/// One bit for each cell, the first in the lowest bit of the first byte. Cells
/// beyond the last byte were not watched.
#[derive(Default)]
pub(crate) struct Coverage(Vec<u8>);

impl Coverage {
    /// Parses the stored form.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Returns the stored form.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Adds a watched interval, in seconds, of a lesson of `duration` seconds. Stops when `most`
    /// new seconds are covered. Returns the number of new seconds.
    ///
    /// A cell counts if the interval covers at least half of it. So two adjacent intervals leave no
    /// gap, and skipping from cell to cell covers nothing.
    pub(crate) fn add(&mut self, interval: &Range<i32>, duration: i32, most: i32) -> i32 {
        let mut added = 0;
        for (index, cell) in cells(duration).enumerate() {
            let overlap = interval.end.min(cell.end) - interval.start.max(cell.start);
            let length = cell.end - cell.start;
            if overlap <= 0 || overlap * 2 < length || self.has(index) {
                continue;
            }
            if added + length > most {
                break;
            }
            if self.0.len() <= index / 8 {
                self.0.resize(index / 8 + 1, 0);
            }
            self.0[index / 8] |= 1 << (index % 8);
            added += length;
        }
        added
    }

    fn has(&self, index: usize) -> bool {
        self.0.get(index / 8).is_some_and(|byte| byte & (1 << (index % 8)) != 0)
    }

    /// Returns the covered seconds of a lesson of `duration` seconds.
    pub(crate) fn seconds(&self, duration: i32) -> i32 {
        cells(duration)
            .enumerate()
            .filter(|(index, _)| self.has(*index))
            .map(|(_, cell)| cell.end - cell.start)
            .sum()
    }
}

fn cells(duration: i32) -> impl Iterator<Item = Range<i32>> {
    (0..duration).step_by(CELL as usize).map(move |start| start..duration.min(start.saturating_add(CELL)))
}

#[cfg(test)]
mod tests {
    use super::Coverage;

    fn covered(intervals: &[(i32, i32)], duration: i32) -> i32 {
        let mut coverage = Coverage::default();
        for (from, to) in intervals {
            coverage.add(&(*from..*to), duration, i32::MAX);
        }
        Coverage::from_bytes(coverage.into_bytes()).seconds(duration)
    }

    #[test]
    fn watching_twice_counts_once() {
        assert_eq!(covered(&[(0, 30), (0, 30), (15, 45)], 600), 45);
    }

    #[test]
    fn adjacent_intervals_leave_no_gap() {
        for cut in 1..451 {
            assert_eq!(covered(&[(0, cut), (cut, 451)], 451), 451, "cut at {cut}");
        }
    }

    #[test]
    fn the_last_cell_counts_its_own_seconds() {
        assert_eq!(covered(&[(450, 453)], 453), 3);
        assert_eq!(covered(&[(0, 453)], 453), 453);
    }

    #[test]
    fn skipping_from_cell_to_cell_covers_nothing() {
        let leaps: Vec<_> = (0..120).map(|cell| (cell * 5, cell * 5 + 1)).collect();
        assert_eq!(covered(&leaps, 600), 0);
    }

    #[test]
    fn coverage_is_limited_and_known_cells_are_free() {
        let mut coverage = Coverage::default();
        assert_eq!(coverage.add(&(0..600), 600, 14), 10);
        assert_eq!(coverage.add(&(0..600), 600, 4), 0);
        assert_eq!(coverage.add(&(0..20), 600, 10), 10);
        assert_eq!(coverage.seconds(600), 20);
    }

    #[test]
    fn parts_outside_the_lesson_do_not_count() {
        assert_eq!(covered(&[(590, i32::MAX), (700, 800), (30, 10)], 600), 10);
    }

    #[test]
    fn a_shortened_lesson_is_not_covered_beyond_its_end() {
        let mut coverage = Coverage::default();
        coverage.add(&(0..600), 600, i32::MAX);
        assert_eq!(coverage.seconds(300), 300);
    }
}
