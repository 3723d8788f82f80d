//! Range requests (RFC 9110, section 14).

use std::ops::Range;

use http::{HeaderMap, header};

#[cfg(test)]
mod properties;

/// The bytes that a request asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum ByteRange {
    /// The whole file.
    Whole,
    /// These bytes, at least one.
    Part(Range<u64>),
    /// Bytes beyond the end of the file.
    Beyond,
}

/// Parses the range that these headers request of a file of `size` bytes. Several ranges, other units and
/// malformed ranges are ignored.
pub(crate) fn parse_range(headers: &HeaderMap, size: u64) -> ByteRange {
    let mut ranges = headers.get_all(header::RANGE).iter();
    let (Some(range), None) = (ranges.next(), ranges.next()) else { return ByteRange::Whole };
    range.to_str().ok().and_then(|range| parse_bytes(range, size)).unwrap_or(ByteRange::Whole)
}

fn parse_bytes(range: &str, size: u64) -> Option<ByteRange> {
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
    Some(if range.is_empty() { ByteRange::Beyond } else { ByteRange::Part(range) })
}

/// Parses digits. A number that is too large becomes `u64::MAX`, beyond the end of any file.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_valid_range_is_parsed_and_anything_else_is_the_whole_file() {
        let parse =
            |range: &str| parse_range(&HeaderMap::from_iter([(header::RANGE, range.parse().unwrap())]), 100);
        let table = [
            ("bytes=0-0", ByteRange::Part(0..1)),
            ("bytes=10-19", ByteRange::Part(10..20)),
            ("Bytes=10-", ByteRange::Part(10..100)),
            ("bytes=-10", ByteRange::Part(90..100)),
            ("bytes=-1000", ByteRange::Part(0..100)),
            ("bytes=99-1000", ByteRange::Part(99..100)),
            ("bytes=0-99999999999999999999999", ByteRange::Part(0..100)),
            ("bytes=100-", ByteRange::Beyond),
            ("bytes=100-200", ByteRange::Beyond),
            ("bytes=99999999999999999999999-", ByteRange::Beyond),
            ("bytes=-0", ByteRange::Beyond),
            ("bytes=0-1,5-6", ByteRange::Whole),
            ("bytes=5-4", ByteRange::Whole),
            ("bytes=-", ByteRange::Whole),
            ("bytes=+1-2", ByteRange::Whole),
            ("bytes=a-b", ByteRange::Whole),
            ("bytes", ByteRange::Whole),
            ("lines=1-2", ByteRange::Whole),
        ];
        for (range, expected) in table {
            assert_eq!(parse(range), expected, "{range}");
        }
        assert_eq!(parse_range(&HeaderMap::new(), 100), ByteRange::Whole);
        let empty = HeaderMap::from_iter([(header::RANGE, "bytes=0-".parse().unwrap())]);
        assert_eq!(parse_range(&empty, 0), ByteRange::Beyond);
    }
}
