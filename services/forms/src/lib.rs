//! Validation and normalisation of form fields. The site applies the same rules before it sends a form.
//! `web/libs/form/src/cases.json` is the table that tests both.

#![warn(missing_docs)]

pub mod device;
mod mailbox;
pub mod search;
// Compiled in every build, so that no crate is compiled twice. A test of kit (helpers.rs) forbids its use in production
// code.
#[expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up should panic"
)]
pub mod test;

pub use mailbox::mailbox;

use std::sync::LazyLock;

use regex::Regex;
use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumberFormat, Region};
use time::{Date, Month};
use unicode_normalization::UnicodeNormalization as _;

/// The longest name, in characters.
pub const NAME_LIMIT: usize = 20;
/// Maximum length of an e-mail address that can be delivered to.
pub const EMAIL_LIMIT: usize = 254;
/// The longest local part of an e-mail address (RFC 5321).
const LOCAL_PART_LIMIT: usize = 64;
/// The shortest password, in characters.
pub const PASSWORD_LEAST: usize = 10;
/// The longest password, in characters.
pub const PASSWORD_LIMIT: usize = 128;
/// The longest coupon code, in characters.
pub const COUPON_CODE_LIMIT: usize = 32;
/// The school years, from primary school on.
pub const SCHOOL_YEARS: [&str; 13] =
    ["小1", "小2", "小3", "小4", "小5", "小6", "中1", "中2", "中3", "高1", "高2", "高3", "既卒"];
/// The prefectures of Japan, from north to south.
#[rustfmt::skip]
pub const PREFECTURES: [&str; 47] = [
    "北海道", "青森県", "岩手県", "宮城県", "秋田県", "山形県", "福島県", "茨城県", "栃木県", "群馬県", "埼玉県", "千葉県",
    "東京都", "神奈川県", "新潟県", "富山県", "石川県", "福井県", "山梨県", "長野県", "岐阜県", "静岡県", "愛知県", "三重県",
    "滋賀県", "京都府", "大阪府", "兵庫県", "奈良県", "和歌山県", "鳥取県", "島根県", "岡山県", "広島県", "山口県", "徳島県",
    "香川県", "愛媛県", "高知県", "福岡県", "佐賀県", "長崎県", "熊本県", "大分県", "宮崎県", "鹿児島県", "沖縄県",
];
/// In whole years.
const AGES: std::ops::RangeInclusive<i32> = 6..=120;

/// Why the value of a field is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.code())]
pub enum Wrong {
    /// Empty, or only spaces.
    Required,
    /// Too many characters.
    TooLong,
    /// Too few characters.
    TooShort,
    /// Not in the format of this field.
    InvalidFormat,
    /// An invalid date, a future date, or a birth date too long ago.
    ImpossibleDate,
    /// Not one of the allowed values.
    UnknownChoice,
    /// A password that is easily guessed.
    Guessable,
    /// A consent that is not given.
    NotAgreed,
    /// A link or an e-mail address in a name.
    HoldsLink,
}

impl Wrong {
    /// Its stable machine reason.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Required => "REQUIRED",
            Self::TooLong => "TOO_LONG",
            Self::TooShort => "TOO_SHORT",
            Self::InvalidFormat => "INVALID_FORMAT",
            Self::ImpossibleDate => "IMPOSSIBLE_DATE",
            Self::UnknownChoice => "UNKNOWN_CHOICE",
            Self::Guessable => "GUESSABLE",
            Self::NotAgreed => "NOT_AGREED",
            Self::HoldsLink => "HOLDS_LINK",
        }
    }
}

static UNFIT_FOR_A_NAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Extended_Pictographic}\p{Regional_Indicator}\u{fe0f}\u{20e3}]")
});
static CONTROLS: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]"));
/// Text that mail programs turn into a link: a scheme, `www.`, an e-mail address, a domain, an IPv4 address. A single letter
/// before a dot is a link only with more text behind it: `J.Smith` is a name.
static LINK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"://|www[.。]|@",
        r"|[\p{L}\p{N}_-]{2}[.。][a-z]{2}",
        r"|[\p{L}\p{N}_-][.。][a-z]{2,}[/:?#]",
        r"|[0-9]{1,3}(?:\.[0-9]{1,3}){3}",
    ))
});
static KANA: LazyLock<Regex> = LazyLock::new(|| pattern("^[ァ-ヶー・ ]+$"));
static DATE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^([0-9]{4})(?:-([0-9]{1,2})-|/([0-9]{1,2})/|\.([0-9]{1,2})\.|年([0-9]{1,2})月)([0-9]{1,2})日?$")
});
static DIGITS_OF_A_DATE: LazyLock<Regex> = LazyLock::new(|| pattern("^([0-9]{4})([0-9]{2})([0-9]{2})$"));
static POSTAL_CODE: LazyLock<Regex> = LazyLock::new(|| pattern("^[0-9]{7}$"));
static PHONE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\+?[0-9() .-]+$"));
/// The pattern that browsers use, with a required dot in the domain.
static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    const LABEL: &str = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
    pattern(&format!(r"^[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{LABEL}(?:\.{LABEL})+$"))
});

