//! The emails about orders.

use std::time::Duration as StdDuration;

use kit::caller::Service;
use kit::test::MailServer;
use proto::commerce::{
    BankAccountType, BankTransferInstructions, KonbiniInstructions, KonbiniStore, OrderEnded, OrderPaid,
    OrderPlaced, OrderRefunded, Payment, PaymentMethod, PaymentReminder, TransferShort,
};
use time::macros::datetime;
use tokio::time::timeout;

use crate::emails::parts;
use crate::world::{ACCOUNT, NOW, World, event, timestamp};

const ORDER: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b10";
const NUMBER: &str = "KM-261121-7Q4F2";
const PAGE: &str = "https://www.konomana.test/mypage/history/01936f2a-4c00-7a31-8b52-1f6d0c9e4b10";

fn paid() -> OrderPaid {
    OrderPaid {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        items: vec![
            "中3数学 二次方程式と関数（山田 花子さん）".to_owned(),
            "中3英語 高校入試の英作文（山田 花子さん）".to_owned(),
        ],
        total: 33_000,
        paid_at: Some(timestamp(NOW)),
    }
}

#[tokio::test]
async fn a_paid_order_is_confirmed_with_its_items_its_total_and_its_receipt() {
    let (text, html) = parts(paid()).await;
    for part in [&text, &html] {
        for said in [
            "山田 恵子 様",
            NUMBER,
            "中3数学 二次方程式と関数（山田 花子さん）",
            "中3英語 高校入試の英作文（山田 花子さん）",
            "33,000円（税込）",
            "2026年11月21日(土) 18:00",
            "領収書",
            "https://www.konomana.test/commerce",
        ] {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
    assert!(text.contains(&format!("{PAGE}\r\n")), "{text}");
    assert!(text.contains(&format!("領収書を表示する： {PAGE}/purchase\r\n")), "{text}");
    assert!(html.contains(&format!("href=\"{PAGE}\"")), "{html}");
    assert!(html.contains(&format!("href=\"{PAGE}/purchase\"")), "{html}");
}

#[tokio::test]
async fn an_order_that_ended_says_why_and_that_nothing_was_charged() {
    let ended = |is_cancelled| OrderEnded {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        is_cancelled,
        returned: 0,
    };
    let (cancelled, expired) = ("取り消しました", "期限までにお支払いが完了しなかった");
    for (is_cancelled, said, unsaid) in [(true, cancelled, expired), (false, expired, cancelled)] {
        let (text, html) = parts(ended(is_cancelled)).await;
        for part in [&text, &html] {
            for said in [NUMBER, said, "請求していません", PAGE, "https://www.konomana.test/cart"] {
                assert!(part.contains(said), "{said}: {part}");
            }
            assert!(!part.contains(unsaid), "{unsaid}: {part}");
        }
    }
}

#[tokio::test]
async fn a_refund_says_how_much_goes_back_and_why() {
    let (text, html) = parts(OrderRefunded {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        amount: 16_500,
        method: PaymentMethod::Card.into(),
    })
    .await;
    for part in [&text, &html] {
        for said in [NUMBER, "16,500円", "取り消された", "すでにお支払い済み", "カードに返金", PAGE]
        {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
}

#[tokio::test]
async fn what_did_not_come_by_card_goes_back_to_a_bank_account() {
    let (text, html) = parts(OrderRefunded {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        amount: 3_500,
        method: PaymentMethod::BankTransfer.into(),
    })
    .await;
    for part in [&text, &html] {
        for said in [NUMBER, "3,500円", "銀行口座に返金", PAGE] {
            assert!(part.contains(said), "{said}: {part}");
        }
        assert!(!part.contains("カードに返金"), "{part}");
    }
}

#[tokio::test]
async fn a_part_of_an_order_that_ended_goes_back() {
    let (text, _) = parts(OrderEnded {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        is_cancelled: false,
        returned: 10_000,
    })
    .await;
    assert!(text.contains("10,000円は、お返しします"), "{text}");
    assert!(!text.contains("請求していません"), "{text}");
}

/// The account of an order of 16,500 yen of which so much has arrived.
fn transfer(received: i32) -> Payment {
    Payment {
        method: PaymentMethod::BankTransfer.into(),
        bank_transfer: Some(BankTransferInstructions {
            bank_name: "みらい銀行".to_owned(),
            bank_code: "0009".to_owned(),
            branch_name: "さくら支店".to_owned(),
            branch_code: "950".to_owned(),
            account_type: BankAccountType::Futsu.into(),
            account_number: "1234567".to_owned(),
            account_holder: "カ）コノマナ".to_owned(),
            amount_received: received,
            amount_remaining: 16_500 - received,
            transfers: Vec::new(),
        }),
        ..Payment::default()
    }
}

fn konbini() -> Payment {
    let store = |store: &str, confirmation_number: &str| KonbiniStore {
        store: store.to_owned(),
        payment_code: format!("{store}-1"),
        confirmation_number: confirmation_number.to_owned(),
    };
    let stores = vec![store("familymart", ""), store("lawson", "0901234567")];
    let konbini = KonbiniInstructions { expires_at: None, stores };
    Payment { method: PaymentMethod::Konbini.into(), konbini: Some(konbini), ..Payment::default() }
}

fn placed(payment: Payment) -> OrderPlaced {
    OrderPlaced {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        items: vec!["中3数学 二次方程式と関数（山田 花子さん）".to_owned()],
        total: 16_500,
        // The midnight after the 27th in Tokyo.
        due_at: Some(timestamp(datetime!(2026-11-27 15:00 UTC))),
        payment: Some(payment),
    }
}

#[tokio::test]
async fn an_order_says_where_how_much_and_until_when_to_transfer() {
    let (text, html) = parts(placed(transfer(0))).await;
    for part in [&text, &html] {
        for said in [
            "山田 恵子 様",
            NUMBER,
            "中3数学 二次方程式と関数（山田 花子さん）",
            "16,500円（税込）",
            "2026年11月27日(金) 23:59",
            "みらい銀行（0009）",
            "さくら支店（950）",
            "普通 1234567",
            "カ）コノマナ",
            "/payment?order=01936f2a-4c00-7a31-8b52-1f6d0c9e4b10",
        ] {
            assert!(part.contains(said), "{said}: {part}");
        }
        assert!(!part.contains("不足"), "{part}");
    }
}

#[tokio::test]
async fn an_order_names_the_codes_of_each_store() {
    let (text, html) = parts(placed(konbini())).await;
    for part in [&text, &html] {
        for said in [
            "ファミリーマート",
            "お支払い受付番号 familymart-1",
            "お支払い受付番号 lawson-1、確認番号 0901234567",
        ] {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
}

#[tokio::test]
async fn a_reminder_says_how_many_days_are_left_and_what_is_missing() {
    for (days_left, received, said) in [(3, 0, "あと3日です"), (1, 10_000, "期限は明日です")] {
        let (text, _) = parts(PaymentReminder {
            to: "keiko@demo.example".to_owned(),
            account_id: ACCOUNT.to_owned(),
            name: "山田 恵子".to_owned(),
            order_id: ORDER.to_owned(),
            order_number: NUMBER.to_owned(),
            total: 16_500,
            due_at: Some(timestamp(datetime!(2026-11-27 15:00 UTC))),
            days_left,
            payment: Some(transfer(received)),
        })
        .await;
        for said in [said, "2026年11月27日(金) 23:59", "普通 1234567"] {
            assert!(text.contains(said), "{said}: {text}");
        }
        assert_eq!(text.contains("6,500円\r\n"), received > 0, "{text}");
    }
}

#[tokio::test]
async fn a_short_transfer_says_what_arrived_and_what_is_missing() {
    let (text, html) = parts(TransferShort {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        amount: 9_000,
        due_at: Some(timestamp(datetime!(2026-11-27 15:00 UTC))),
        payment: Some(transfer(10_000)),
        total: 16_500,
    })
    .await;
    for part in [&text, &html] {
        for said in ["9,000円のお振り込みを確認", "10,000円", "6,500円", "16,500円（税込）", "普通 1234567"]
        {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
}

#[tokio::test]
async fn what_a_name_of_a_product_holds_is_text_and_no_markup() {
    let (_, html) = parts(OrderPaid { items: vec!["<b>数学</b>".to_owned()], ..paid() }).await;
    assert!(!html.contains("<b>") && html.contains("数学"), "{html}");
}

#[tokio::test]
async fn commerce_delivers_an_order_and_the_buyer_gets_one_mail() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    let event = event(&paid());
    for _ in 0..3 {
        desk.deliver_as(Service::Commerce, &event).await.unwrap();
    }
    let mail = timeout(StdDuration::from_secs(15), server.mails.recv()).await.expect("a mail comes").unwrap();
    assert_eq!(mail.to, "keiko@demo.example");
    world.comes_to("SELECT kind || state FROM mail", &["order_paidsent"]).await;
    assert!(server.mails.try_recv().is_err(), "there is no second one");
    let mails = desk.export(ACCOUNT).await;
    assert_eq!(mails.iter().map(|mail| mail.kind.as_str()).collect::<Vec<_>>(), ["order_paid"]);
}
