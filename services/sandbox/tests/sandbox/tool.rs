//! The tools for testers: the overview, the buttons and the clock.

use http::StatusCode;
use serde_json::json;

use crate::support::{NOW, Sandbox, id};

/// The forms of a page: the target of each, with its hidden fields.
fn forms(page: &str) -> Vec<(String, Vec<(String, String)>)> {
    let value = |text: &str, name: &str| {
        let text = text.split(&format!("{name}=\"")).nth(1)?.split('"').next()?;
        Some(text.to_owned())
    };
    let form = |form: &str| {
        let form = form.split("</form>").next().unwrap();
        let fields = form.split("<input type=\"hidden\"").skip(1);
        let fields = fields.map(|field| (value(field, "name").unwrap(), value(field, "value").unwrap()));
        (value(form, "action").unwrap(), fields.collect())
    };
    page.split("<form").skip(1).map(form).collect()
}

#[tokio::test]
async fn the_buttons_of_a_transfer_send_whole_less_more_and_in_another_name() {
    let sandbox = Sandbox::new().await;
    let customer = sandbox.manual_customer().await;
    let intent = id(&sandbox.transfer_intent(&customer, "16500").await);
    let page = sandbox.page(&format!("/tool/intents/{intent}")).await;
    for text in [
        "全額16,500円を振り込む",
        "不足：15,500円を振り込む",
        "過剰：17,500円を振り込む",
        "別の名義で16,500円を振り込む",
        "振込待ち",
    ] {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    for (path, fields) in forms(&page.text) {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        sandbox.submit(&path, &fields).await.location();
    }
    let list = sandbox.find(&format!("/v1/customers/{customer}/cash_balance_transactions")).await;
    let transfers: Vec<_> = list["data"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .map(|transfer| {
            let sender = &transfer["funded"]["bank_transfer"]["jp_bank_transfer"]["sender_name"];
            (transfer["net_amount"].as_i64().unwrap(), sender.as_str().unwrap().to_owned())
        })
        .collect();
    let name = "サクラ ミノリ".to_owned();
    let expected = [
        (16_500, name.clone()),
        (15_500, name.clone()),
        (17_500, name),
        (16_500, "ベツノ メイギ".to_owned()),
    ];
    assert_eq!(transfers, expected);
}

#[tokio::test]
async fn the_overview_leads_to_customers_and_payments() {
    let sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let card = sandbox.save_card(&customer, "4242424242424242").await;
    let intent = id(&sandbox.charge(&customer, &card, "2980").await.json());
    sandbox.send_money(&customer, "1234").await;
    sandbox.make("/v1/refunds", &[("payment_intent", &*intent), ("amount", "80")]).await;
    let overview = sandbox.page("/").await.text;
    for text in [
        &*format!("href=\"/tool/customers/{customer}\""),
        &format!("href=\"/tool/intents/{intent}\""),
        "サクラ ミノリ",
        "1,234円",
        "2,980円",
        "-80円",
        "107円",
        "登録済み",
        "口座へ入金する</button>",
    ] {
        assert!(overview.contains(text), "{text}: {overview}");
    }
    let page = sandbox.page(&format!("/tool/customers/{customer}")).await.text;
    for text in ["one@konomana.example", "•••• 4242", "12/2034", "振り込む</button>", "フリガナ"]
    {
        assert_eq!(page.contains(text), text != "フリガナ", "{text}: {page}");
    }
    assert!(page.contains("<label for=\"amount\">金額（円）</label>"));
    for path in ["/tool/customers/cus_none", "/tool/intents/pi_none"] {
        assert_eq!(sandbox.page(path).await.status, StatusCode::NOT_FOUND);
    }
    for path in ["/tool/refunds/re_none", "/tool/disputes/du_none", "/tool/intents/pi_none/pay"] {
        assert_eq!(sandbox.submit(path, &[]).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn the_clock_can_be_turned_and_what_is_due_happens() {
    let mut sandbox = Sandbox::new().await;
    let konbini = id(&sandbox.konbini_intent().await);
    sandbox.receiver.expect(&["payment_intent.created", "payment_intent.requires_action"]).await;
    assert!(!sandbox.page("/").await.text.contains("実際の時刻に戻す"));
    assert_eq!(sandbox.submit("/tool/clock", &[("days", "3"), ("hours", "5")]).await.location(), "/");
    // The event is signed and sent in real time. With the turned clock, it would be refused as from
    // the future.
    let expired = sandbox.receiver.next().await;
    assert_eq!(expired.r#type(), "payment_intent.payment_failed");
    assert!(expired.signature.starts_with(&format!("t={},", NOW.unix_timestamp())), "{}", expired.signature);
    assert_eq!(expired.json()["created"], NOW.unix_timestamp() + (3 * 24 + 5) * 60 * 60);
    assert_eq!(sandbox.intent(&konbini).await["status"], "requires_payment_method");
    let page = sandbox.page("/").await.text;
    assert!(page.contains("11月29日 00:00") && page.contains("実際の時刻に戻す"), "{page}");
    let customer = sandbox.find(&format!("/v1/customers/{}", sandbox.customer().await)).await;
    assert_eq!(customer["created"], NOW.unix_timestamp() + (3 * 24 + 5) * 60 * 60);

    for form in [&[("days", "0")][..], &[("days", "-1")], &[("hours", "x")], &[("days", "401")], &[]] {
        assert_eq!(sandbox.submit("/tool/clock", form).await.status, StatusCode::BAD_REQUEST, "{form:?}");
    }
    sandbox.submit("/tool/clock", &[("hours", "1")]).await;
    sandbox.submit("/tool/clock", &[("reset", "1")]).await;
    let customer = sandbox.find(&format!("/v1/customers/{}", sandbox.customer().await)).await;
    assert_eq!(customer["created"], NOW.unix_timestamp());
}

#[tokio::test]
async fn a_refused_event_waits_by_the_real_time_when_the_clock_is_turned() {
    let mut sandbox = Sandbox::new().await;
    sandbox.receiver.answer(StatusCode::INTERNAL_SERVER_ERROR);
    sandbox.submit("/tool/clock", &[("days", "31")]).await;
    sandbox.konbini_intent().await;
    let refused = sandbox.receiver.next().await;
    assert_eq!(refused.r#type(), "payment_intent.created");
    sandbox.receiver.expect(&["payment_intent.requires_action"]).await;
    sandbox.submit("/tool/clock", &[("days", "31")]).await;
    sandbox.receiver.expect(&["payment_intent.payment_failed"]).await;
    assert!(sandbox.receiver.is_empty(), "its time has not come");
    sandbox.clock.advance(time::Duration::seconds(5));
    assert_eq!(sandbox.receiver.next().await.body, refused.body);
}

#[tokio::test]
async fn payments_of_a_year_ago_are_still_known() {
    let sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let card = sandbox.save_card(&customer, "4242424242424242").await;
    let first = id(&sandbox.charge(&customer, &card, "2980").await.json());
    for _ in 0..12 {
        sandbox.submit("/tool/clock", &[("days", "31")]).await;
        assert_eq!(sandbox.charge(&customer, &card, "2980").await.json()["status"], json!("succeeded"));
    }
    assert_eq!(sandbox.make("/v1/refunds", &[("payment_intent", &*first)]).await["status"], "succeeded");
}
