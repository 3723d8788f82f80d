//! Properties of ranges, for any file size.

use http::{HeaderMap, header};
use kit::test::Random;

use super::{ByteRange, parse_range};

fn parse(range: &str, size: u64) -> ByteRange {
    parse_range(&HeaderMap::from_iter([(header::RANGE, range.parse().unwrap())]), size)
}

/// A random size or position. Small ones collide, large ones overflow.
fn number(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => u64::MAX - random.below(3),
        1 => random.below(u64::MAX),
        _ => random.below(20),
    }
}

#[test]
fn a_part_lies_in_the_file_and_is_what_was_asked_for() {
    Random::cases(20_000, |random| {
        let (size, first, last) = (number(random), number(random), number(random));
        let expected = |range: std::ops::Range<u64>| {
            if range.is_empty() { ByteRange::Beyond } else { ByteRange::Part(range) }
        };
        assert_eq!(parse(&format!("bytes={first}-"), size), expected(first..size));
        assert_eq!(parse(&format!("bytes=-{last}"), size), expected(size.saturating_sub(last)..size));
        let both = parse(&format!("bytes={first}-{last}"), size);
        if last < first {
            assert_eq!(both, ByteRange::Whole);
        } else {
            assert_eq!(both, expected(first..last.saturating_add(1).min(size)));
        }
    });
}

#[test]
fn parsed_ranges_stay_within_the_file() {
    const WORDS: [&str; 12] =
        ["bytes", "=", "-", ",", " ", "0", "9", "18446744073709551616", "+", "\t", "x", "Bytes="];
    Random::cases(20_000, |random| {
        let words: String = (0..random.below(8)).map(|_| random.pick(&WORDS)).collect();
        let size = number(random);
        if let ByteRange::Part(range) = parse(&words, size) {
            assert!(range.start < range.end && range.end <= size, "{words}: {range:?} of {size}");
        }
    });
}
