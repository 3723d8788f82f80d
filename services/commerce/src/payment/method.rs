//! Payment methods, and their due times.

use std::ops::RangeInclusive;

use serde::Serialize;
use time::{Duration, OffsetDateTime};

use crate::japan_time::end_of_day;
use crate::product::Kind;

/// How long an order by card can be paid.
const CARD_PERIOD: Duration = Duration::HOUR;
/// The order expires unpaid at the end of the day that is this many days after the order's day.
const KONBINI_DAYS: i64 = 3;
const BANK_TRANSFER_DAYS: i64 = 7;
/// The amounts in yen that convenience stores accept.
const KONBINI_AMOUNTS: RangeInclusive<i32> = 120..=300_000;

/// How an order is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum Method {
    /// On the provider's page.
    Card,
    Konbini,
    BankTransfer,
    SavedCard,
    /// Coupons cover the order.
    Coupon,
}

impl Method {
    /// Lists the methods for products of these kinds with this total. If coupons cover the order,
    /// no other method is offered.
    pub(crate) fn list_offered(kinds: &[Kind], total: i32, has_card: bool) -> Vec<Self> {
        if total == 0 {
            return vec![Self::Coupon];
        }
        let mut methods = vec![Self::Card];
        if has_card {
            methods.push(Self::SavedCard);
        }
        if kinds.contains(&Kind::Subscription) {
            return methods;
        }
        if KONBINI_AMOUNTS.contains(&total) {
            methods.push(Self::Konbini);
        }
        methods.push(Self::BankTransfer);
        methods
    }

    /// The due time of an order that is placed now.
    pub(crate) fn due_at(self, now: OffsetDateTime) -> OffsetDateTime {
        match self {
            Self::Card | Self::SavedCard | Self::Coupon => now + CARD_PERIOD,
            Self::Konbini => end_of_day(now, KONBINI_DAYS),
            Self::BankTransfer => end_of_day(now, BANK_TRANSFER_DAYS),
        }
    }

    /// The reminder days, as days before the last day.
    pub(crate) fn reminder_days(self) -> &'static [i16] {
        match self {
            Self::Card | Self::SavedCard | Self::Coupon => &[],
            Self::Konbini => &[1],
            Self::BankTransfer => &[3, 1],
        }
    }

    /// The description of the method in the confirmation.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Card => "クレジットカード。決済代行会社のページでお支払いいただきます。",
            Self::SavedCard => {
                "登録済みのクレジットカード。カード会社の求めがあるときは、本人認証（3Dセキュア）のページに移ります。"
            }
            Self::Konbini => {
                "コンビニエンスストア（ファミリーマート、ローソン、ミニストップ、セイコーマート）。注文の確定後に表示する支払いコードで、店頭でお支払いいただきます。"
            }
            Self::BankTransfer => {
                "銀行振込。注文の確定後に表示する、お客さま専用の口座へお振り込みいただきます。振込手数料はお客さまのご負担です。"
            }
            Self::Coupon => "お支払いはありません（クーポンの割引で、合計が0円になります）。",
        }
    }

    /// The description of the due time in the confirmation.
    pub(crate) fn describe_due(self) -> String {
        match self {
            Self::Card | Self::SavedCard => {
                "注文の確定から1時間以内にお支払いください。過ぎると、注文は取り消されます。引き落としの日は、カード会社の定めによります。"
                    .to_owned()
            }
            Self::Konbini => format!(
                "注文の日の{KONBINI_DAYS}日後の23時59分までにお支払いください。過ぎると、注文は取り消されます。"
            ),
            Self::BankTransfer => format!(
                "注文の日の{BANK_TRANSFER_DAYS}日後の23時59分までに着くように、お振り込みください。過ぎると、注文は取り消され、それまでに届いた金額はお返しします。"
            ),
            Self::Coupon => "お支払いはありません。".to_owned(),
        }
    }
}