#[expect(clippy::expect_used, reason = "the tests use every pattern")]
fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

/// 姓, 名: unchanged. They appear in mails, so links and addresses are refused.
pub fn name(typed: &str) -> Result<String, Wrong> {
    if typed.chars().all(char::is_whitespace) && !typed.chars().any(char::is_control) {
        return Err(Wrong::Required);
    }
    if UNFIT_FOR_A_NAME.is_match(typed) {
        return Err(Wrong::InvalidFormat);
    }
    if holds_link(typed) {
        return Err(Wrong::HoldsLink);
    }
    no_longer_than(NAME_LIMIT, typed)?;
    Ok(typed.to_owned())
}

/// Whether a text contains something that mail programs turn into a link, in any width. Names must not, because they
/// appear in mails.
#[must_use]
pub fn holds_link(typed: &str) -> bool {
    LINK.is_match(&typed.nfkc().collect::<String>().to_lowercase())
}

/// Whether a text has control or format characters, such as those that change the direction of writing.
#[must_use]
pub fn has_controls(typed: &str) -> bool {
    CONTROLS.is_match(typed)
}

/// セイ, メイ: converted to full-width katakana.
pub fn kana(typed: &str) -> Result<String, Wrong> {
    let text: String =
        normal(typed)?.chars().map(|char| if is_dash(char) { 'ー' } else { katakana(char) }).collect();
    if !KANA.is_match(&text) {
        return Err(Wrong::InvalidFormat);
    }
    no_longer_than(NAME_LIMIT, &text)?;
    Ok(text)
}

/// 生年月日: a plausible birth date of a person who is old enough for school.
pub fn birth_date(typed: &str, today: Date) -> Result<Date, Wrong> {
    let text = with_hyphens(&normal(typed)?);
    let found =
        DATE.captures(&text).or_else(|| DIGITS_OF_A_DATE.captures(&text)).ok_or(Wrong::InvalidFormat)?;
    // 日 belongs to 年 and 月.
    if text.ends_with('日') != text.contains('年') {
        return Err(Wrong::InvalidFormat);
    }
    let mut numbers = found.iter().skip(1).flatten().map(|number| number.as_str().parse::<u16>().ok());
    let mut number = || numbers.next().flatten().ok_or(Wrong::InvalidFormat);
    let (year, month, day) = (number()?, number()?, number()?);
    let month = u8::try_from(month).ok().and_then(|month| Month::try_from(month).ok());
    let birth = month
        .zip(u8::try_from(day).ok())
        .and_then(|(month, day)| Date::from_calendar_date(year.into(), month, day).ok())
        .ok_or(Wrong::ImpossibleDate)?;
    if AGES.contains(&age(birth, today)) { Ok(birth) } else { Err(Wrong::ImpossibleDate) }
}

/// Age in whole years; negative before the birth.
#[must_use]
pub fn age(birth: Date, today: Date) -> i32 {
    let has_come = (today.month() as u8, today.day()) >= (birth.month() as u8, birth.day());
    today.year() - birth.year() - i32::from(!has_come)
}

/// 郵便番号: seven digits.
pub fn postal_code(typed: &str) -> Result<String, Wrong> {
    let text = with_hyphens(&normal(typed)?);
    let text: String =
        text.trim_start_matches('〒').chars().filter(|char| !matches!(char, '-' | ' ')).collect();
    if POSTAL_CODE.is_match(&text) { Ok(text) } else { Err(Wrong::InvalidFormat) }
}

/// 電話: a Japanese number, in E.164.
pub fn phone(typed: &str) -> Result<String, Wrong> {
    let text = with_hyphens(&normal(typed)?);
    if !PHONE.is_match(&text) {
        return Err(Wrong::InvalidFormat);
    }
    let number = PHONE_NUMBER_UTIL.parse(&text, Some(Region::JP)).map_err(|_| Wrong::InvalidFormat)?;
    if !PHONE_NUMBER_UTIL.is_valid_number_for_region(&number, Region::JP) {
        return Err(Wrong::InvalidFormat);
    }
    Ok(PHONE_NUMBER_UTIL.format(&number, PhoneNumberFormat::E164).into_owned())
}

/// メール: case is preserved.
pub fn email(typed: &str) -> Result<String, Wrong> {
    let text = normal(typed)?;
    no_longer_than(EMAIL_LIMIT, &text)?;
    if EMAIL.is_match(&text) && has_local_part_that_fits(&text) {
        Ok(text)
    } else {
        Err(Wrong::InvalidFormat)
    }
}

