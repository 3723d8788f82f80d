//! The entered fields of a card.

use time::OffsetDateTime;
use time::macros::offset;

use crate::card::{Card, CardFace, TypedCard};

/// The fields of the form. They are never stored.
#[derive(Default)]
pub(super) struct CardFields {
    number: String,
    pub(super) expiry: String,
    cvc: String,
}

/// The error of each field.
#[derive(Default)]
pub(super) struct FieldErrors {
    pub(super) number: Option<&'static str>,
    pub(super) expiry: Option<&'static str>,
    pub(super) cvc: Option<&'static str>,
}

impl FieldErrors {
    pub(super) fn any(&self) -> bool {
        self.number.is_some() || self.expiry.is_some() || self.cvc.is_some()
    }
}

impl CardFields {
    pub(super) fn parse(body: &[u8]) -> Self {
        let mut fields = Self::default();
        for (name, value) in form_urlencoded::parse(body) {
            match &*name {
                "number" => fields.number = value.into_owned(),
                "expiry" => fields.expiry = value.into_owned(),
                "cvc" => fields.cvc = value.into_owned(),
                _ => {}
            }
        }
        fields
    }

    /// The card, if all fields are valid. `now` in seconds.
    pub(super) fn read_card(&self, now: i64) -> Result<TypedCard, FieldErrors> {
        match (self.read_number(), self.read_expiry(now), self.check_cvc()) {
            (Ok((card, last4)), Ok((exp_month, exp_year)), Ok(())) => {
                Ok(TypedCard { card, face: CardFace { last4, exp_month, exp_year } })
            }
            (number, expiry, cvc) => {
                Err(FieldErrors { number: number.err(), expiry: expiry.err(), cvc: cvc.err() })
            }
        }
    }

    /// The card and its last four digits.
    fn read_number(&self) -> Result<(Card, String), &'static str> {
        let digits = normalize(&self.number);
        if digits.is_empty() {
            return Err("カード番号を入力してください。");
        }
        let card =
            Card::from_number(&digits).ok_or("カード番号が正しくありません。もう一度ご確認ください。")?;
        Ok((card, digits.chars().skip(digits.len() - 4).collect()))
    }

    /// The expiry month and year.
    fn read_expiry(&self, now: i64) -> Result<(u8, i32), &'static str> {
        let wrong = "有効期限は、12/34のように月/年の順で入力してください。";
        let text = normalize(&self.expiry);
        if text.is_empty() {
            return Err("有効期限を入力してください。");
        }
        let (month, year) = text.split_once('/').or_else(|| text.split_at_checked(2)).ok_or(wrong)?;
        let month: u8 = month.parse().map_err(|_| wrong)?;
        let number: i32 = year.parse().map_err(|_| wrong)?;
        let year = match year.len() {
            2 => 2000 + number,
            4 => number,
            _ => return Err(wrong),
        };
        if !(1..=12).contains(&month) {
            return Err(wrong);
        }
        let today = OffsetDateTime::from_unix_timestamp(now).map_err(|_| wrong)?.to_offset(offset!(+9));
        // A card is valid to the end of its month.
        if (year, month) < (today.year(), today.month().into()) {
            return Err("このカードは有効期限が過ぎています。");
        }
        Ok((month, year))
    }

    fn check_cvc(&self) -> Result<(), &'static str> {
        let digits = normalize(&self.cvc);
        if digits.is_empty() {
            return Err("セキュリティコードを入力してください。");
        }
        if !(3..=4).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err("セキュリティコードは、カードの裏面などにある3桁または4桁の数字です。");
        }
        Ok(())
    }
}

/// Converts full-width characters to ASCII, and removes spaces and hyphens.
fn normalize(text: &str) -> String {
    let ascii = |letter: char| match letter {
        '０'..='９' | '／' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        letter => letter,
    };
    let is_filler = |letter: &char| letter.is_whitespace() || matches!(letter, '-' | '－' | 'ー' | '‐' | '−');
    text.chars().filter(|letter| !is_filler(letter)).map(ascii).collect()
}
