//! The emails about subscriptions.

use proto::commerce::{
    SubscriptionCancelled, SubscriptionEnded, SubscriptionName, SubscriptionNoticed, SubscriptionRefused,
    SubscriptionRenewed, SubscriptionStopped,
};
use time::Duration;

use crate::emails::parts;
use crate::world::{ACCOUNT, NOW, timestamp};

const ID: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b11";
const ORDER: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b10";
const PAGE: &str = "https://www.konomana.test/mypage/history/subscribe/01936f2a-4c00-7a31-8b52-1f6d0c9e4b11";
const ITEM: &str = "月額 質問し放題（山田 花子さん）";

fn name() -> SubscriptionName {
    SubscriptionName {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        id: ID.to_owned(),
        item: ITEM.to_owned(),
    }
}

fn refused(decline_code: &str, is_last: bool) -> SubscriptionRefused {
    SubscriptionRefused {
        subscription: Some(name()),
        order_id: ORDER.to_owned(),
        total: 2_980,
        decline_code: decline_code.to_owned(),
        retry_at: (!is_last).then(|| timestamp(NOW + Duration::days(1))),
        ends_at: Some(timestamp(NOW + Duration::days(7))),
    }
}

/// Asserts that both parts of an email contain all of these texts.
fn assert_says((text, html): &(String, String), said: &[&str]) {
    for part in [text, html] {
        for said in said {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
}

#[tokio::test]
async fn a_renewal_is_confirmed_with_its_receipt_and_the_next_one() {
    let mail = parts(SubscriptionRenewed {
        subscription: Some(name()),
        order_id: ORDER.to_owned(),
        order_number: "KM-261121-7Q4F2".to_owned(),
        total: 2_980,
        paid_at: Some(timestamp(NOW)),
        period_end: Some(timestamp(NOW + Duration::days(30))),
    })
    .await;
    let receipt = format!("https://www.konomana.test/mypage/history/{ORDER}/purchase");
    let said = [
        "山田 恵子 様",
        ITEM,
        "KM-261121-7Q4F2",
        "2,980円（税込）",
        "2026年11月21日(土) 18:00",
        "2026年12月21日(月) 18:00",
        PAGE,
        &receipt,
    ];
    assert_says(&mail, &said);
}

#[tokio::test]
async fn a_notice_states_amount_date_and_how_to_cancel() {
    let mail = parts(SubscriptionNoticed {
        subscription: Some(name()),
        price: 2_980,
        charge_at: Some(timestamp(NOW + Duration::days(7))),
    })
    .await;
    assert_says(&mail, &[ITEM, "2,980円（税込）", "2026年11月28日(土) 18:00", "前日まで", PAGE]);
}

#[tokio::test]
async fn a_refused_charge_says_what_to_do_and_until_when() {
    let pay = format!("https://www.konomana.test/payment?order={ORDER}");
    let card = "https://www.konomana.test/mypage/settings/card";
    for (code, what) in [
        ("authentication_required", "本人認証"),
        ("card_missing", "登録されたカードがありません"),
        ("insufficient_funds", "利用可能額"),
        ("expired_card", "有効期限"),
        ("card_declined", "承認が得られませんでした"),
    ] {
        let mail = parts(refused(code, false)).await;
        let said = [ITEM, what, "2026年11月22日(日) 18:00", "2026年11月28日(土) 18:00", &pay, card];
        assert_says(&mail, &said);
    }
    let (text, _) = parts(refused("card_declined", true)).await;
    assert!(!text.contains("次に請求する日時"), "{text}");
}

#[tokio::test]
async fn a_cancellation_and_an_end_are_reported() {
    let ends_at = Some(timestamp(NOW + Duration::days(9)));
    let mail =
        parts(SubscriptionCancelled { subscription: Some(name()), ends_at, is_consent_withdrawn: false })
            .await;
    let said = [ITEM, "解約を受け付けました", "取り消せます", "2026年11月30日(月) 18:00", PAGE];
    assert_says(&mail, &said);
    let unpaid = parts(SubscriptionEnded { subscription: Some(name()), is_unpaid: true }).await;
    assert_says(&unpaid, &[ITEM, "お支払いがなかったため", PAGE]);
    let (ended, _) = parts(SubscriptionEnded { subscription: Some(name()), is_unpaid: false }).await;
    assert!(ended.contains("終了しました") && !ended.contains("お支払いがなかった"), "{ended}");
}

#[tokio::test]
async fn a_withdrawn_consent_is_told_to_the_buyer_and_to_the_guardian() {
    let ends_at = Some(timestamp(NOW + Duration::days(9)));
    let cancelled = SubscriptionCancelled { subscription: Some(name()), ends_at, is_consent_withdrawn: true };
    let mail = parts(cancelled).await;
    assert_says(&mail, &[ITEM, "保護者の方が同意を取り消したため", "2026年11月30日(月) 18:00", PAGE]);
    assert!(!mail.0.contains("解約を取り消せます"), "{}", mail.0);
    let stopped = |ends_at| SubscriptionStopped {
        to: "taro@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        guardian_name: "山田 太郎".to_owned(),
        learner_name: "山田 花子".to_owned(),
        item: "月額 質問し放題".to_owned(),
        ends_at,
    };
    let mail = parts(stopped(ends_at)).await;
    let said = ["山田 太郎 様", "山田 花子 さん", "月額 質問し放題", "2026年11月30日(月) 18:00"];
    assert_says(&mail, &said);
    assert_says(&parts(stopped(None)).await, &["すぐに終了します"]);
}