/// Whether SMTP accepts the local part: at most 64 characters, including quotes that misplaced dots need.
fn has_local_part_that_fits(email: &str) -> bool {
    let local = email.split('@').next().unwrap_or_default();
    let is_quoted = local.starts_with('.') || local.ends_with('.') || local.contains("..");
    local.len() + if is_quoted { 2 } else { 0 } <= LOCAL_PART_LIMIT
}

/// クーポンコード: converted to upper case.
pub fn coupon_code(typed: &str) -> Result<String, Wrong> {
    let code = with_hyphens(&normal(typed)?).to_uppercase();
    no_longer_than(COUPON_CODE_LIMIT, &code)?;
    Ok(code)
}

/// Returns the matching element of `choices`.
pub fn choice(typed: &str, choices: &[&'static str]) -> Result<&'static str, Wrong> {
    match choices.iter().find(|choice| **choice == typed) {
        Some(choice) => Ok(choice),
        None if typed.is_empty() => Err(Wrong::Required),
        None => Err(Wrong::UnknownChoice),
    }
}

/// パスワード: the length, as typed.
pub fn password(typed: &str) -> Result<(), Wrong> {
    match typed.chars().take(PASSWORD_LIMIT + 1).count() {
        0 => Err(Wrong::Required),
        length if length < PASSWORD_LEAST => Err(Wrong::TooShort),
        length if length > PASSWORD_LIMIT => Err(Wrong::TooLong),
        _ => Ok(()),
    }
}

/// Normalises the width (NFKC) and trims spaces.
fn normal(typed: &str) -> Result<String, Wrong> {
    let text: String = typed.nfkc().collect();
    let text = text.trim_matches(' ');
    if text.is_empty() { Err(Wrong::Required) } else { Ok(text.to_owned()) }
}

/// Replaces all characters that look like a dash by a hyphen.
fn with_hyphens(text: &str) -> String {
    text.chars().map(|char| if is_dash(char) { '-' } else { char }).collect()
}

fn is_dash(char: char) -> bool {
    matches!(char, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2500}' | '\u{2501}' | 'ー')
}

/// Converts hiragana to katakana; other characters are unchanged.
pub(crate) fn katakana(char: char) -> char {
    match char {
        'ぁ'..='ゖ' => char::from_u32(u32::from(char) + 0x60).unwrap_or(char),
        char => char,
    }
}

fn no_longer_than(limit: usize, text: &str) -> Result<(), Wrong> {
    if text.chars().count() > limit { Err(Wrong::TooLong) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use crate::test::form_cases;

    use super::*;

    /// Checks that `rule` gives the results of the table for every case of `field`.
    fn hold(field: &str, least: usize, rule: impl Fn(&str, Option<Date>) -> Result<String, Wrong>) {
        let cases = form_cases(field);
        assert!(cases.len() >= least, "{field}: {} cases", cases.len());
        for case in cases {
            let outcome = rule(case.typed(), case.today()).map_err(Wrong::code);
            assert_eq!(outcome.as_deref().map_err(|code| *code), case.wanted(), "{field} {case:?}");
        }
    }

    #[test]
    fn a_name_is_kept_as_typed_without_control_characters_and_emoji() {
        hold("name", 20, |typed, _| name(typed));
    }

    #[test]
    fn kana_become_katakana() {
        hold("kana", 30, |typed, _| kana(typed));
    }

    #[test]
    fn a_birth_date_is_valid_past_and_of_a_person_aged_6_to_120() {
        hold("birth_date", 30, |typed, today| Ok(birth_date(typed, today.unwrap())?.to_string()));
    }

    #[test]
    fn a_postal_code_is_seven_digits() {
        hold("postal_code", 10, |typed, _| postal_code(typed));
    }

    #[test]
    fn a_phone_number_is_kept_in_one_spelling() {
        hold("phone", 20, |typed, _| phone(typed));
    }

    #[test]
    fn an_address_is_valid_as_in_browsers_with_a_dot_in_its_domain() {
        hold("email", 30, |typed, _| email(typed));
    }

    #[test]
    fn a_coupon_code_is_compared_in_one_width_and_upper_case() {
        for typed in ["fuyu15", " ＦＵＹＵ１５　", "Fuyu15 "] {
            assert_eq!(coupon_code(typed).unwrap(), "fuyu15".to_uppercase(), "{typed:?}");
        }
        assert_eq!(coupon_code("natsu−20").as_deref(), Ok("NATSU-20"));
        assert_eq!(coupon_code(" 　"), Err(Wrong::Required));
        assert_eq!(coupon_code(&"A".repeat(32)).map(|code| code.len()), Ok(32));
        assert_eq!(coupon_code(&"A".repeat(33)), Err(Wrong::TooLong));
    }

    #[test]
    fn a_password_has_10_to_128_characters() {
        hold("password", 8, |typed, _| password(typed).map(|()| typed.to_owned()));
    }
}
