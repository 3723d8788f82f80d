//! The emails about orders.

use std::time::Duration as StdDuration;

use kit::caller::Service;
use kit::test::MailServer;
use proto::commerce::{OrderEnded, OrderPaid, OrderRefunded, PaymentAsked};
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
async fn a_guardian_reads_who_asks_for_what_and_what_did_not_fit() {
    let asked = |items: &[&str], left_out| PaymentAsked {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        learner_name: "山田 花子".to_owned(),
        items: items.iter().map(|&item| item.to_owned()).collect(),
        total: 26_400,
        left_out,
    };
    let full = "カートがいっぱい";
    let (text, html) = parts(asked(&["中3数学 二次方程式と関数", "中3理科"], 0)).await;
    for part in [&text, &html] {
        for said in [
            "山田 恵子 様",
            "山田 花子 さんが",
            "中3数学 二次方程式と関数",
            "中3理科",
            "26,400円（税込）",
            "料金がかかることはありません",
            "https://www.konomana.test/cart",
        ] {
            assert!(part.contains(said), "{said}: {part}");
        }
        assert!(!part.contains(full), "{part}");
    }
    let (text, _) = parts(asked(&["中3理科"], 2)).await;
    assert!(text.contains(full) && text.contains("2件の商品は入りませんでした"), "{text}");
    let (text, _) = parts(asked(&[], 3)).await;
    assert!(text.contains(full) && !text.contains("26,400円"), "{text}");
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
