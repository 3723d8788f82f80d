//! Balance transactions of the merchant.

use serde_json::{Value, json};
use time::Duration;

use crate::support::{NOW, Sandbox, id};

/// `type`, `amount`, `fee` and `net` of each.
fn rows(list: &Value) -> Vec<(String, i64, i64, i64)> {
    let number = |row: &Value, name: &str| row[name].as_i64().unwrap();
    let rows = list["data"].as_array().unwrap().iter();
    let row = |row: &Value| {
        let kind = row["type"].as_str().unwrap().to_owned();
        (kind, number(row, "amount"), number(row, "fee"), number(row, "net"))
    };
    rows.map(row).collect()
}

#[tokio::test]
async fn every_movement_has_its_fee_and_its_source() {
    let sandbox = Sandbox::new().await;
    let card = sandbox.paid_intent().await;
    let konbini = id(&sandbox.konbini_intent().await);
    sandbox.submit(&format!("/tool/intents/{konbini}/pay"), &[]).await;
    let customer = sandbox.customer().await;
    let transfer = id(&sandbox.transfer_intent(&customer, "2000").await);
    sandbox.send_money(&customer, "2000").await;
    sandbox.make("/v1/refunds", &[("payment_intent", &*card), ("amount", "1000")]).await;
    sandbox.make("/v1/refunds", &[("payment_intent", &*transfer)]).await;
    let list = sandbox.find("/v1/balance_transactions?limit=100").await;
    let expected = [
        ("payment_refund", -2_000, 0, -2_000),
        ("refund", -1_000, 0, -1_000),
        ("payment", 2_000, 50, 1_950),
        ("payment", 13_200, 475, 12_725),
        ("charge", 10_000, 360, 9_640),
    ];
    let expected = expected.map(|(kind, amount, fee, net)| (kind.to_owned(), amount, fee, net));
    assert_eq!(rows(&list), expected);
    assert_eq!(list["data"][4]["source"], sandbox.intent(&card).await["latest_charge"]);
    assert_eq!(list["data"][4]["fee_details"][0]["amount"], 360);

    let charge = list["data"][4]["source"].as_str().unwrap();
    let path = format!("/v1/balance_transactions?source={charge}&expand[0]=data.source");
    let found = sandbox.find(&path).await;
    assert_eq!(found["data"].as_array().unwrap().len(), 1);
    assert_eq!(found["data"][0]["source"]["payment_intent"], card.as_str());
    assert_eq!(rows(&sandbox.find("/v1/balance_transactions?type=charge").await).len(), 1);

    assert_eq!(sandbox.submit("/tool/payouts", &[]).await.location(), "/");
    let list = sandbox.find("/v1/balance_transactions?limit=1").await;
    assert_eq!(rows(&list), [("payout".to_owned(), -21_315, 0, -21_315)]);
    let empty = sandbox.submit("/tool/payouts", &[]).await;
    assert_eq!(empty.status.as_u16(), 400, "nothing is left");
}

#[tokio::test]
async fn they_are_read_by_day_and_page_by_page() {
    let sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let card = sandbox.save_card(&customer, "4242424242424242").await;
    for _ in 0..3 {
        sandbox.charge(&customer, &card, "1000").await;
        sandbox.clock.advance(Duration::DAY);
    }
    let since = (NOW + Duration::DAY).unix_timestamp();
    let path = format!("/v1/balance_transactions?created[gte]={since}&limit=1");
    let first = sandbox.find(&path).await;
    assert_eq!(first["has_more"], true);
    assert_eq!(first["data"][0]["created"], since + 86_400);
    let second = sandbox.find(&format!("{path}&starting_after={}", id(&first["data"][0]))).await;
    assert_eq!((&second["has_more"], &second["data"][0]["created"]), (&json!(false), &json!(since)));
    let wrong = sandbox.get("/v1/balance_transactions?created[gt]=1").await;
    assert_eq!(wrong.problem().2, "parameter_unknown");
    assert_eq!(sandbox.get("/v1/balance_transactions/txn_none").await.problem().0, 404);
    assert_eq!(sandbox.get("/v1/charges/ch_none").await.problem().0, 404);
}
