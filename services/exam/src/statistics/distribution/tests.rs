use super::{Bucket, Distribution};
use crate::statistics::Tenths;

fn distribution<const N: usize>(counts: [i64; N]) -> Distribution {
    Distribution::from_counts(counts.to_vec())
}

/// Points, 偏差値 in tenths, and rank, as computed by `scipy.stats.zscore` and
/// `rankdata(method="min")`.
type Row = (i32, i32, i64);

fn assert_rows(of: &Distribution, rows: &[Row]) {
    for (points, score, rank) in rows {
        assert_eq!(of.deviation_score(*points), Some(Tenths::new(*score)), "{points} points");
        assert_eq!(of.rank(*points), *rank, "{points} points");
    }
}

#[test]
fn equal_points_share_a_rank_and_the_next_rank_is_skipped() {
    let ties = distribution([1, 0, 0, 2, 0, 1, 0, 0, 3, 0, 1]);
    assert_rows(&ties, &[(0, 324, 8), (3, 418, 6), (5, 480, 5), (8, 574, 2), (10, 637, 1)]);
    assert_eq!(ties.average(), Some(Tenths::new(56)));
    assert_eq!(ties.candidates(), 8);
}

#[test]
fn a_few_candidates_have_the_figures_of_scipy() {
    assert_rows(&distribution([0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0]), &[(2, 400, 2), (9, 600, 1)]);
    let skewed = distribution([4, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_rows(&skewed, &[(0, 450, 3), (1, 477, 2), (10, 722, 1)]);
}

#[test]
fn four_hundred_candidates_have_the_figures_of_scipy() {
    let mut counts = [0; 101];
    for (points, count) in
        include_str!("400-candidates.txt").lines().map(|line| line.split_once(' ').unwrap())
    {
        counts[points.parse::<usize>().unwrap()] = count.parse().unwrap();
    }
    let many = distribution(counts);
    assert_eq!(many.candidates(), 400);
    assert_eq!(many.average(), Some(Tenths::new(562)));
    let low = [(3, 161, 400), (14, 231, 399), (29, 327, 380), (41, 403, 326), (50, 461, 263)];
    let high = [(55, 492, 213), (56, 499, 204), (57, 505, 188), (76, 626, 42), (90, 715, 7), (96, 754, 1)];
    assert_rows(&many, &low);
    assert_rows(&many, &high);
}

#[test]
fn the_score_is_50_if_all_points_are_equal() {
    assert_rows(&distribution([0, 0, 3, 0]), &[(2, 500, 1)]);
}

#[test]
fn a_single_candidate_has_a_rank_and_no_score() {
    let alone = distribution([0, 1, 0]);
    assert_eq!(alone.deviation_score(1), None);
    assert_eq!(alone.rank(1), 1);
    assert_eq!(alone.average(), Some(Tenths::new(10)));
}

#[test]
fn without_candidates_there_are_no_figures() {
    let empty = distribution([0, 0]);
    assert_eq!(empty.average(), None);
    assert_eq!(empty.deviation_score(0), None);
}

/// With an average of 8 and σ = 8, each odd number of points is exactly between two tenths.
#[test]
fn halves_are_rounded_up_above_and_below_the_average() {
    let mut counts = [0; 17];
    (counts[0], counts[16]) = (1, 1);
    assert_rows(&distribution(counts), &[(9, 513, 2), (7, 488, 2), (11, 538, 2), (5, 463, 2), (8, 500, 2)]);
}

#[test]
fn averages_are_rounded_half_up() {
    // 5 / 20 = 0.25
    assert_eq!(distribution([15, 5]).average(), Some(Tenths::new(3)));
}

#[test]
fn thirty_candidates_are_more_than_a_reference() {
    assert!(distribution([10, 19]).is_reference());
    assert!(!distribution([10, 20]).is_reference());
}

#[test]
fn the_fewest_points_for_a_score_are_found() {
    let ties = distribution([1, 0, 0, 2, 0, 1, 0, 0, 3, 0, 1]);
    let points = ties.points_for(Tenths::new(574)).unwrap();
    assert_eq!(points, 8);
    assert!(ties.deviation_score(points - 1).unwrap() < Tenths::new(574));
    assert_eq!(ties.points_for(Tenths::new(638)), None);
}

#[test]
fn buckets_cover_all_points_once() {
    let buckets = distribution([1, 2, 3, 4, 5, 6, 7]).buckets(3);
    let expected = [
        Bucket { from: 0, to: 2, count: 6 },
        Bucket { from: 3, to: 5, count: 15 },
        Bucket { from: 6, to: 6, count: 7 },
    ];
    assert_eq!(buckets, expected);
}
