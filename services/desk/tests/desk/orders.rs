//! The emails about orders.

use std::time::Duration as StdDuration;

use kit::caller::Service;
use kit::test::MailServer;
use proto::commerce::{
    BankAccountType, BankTransferInstructions, KonbiniInstructions, KonbiniStore, OrderEnded, OrderPaid,
    OrderPlaced, OrderRefunded, OrderTerm, Payment, PaymentAsked, PaymentMethod, PaymentReminder,
    ProductKind, RefundFailed, RefundReason, RefundRequested, RefundedItem, TransferShort,
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
        kinds: vec![ProductKind::Course.into(); 2],
        placed_at: Some(timestamp(NOW)),
        terms: terms(),
        contract: Vec::new(),
    }
}

fn terms() -> Vec<OrderTerm> {
    vec![OrderTerm {
        title: "申込みの撤回・解約".to_owned(), text: "返金を申し込めます。".to_owned()
    }]
}

fn contract() -> Vec<OrderTerm> {
    vec![
        OrderTerm {
            title: "クーリング・オフ".to_owned(), text: "8日間、解除できます。".to_owned()
        },
        OrderTerm { title: "事業者".to_owned(), text: "株式会社コノマナ\n電話 <03>".to_owned() },
    ]
}

#[tokio::test]
async fn the_emails_of_an_order_have_its_terms_and_its_contract_document() {
    let documents = ["ご注文の条件（特定商取引法に基づく表示）", "契約書面（特定継続的役務提供）"];
    let placed = OrderPlaced { contract: contract(), ..placed(transfer(0)) };
    let paid_contract = OrderPaid { contract: contract(), ..paid() };
    for (text, html) in [parts(paid_contract).await, parts(placed).await] {
        for part in [&text, &html] {
            let fixed =
                ["申込みの撤回・解約", "返金を申し込めます。", "クーリング・オフ", "8日間、解除できます。"];
            for said in fixed.into_iter().chain(documents).chain(["注文日時"]) {
                assert!(part.contains(said), "{said}: {part}");
            }
        }
        assert!(text.contains("■ 事業者\r\n株式会社コノマナ\r\n電話 <03>\r\n"), "{text}");
        assert!(html.contains("電話 &#60;03&#62;"), "{html}");
    }
    // An order that is no such contract has only its terms, and one of an older release has none.
    let (text, html) = parts(paid()).await;
    for part in [&text, &html] {
        assert!(part.contains(documents[0]) && !part.contains(documents[1]), "{part}");
    }
    let older = OrderPaid { placed_at: None, terms: Vec::new(), ..paid() };
    let (text, html) = parts(older).await;
    for unsaid in documents.into_iter().chain(["注文日時"]) {
        assert!(!text.contains(unsaid) && !html.contains(unsaid), "{unsaid}: {text}");
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
async fn a_paid_exam_seat_links_to_the_exam_and_not_to_a_course() {
    let items = vec!["コノ模試 第2回（山田 花子さん）".to_owned()];
    let kinds = vec![ProductKind::ExamSeat.into()];
    let (exam, course) = ("「模試」から、受験の準備を始められます", "「所有講座」からご利用いただけます");
    let (text, _) = parts(OrderPaid { items, kinds, ..paid() }).await;
    assert!(text.contains(exam) && !text.contains(course), "{text}");
    let kinds = vec![ProductKind::Course.into(), ProductKind::ExamSeat.into()];
    let (text, _) = parts(OrderPaid { kinds, ..paid() }).await;
    assert!(text.contains(exam) && text.contains(course), "{text}");
    let (text, _) = parts(OrderPaid { kinds: Vec::new(), ..paid() }).await;
    assert!(!text.contains(exam) && text.contains(course), "an older release: {text}");
}

#[tokio::test]
async fn an_ended_order_states_the_reason_and_that_nothing_was_charged() {
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

fn refunded(reason: RefundReason, method: PaymentMethod, invoice: &str) -> OrderRefunded {
    OrderRefunded {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        amount: 16_500,
        reason: reason.into(),
        method: method.into(),
        invoice_refund_id: invoice.to_owned(),
    }
}

#[tokio::test]
async fn a_refund_states_its_reason_and_method() {
    let late = "すでにお支払い済み";
    let (card, bank) = ("カードに返金", "銀行口座に振り込まれます");
    let dispute = "カード会社の判断により";
    for (event, said, unsaid) in [
        // From an older release.
        (
            refunded(RefundReason::Unspecified, PaymentMethod::Unspecified, ""),
            vec![late, card],
            vec![bank, dispute],
        ),
        (refunded(RefundReason::Late, PaymentMethod::Konbini, ""), vec![late, bank], vec![card]),
        (
            refunded(RefundReason::Excess, PaymentMethod::BankTransfer, ""),
            vec!["差額をお返しします", bank],
            vec![card, late, "もう一度ご注文"],
        ),
        (
            refunded(RefundReason::Buyer, PaymentMethod::Card, "01936f2a-4c00-7a31-8b52-1f6d0c9e4b11"),
            vec![
                "手続きが終わりました",
                card,
                "返還インボイス",
                "/refund/01936f2a-4c00-7a31-8b52-1f6d0c9e4b11",
            ],
            vec![late, dispute],
        ),
        (
            refunded(RefundReason::Outside, PaymentMethod::BankTransfer, ""),
            vec![bank],
            vec![card, "返還インボイス"],
        ),
        (
            refunded(RefundReason::Dispute, PaymentMethod::Card, ""),
            vec![dispute, "もう使えません"],
            vec![card, late, "返還インボイス"],
        ),
    ] {
        let (text, html) = parts(event).await;
        for part in [&text, &html] {
            for said in [&[NUMBER, "16,500円", PAGE], &said[..]].concat() {
                assert!(part.contains(said), "{said}: {part}");
            }
            for unsaid in &unsaid {
                assert!(!part.contains(unsaid), "{unsaid}: {part}");
            }
        }
    }
}

#[tokio::test]
async fn a_requested_refund_is_confirmed_with_its_figures_and_what_happens_next() {
    let kind = ProductKind::Course.into();
    let requested = |method: PaymentMethod, amounts: [i32; 2]| RefundRequested {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        items: vec![
            RefundedItem { name: "中3数学（山田 花子さん）".to_owned(), amount: amounts[0], kind },
            RefundedItem { name: "中3英語（山田 花子さん）".to_owned(), amount: amounts[1], kind },
        ],
        amount: amounts.iter().sum(),
        method: method.into(),
        reason: RefundReason::Buyer.into(),
    };
    let (asks, again) = ("振込先をお聞きするメール", "もう一度メールでお知らせします");
    for (method, amounts, said, unsaid) in [
        (PaymentMethod::Card, [16_500, 8_250], vec!["24,750円（税込）", again], vec![asks]),
        (PaymentMethod::Konbini, [16_500, 8_250], vec![asks, again], vec![]),
        (PaymentMethod::Coupon, [0, 0], vec!["0円（税込）"], vec![asks, again]),
    ] {
        let first = if amounts[0] == 0 {
            "中3数学（山田 花子さん） 0円"
        } else {
            "中3数学（山田 花子さん） 16,500円"
        };
        let (text, html) = parts(requested(method, amounts)).await;
        for part in [&text, &html] {
            for said in [&[NUMBER, PAGE, first, "もう使えません"], &said[..]].concat() {
                assert!(part.contains(said), "{said}: {part}");
            }
            for unsaid in &unsaid {
                assert!(!part.contains(unsaid), "{unsaid}: {part}");
            }
        }
    }
}

#[tokio::test]
async fn a_duplicate_purchase_is_refunded_with_the_reason() {
    let kind = ProductKind::Course.into();
    let item = RefundedItem { name: "中3数学（山田 花子さん）".to_owned(), amount: 16_500, kind };
    let (text, html) = parts(RefundRequested {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        items: vec![item],
        amount: 16_500,
        method: PaymentMethod::Card.into(),
        reason: RefundReason::Duplicate.into(),
    })
    .await;
    for part in [&text, &html] {
        for said in
            [NUMBER, PAGE, "別のご注文で、先に支払われていました", "中3数学（山田 花子さん） 16,500円"]
        {
            assert!(part.contains(said), "{said}: {part}");
        }
        assert!(!part.contains("もう使えません"), "{part}");
    }
}

#[tokio::test]
async fn a_refund_that_failed_says_what_happens_next() {
    let (text, html) = parts(RefundFailed {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        amount: 16_500,
        can_retry: false,
    })
    .await;
    for part in [&text, &html] {
        for said in
            [NUMBER, "16,500円", "返金できませんでした", "5営業日以内に", "お手続きは必要ありません", PAGE]
        {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
}

#[tokio::test]
async fn a_refund_to_a_bank_account_that_failed_asks_for_another_one() {
    let (text, html) = parts(RefundFailed {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        order_id: ORDER.to_owned(),
        order_number: NUMBER.to_owned(),
        amount: 16_500,
        can_retry: true,
    })
    .await;
    for part in [&text, &html] {
        for said in [NUMBER, "16,500円", "返金先の口座をもう一度入力する", PAGE] {
            assert!(part.contains(said), "{said}: {part}");
        }
        assert!(!part.contains("お手続きは必要ありません"), "{part}");
    }
}

#[tokio::test]
async fn a_partial_payment_of_an_ended_order_is_returned() {
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

/// A bank transfer for an order of 16,500 yen, of which `received` yen have arrived.
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
        placed_at: Some(timestamp(NOW)),
        terms: terms(),
        contract: Vec::new(),
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
        for said in
            ["ファミリーマート", "支払いコード familymart-1", "支払いコード lawson-1、確認番号 0901234567"]
        {
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
async fn a_payment_request_names_the_learner_the_items_and_the_omitted_items() {
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
async fn product_names_are_escaped() {
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
    let mail =
        timeout(StdDuration::from_secs(15), server.mails.recv()).await.expect("a mail arrives").unwrap();
    assert_eq!(mail.to, "keiko@demo.example");
    world.comes_to("SELECT kind || state FROM mail", &["order_paidsent"]).await;
    assert!(server.mails.try_recv().is_err(), "there is no second one");
    let mails = desk.export(ACCOUNT).await;
    assert_eq!(mails.iter().map(|mail| mail.kind.as_str()).collect::<Vec<_>>(), ["order_paid"]);
}
