//! The cards of the test: the provider's own numbers. What a card is decides its number alone.

use serde::{Deserialize, Serialize};

/// What a card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Card {
    Good,
    /// Asks for 3-D Secure.
    Challenge,
    /// Pays; a refund to it is pending for a minute.
    PendingRefund,
    /// Pays; a refund to it fails after a minute.
    FailingRefund,
    Declined,
    InsufficientFunds,
    Lost,
    Outdated,
    IncorrectCvc,
    ProcessingError,
    /// Not a number of the test.
    Unknown,
}

/// The numbers, and what the page `/` says about them.
pub(crate) const NUMBERS: [(&str, Card, &str); 10] = [
    ("4242 4242 4242 4242", Card::Good, "支払いが成功する"),
    ("4000 0025 0000 3155", Card::Challenge, "本人認証（3Dセキュア）を求める"),
    ("4000 0000 0000 0002", Card::Declined, "断られる"),
    ("4000 0000 0000 9995", Card::InsufficientFunds, "残高が足りない"),
    ("4000 0000 0000 9987", Card::Lost, "紛失したカードとして断られる"),
    ("4000 0000 0000 0069", Card::Outdated, "有効期限切れと断られる"),
    ("4000 0000 0000 0127", Card::IncorrectCvc, "セキュリティコードが違うと断られる"),
    ("4000 0000 0000 0119", Card::ProcessingError, "処理中のエラーになる"),
    ("4000 0000 0000 7726", Card::PendingRefund, "成功し、返金に1分かかる"),
    ("4000 0000 0000 5126", Card::FailingRefund, "成功し、返金が1分後に失敗する"),
];

/// Why a card was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) code: String,
    pub(crate) decline_code: Option<String>,
}

impl Refusal {
    fn new(code: &str, decline_code: Option<&str>) -> Self {
        Self { code: code.to_owned(), decline_code: decline_code.map(str::to_owned) }
    }

    /// The refusal after a failed 3-D Secure.
    pub(crate) fn authentication() -> Self {
        Self::new("payment_intent_authentication_failure", None)
    }

    /// What the payment page says.
    pub(crate) fn sentence(&self) -> &'static str {
        match (self.code.as_str(), self.decline_code.as_deref()) {
            (_, Some("insufficient_funds")) => {
                "カードの残高または利用可能額が不足しています。別のカードでお支払いください。"
            }
            (_, Some("test_mode_live_card")) => {
                "試験用のカード番号ではないため、お支払いできません。試験用の番号を入力してください。"
            }
            ("expired_card", _) => "カードの有効期限が切れています。別のカードでお支払いください。",
            ("incorrect_cvc", _) => "セキュリティコードが正しくありません。もう一度ご確認ください。",
            ("processing_error", _) => {
                "カード会社での処理中にエラーが起きました。お支払いは済んでいません。もう一度お試しください。"
            }
            ("payment_intent_authentication_failure", _) => {
                "本人認証に失敗しました。もう一度お試しになるか、別のカードでお支払いください。"
            }
            _ => "カードをご利用になれませんでした。別のカードでお支払いください。",
        }
    }
}

impl Card {
    /// The card with this number of digits only, or `None` if that is no card number.
    pub(crate) fn from_number(digits: &str) -> Option<Self> {
        if !(12..=19).contains(&digits.len()) || !passes_luhn(digits) {
            return None;
        }
        let known = NUMBERS.iter().find(|(number, ..)| number.replace(' ', "") == digits);
        Some(known.map_or(Self::Unknown, |(_, card, _)| *card))
    }

    /// Why it is refused; `None` if it pays, or may pay after 3-D Secure.
    pub(crate) fn refusal(self) -> Option<Refusal> {
        match self {
            Self::Good | Self::Challenge | Self::PendingRefund | Self::FailingRefund => None,
            Self::Declined => Some(Refusal::new("card_declined", Some("generic_decline"))),
            Self::InsufficientFunds => Some(Refusal::new("card_declined", Some("insufficient_funds"))),
            Self::Lost => Some(Refusal::new("card_declined", Some("lost_card"))),
            Self::Outdated => Some(Refusal::new("expired_card", None)),
            Self::IncorrectCvc => Some(Refusal::new("incorrect_cvc", None)),
            Self::ProcessingError => Some(Refusal::new("processing_error", None)),
            Self::Unknown => Some(Refusal::new("card_declined", Some("test_mode_live_card"))),
        }
    }
}

/// The check digit of a card number.
fn passes_luhn(digits: &str) -> bool {
    let mut sum = 0;
    for (place, digit) in digits.bytes().rev().enumerate() {
        let digit = u32::from(digit.wrapping_sub(b'0'));
        if digit > 9 {
            return false;
        }
        let doubled = digit * 2;
        sum += if place % 2 == 0 { digit } else { doubled / 10 + doubled % 10 };
    }
    sum % 10 == 0
}
