//! Numbers as learners type them.

use unicode_normalization::UnicodeNormalization as _;

/// The most digits of a number. Products of two such numbers fit an `i128`.
const DIGITS: usize = 15;

/// An exact number: 0.75, 3/4 and ０．７５ are equal.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    numerator: i128,
    /// Above 0.
    denominator: i128,
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.numerator * other.denominator == other.numerator * self.denominator
    }
}

impl Number {
    /// Parses a sign, digits with or without thousands separators, and a decimal point or a fraction bar. The width
    /// of characters and the kind of dash do not matter.
    #[must_use]
    pub fn parse(typed: &str) -> Option<Self> {
        let text = plain(typed)?;
        let (is_negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(&text)),
        };
        let text = text.trim_start();
        let number = match text.split_once('/') {
            None => decimal(text)?,
            Some((above, below)) => {
                let (above, below) = (decimal(above.trim_end())?, decimal(below.trim_start())?);
                let is_fraction = above.denominator == 1 && below.denominator == 1 && below.numerator != 0;
                is_fraction.then_some(Self { numerator: above.numerator, denominator: below.numerator })?
            }
        };
        Some(if is_negative { Self { numerator: -number.numerator, ..number } } else { number })
    }
}

/// Converts to ASCII. `None` for characters that would turn into other digits (`2²`, `1½`).
fn plain(typed: &str) -> Option<String> {
    let mut text = String::new();
    for char in typed.trim().chars() {
        match char {
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2500}' | '\u{2501}' | 'ー' | 'ｰ' => text.push('-'),
            '\u{2044}' | '\u{2215}' => text.push('/'),
            '¼' | '½' | '¾' | '⅐'..='⅞' if !text.ends_with(|char: char| char.is_ascii_digit()) => {
                text.extend(char.nfkc().map(|char| if char == '\u{2044}' { '/' } else { char }));
            }
            '\u{3000}' => text.push(' '),
            char if char.is_ascii() => text.push(char),
            '\u{ff01}'..='\u{ff5e}' => text.extend(char.nfkc()),
            _ => return None,
        }
    }
    Some(text)
}

/// Parses a number like `1,234.5`, without a sign.
fn decimal(text: &str) -> Option<Number> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole = without_separators(whole)?;
    let digits = whole.len() + fraction.len();
    let is_number = text.ends_with(|char: char| char.is_ascii_digit())
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
        && digits <= DIGITS;
    let places = u32::try_from(fraction.len()).ok()?;
    is_number.then(|| {
        Some(Number { numerator: (whole + fraction).parse().ok()?, denominator: 10_i128.pow(places) })
    })?
}

/// Removes thousands separators. `None` if the groups do not have three digits. Empty before a leading decimal point.
fn without_separators(text: &str) -> Option<String> {
    let mut groups = text.split(',');
    let first = groups.next()?;
    let is_grouped = text.contains(',');
    let is_right = (!is_grouped || (1..=3).contains(&first.len())) && groups.all(|group| group.len() == 3);
    let digits: String = text.chars().filter(|char| *char != ',').collect();
    (is_right && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn one_number_is_typed_in_many_ways() {
        #[rustfmt::skip]
        let table: [(&str, &[&str]); 8] = [
            ("3.5",  &["3.5", " 3.5 ", "　３．５", "+3.5", "3.50", "7/2", "７／２", "7 / 2", "3,500/1,000", "03.5"]),
            ("-7",   &["-7", "−7", "－７", "ー7", "‐7", "–7", "—7", "- 7", "-7.0", "-14/2", "ｰ７"]),
            ("0.75", &["0.75", ".75", "3/4", "６／８", "3⁄4", "3∕4", "¾", "0.7500"]),
            ("-0.5", &["-1/2", "−½", "-.5", "－０．５"]),
            ("1234567", &["1234567", "1,234,567", "１，２３４，５６７", "1234567.0"]),
            ("0",    &["0", "-0", "0.0", "０", "0/5", "000"]),
            ("0.001", &["0.001", "1/1000", "1/1,000"]),
            ("999999999999999", &["999999999999999", "999,999,999,999,999"]),
        ];
        for (number, ways) in table {
            let number = Number::parse(number).unwrap();
            for way in ways {
                assert_eq!(Number::parse(way), Some(number), "{way}");
            }
        }
    }

    #[test]
    fn numbers_that_differ_are_not_the_same() {
        for (one, other) in [
            ("3", "-3"),
            ("0.1", "0.10001"),
            ("1/3", "0.33333333333333"),
            ("1/999999999999999", "2/999999999999999"),
            ("12", "1.2"),
            ("1,000", "1"),
        ] {
            assert_ne!(Number::parse(one).unwrap(), Number::parse(other).unwrap(), "{one} {other}");
        }
    }

    #[test]
    fn an_invalid_number_is_none() {
        for junk in [
            "",
            " ",
            "　",
            "-",
            "+",
            "/",
            ".",
            ",",
            "3.",
            "3/",
            "/4",
            "1/0",
            "0/0",
            "1/2/3",
            "--3",
            "+-3",
            "3-",
            "3/-4",
            "1 2",
            "1 1/2",
            "1½",
            "2²",
            "①",
            "3cm",
            "x=3",
            "1e3",
            "0x1f",
            "1,23",
            "12,34",
            "1234,567",
            ",123",
            "1,,234",
            "1.2.3",
            "1.2,345",
            "三",
            "NaN",
            "inf",
            "٣",
            "3\0",
            "1234567890123456",
            "0.1234567890123456",
        ] {
            assert_eq!(Number::parse(junk), None, "{junk:?}");
        }
    }
}
