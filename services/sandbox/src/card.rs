//! The provider's test cards. Only the number determines the behaviour of a card.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The behaviour of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Card {
    Good,
    /// Requires 3-D Secure, but not off session once it is saved.
    Challenge,
    /// Requires 3-D Secure at every use.
    AlwaysChallenge,
    /// Requires 3-D Secure on session only.
    AlreadySetUp,
    /// Can be saved, but every payment is declined.
    DeclinedOnceSaved,
    /// Can be saved after 3-D Secure, but every payment fails for insufficient funds.
    EmptyOnceSaved,
    /// Pays. Its refunds are pending for a minute.
    PendingRefund,
    /// Pays. Its refunds fail after a minute.
    FailingRefund,
    Declined,
    InsufficientFunds,
    Lost,
    Outdated,
    IncorrectCvc,
    ProcessingError,
    /// Not a test card number.
    Unknown,
}

/// The numbers and their descriptions on the page `/`.
pub(crate) const NUMBERS: [(&str, Card, &str); 14] = [
    ("4242 4242 4242 4242", Card::Good, "支払いも登録も成功する"),
    (
        "4000 0025 0000 3155",
        Card::Challenge,
        "本人認証（3Dセキュア）を求める。登録後の自動の支払いでは求めない",
    ),
    ("4000 0027 6000 3184", Card::AlwaysChallenge, "毎回、本人認証を求める。登録後の自動の支払いは断られる"),
    ("4000 0038 0000 0446", Card::AlreadySetUp, "画面での支払いで本人認証を求める。登録では求めない"),
    ("4000 0000 0000 0341", Card::DeclinedOnceSaved, "登録はできるが、支払いは断られる"),
    ("4000 0082 6000 3178", Card::EmptyOnceSaved, "本人認証の後に登録できるが、支払いは残高が足りない"),
    ("4000 0000 0000 0002", Card::Declined, "断られる"),
    ("4000 0000 0000 9995", Card::InsufficientFunds, "残高が足りない"),
    ("4000 0000 0000 9987", Card::Lost, "紛失したカードとして断られる"),
    ("4000 0000 0000 0069", Card::Outdated, "有効期限切れと断られる"),
    ("4000 0000 0000 0127", Card::IncorrectCvc, "セキュリティコードが違うと断られる"),
    ("4000 0000 0000 0119", Card::ProcessingError, "処理中のエラーになる"),
    ("4000 0000 0000 7726", Card::PendingRefund, "成功し、返金に1分かかる"),
    ("4000 0000 0000 5126", Card::FailingRefund, "成功し、返金が1分後に失敗する"),
];

/// The parts of a card that are stored and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CardFace {
    pub(crate) last4: String,
    pub(crate) exp_month: u8,
    pub(crate) exp_year: i32,
}

/// An entered card, without its number.
#[derive(Clone, Debug)]
pub(crate) struct TypedCard {
    pub(crate) card: Card,
    pub(crate) face: CardFace,
}

/// Why a card was refused or another payment failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) code: String,
    pub(crate) decline_code: Option<String>,
}

impl Refusal {
    fn new(code: &str, decline_code: Option<&str>) -> Self {
        Self { code: code.to_owned(), decline_code: decline_code.map(str::to_owned) }
    }

    /// The refusal of a payment after a failed 3-D Secure.
    pub(crate) fn authentication() -> Self {
        Self::new("payment_intent_authentication_failure", None)
    }

    /// The refusal of a card to save after a failed 3-D Secure.
    pub(crate) fn setup_authentication() -> Self {
        Self::new("setup_intent_authentication_failure", None)
    }

    /// The bank requires 3-D Secure, and the payment is off session.
    pub(crate) fn authentication_required() -> Self {
        Self::new("authentication_required", Some("authentication_required"))
    }

    /// The konbini codes have expired.
    pub(crate) fn expired() -> Self {
        Self::new("payment_intent_payment_attempt_expired", None)
    }

    /// The fields of this refusal in an error.
    pub(crate) fn to_json(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("type".to_owned(), self.r#type().into());
        fields.insert("code".to_owned(), self.code.as_str().into());
        fields.insert("message".to_owned(), self.sentence().into());
        if let Some(code) = &self.decline_code {
            fields.insert("decline_code".to_owned(), code.as_str().into());
        }
        fields
    }

    fn r#type(&self) -> &'static str {
        match self.code.as_str() {
            "payment_intent_authentication_failure"
            | "setup_intent_authentication_failure"
            | "payment_intent_payment_attempt_expired" => "invalid_request_error",
            _ => "card_error",
        }
    }

    /// The message on the payment page.
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
            ("setup_intent_authentication_failure", _) => {
                "本人認証に失敗しました。もう一度お試しになるか、別のカードを登録してください。"
            }
            ("authentication_required", _) => "本人認証が必要です。画面でのお支払いをお願いします。",
            ("payment_intent_payment_attempt_expired", _) => "お支払いの期限が過ぎました。",
            _ => "カードをご利用になれませんでした。別のカードでお支払いください。",
        }
    }
}

impl Card {
    /// The card with this number, which must be digits only, or `None` if it is no card number.
    pub(crate) fn from_number(digits: &str) -> Option<Self> {
        if !(12..=19).contains(&digits.len()) || !passes_luhn(digits) {
            return None;
        }
        let known = NUMBERS.iter().find(|(number, ..)| number.replace(' ', "") == digits);
        Some(known.map_or(Self::Unknown, |(_, card, _)| *card))
    }

    /// Whether a payment on session requires 3-D Secure.
    pub(crate) fn is_challenged_on_session(self) -> bool {
        self.is_challenged_at_setup() || self == Self::AlreadySetUp
    }

    /// Whether saving the card requires 3-D Secure.
    pub(crate) fn is_challenged_at_setup(self) -> bool {
        matches!(self, Self::Challenge | Self::AlwaysChallenge | Self::EmptyOnceSaved)
    }

    /// Whether a payment off session requires 3-D Secure.
    pub(crate) fn is_challenged_off_session(self) -> bool {
        self == Self::AlwaysChallenge
    }

    /// Why a payment is refused, after 3-D Secure if required, or `None` if it succeeds.
    pub(crate) fn refusal(self) -> Option<Refusal> {
        match self {
            Self::DeclinedOnceSaved => Some(Refusal::new("card_declined", Some("generic_decline"))),
            Self::EmptyOnceSaved => Some(Refusal::new("card_declined", Some("insufficient_funds"))),
            _ => self.refusal_at_setup(),
        }
    }

    /// Why the card can't be saved, or `None` if it can.
    pub(crate) fn refusal_at_setup(self) -> Option<Refusal> {
        match self {
            Self::Good
            | Self::Challenge
            | Self::AlwaysChallenge
            | Self::AlreadySetUp
            | Self::DeclinedOnceSaved
            | Self::EmptyOnceSaved
            | Self::PendingRefund
            | Self::FailingRefund => None,
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

/// Whether the check digit of a card number is valid (Luhn).
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
