//! Which part of a file is asked for (RFC 9110, 14).

use std::ops::Range;

use http::{HeaderMap, header};

#[cfg(test)]
mod properties;

/// What a request wants of a file.
#[derive(Debug, PartialEq)]
pub(crate) enum Wanted {
    /// All of it.
    Whole,
    /// These bytes, at least one.
    Part(Range<u64>),
    /// Bytes that it does not have.
    Beyond,
}

/// What these headers want of a file of `size` bytes. Several ranges, other units and what is no range are as if they
/// were not there.
pub(crate) fn wanted(headers: &HeaderMap, size: u64) -> Wanted {
    let mut ranges = headers.get_all(header::RANGE).iter();
    let (Some(range), None) = (ranges.next(), ranges.next()) else { return Wanted::Whole };
    range.to_str().ok().and_then(|range| read(range, size)).unwrap_or(Wanted::Whole)
}

fn read(range: &str, size: u64) -> Option<Wanted> {
    let (unit, range) = range.split_once('=')?;
    if !unit.eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = range.trim().split_once('-')?;
    let range = match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(size),
        (Some(first), None) if last.is_empty() => first..size,
        (None, Some(last)) if first.is_empty() => size.saturating_sub(last)..size,
        _ => return None,
    };
    Some(if range.is_empty() { Wanted::Beyond } else { Wanted::Part(range) })
}

/// Digits only; a number that is too large for anything is beyond every file.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_understood_and_anything_else_is_the_whole() {
        let of = |range: &str| wanted(&HeaderMap::from_iter([(header::RANGE, range.parse().unwrap())]), 100);
        let table = [
            ("bytes=0-0", Wanted::Part(0..1)),
            ("bytes=10-19", Wanted::Part(10..20)),
            ("Bytes=10-", Wanted::Part(10..100)),
            ("bytes=-10", Wanted::Part(90..100)),
            ("bytes=-1000", Wanted::Part(0..100)),
            ("bytes=99-1000", Wanted::Part(99..100)),
            ("bytes=0-99999999999999999999999", Wanted::Part(0..100)),
            ("bytes=100-", Wanted::Beyond),
            ("bytes=100-200", Wanted::Beyond),
            ("bytes=99999999999999999999999-", Wanted::Beyond),
            ("bytes=-0", Wanted::Beyond),
            ("bytes=0-1,5-6", Wanted::Whole),
            ("bytes=5-4", Wanted::Whole),
            ("bytes=-", Wanted::Whole),
            ("bytes=+1-2", Wanted::Whole),
            ("bytes=a-b", Wanted::Whole),
            ("bytes", Wanted::Whole),
            ("lines=1-2", Wanted::Whole),
        ];
        for (range, expected) in table {
            assert_eq!(of(range), expected, "{range}");
        }
        assert_eq!(wanted(&HeaderMap::new(), 100), Wanted::Whole);
        let empty = HeaderMap::from_iter([(header::RANGE, "bytes=0-".parse().unwrap())]);
        assert_eq!(wanted(&empty, 0), Wanted::Beyond);
    }
}
