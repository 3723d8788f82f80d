//! Properties of coverage for any intervals in any order.

use std::ops::Range;

use kit::test::Random;

use super::Coverage;

const CASES: u64 = 2_000;

/// A random lesson with intervals, some of them partly outside.
fn lesson(random: &mut Random) -> (i32, Vec<Range<i32>>) {
    let duration = random.within(1, 2_000);
    let intervals = (0..random.below(20)).map(|_| {
        let start = random.within(0, duration + 100);
        start..start + random.within(0, 300)
    });
    (duration, intervals.collect())
}

fn covered<'a>(intervals: impl IntoIterator<Item = &'a Range<i32>>, duration: i32) -> Vec<u8> {
    let mut coverage = Coverage::default();
    for interval in intervals {
        coverage.add(interval, duration, i32::MAX);
    }
    coverage.into_bytes()
}

fn seconds(bytes: &[u8], duration: i32) -> i32 {
    Coverage::from_bytes(bytes.to_vec()).seconds(duration)
}

#[test]
fn order_and_repetition_change_nothing() {
    Random::cases(CASES, |random| {
        let (duration, intervals) = lesson(random);
        let once = covered(&intervals, duration);
        assert_eq!(covered(intervals.iter().rev(), duration), once);
        assert_eq!(covered(intervals.iter().chain(&intervals), duration), once);
    });
}

#[test]
fn further_intervals_never_reduce_coverage_or_exceed_the_lesson() {
    Random::cases(CASES, |random| {
        let (duration, intervals) = lesson(random);
        let mut before = 0;
        for end in 0..=intervals.len() {
            let now = seconds(&covered(&intervals[..end], duration), duration);
            assert!((before..=duration).contains(&now), "{before} became {now} of {duration}");
            before = now;
        }
    });
}

#[test]
fn one_interval_covers_its_length_to_within_a_cell() {
    Random::cases(CASES, |random| {
        let duration = random.within(1, 2_000);
        let start = random.within(0, duration);
        let interval = start..random.within(start, duration + 1);
        let now = seconds(&covered([&interval], duration), duration);
        assert!(now.abs_diff(interval.end - interval.start) <= 5, "{interval:?} covers {now} of {duration}");
    });
}

/// Shorter pieces are excluded: three of them may share a cell without any of them covering half of
/// it.
#[test]
fn a_lesson_watched_in_pieces_of_at_least_a_cell_is_covered_completely() {
    Random::cases(CASES, |random| {
        let duration = random.within(1, 2_000);
        let (mut pieces, mut at) = (Vec::new(), 0);
        while at < duration {
            let end = duration.min(at + random.within(super::CELL, 200));
            pieces.push(at..end);
            at = end;
        }
        assert_eq!(seconds(&covered(&pieces, duration), duration), duration, "{pieces:?}");
    });
}

#[test]
fn a_cell_is_not_covered_if_less_than_half_of_it_was_played() {
    Random::cases(CASES, |random| {
        let (duration, intervals) = lesson(random);
        let played = |second: i32| intervals.iter().any(|interval| interval.contains(&second));
        let bytes = covered(&intervals, duration);
        for (index, cell) in super::cells(duration).enumerate() {
            let is_covered = bytes.get(index / 8).is_some_and(|byte| byte & (1 << (index % 8)) != 0);
            let length = cell.end - cell.start;
            let seen = i32::try_from(cell.filter(|second| played(*second)).count()).unwrap();
            assert!(!is_covered || seen * 2 >= length, "cell {index}: {seen} of {length} seconds");
        }
    });
}
