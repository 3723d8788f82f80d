//! Disputes of card payments.

use serde_json::{Value, json};

use crate::support::{NOW, Sandbox, id};

/// Opens a dispute of a payment of 10,000 yen.
async fn disputed(sandbox: &mut Sandbox) -> (String, Value) {
    let intent = sandbox.paid_intent().await;
    let tool = format!("/tool/intents/{intent}");
    assert!(sandbox.page(&tool).await.text.contains("不審請求を起こす</button>"));
    assert_eq!(sandbox.submit(&format!("{tool}/dispute"), &[]).await.location(), tool);
    while sandbox.receiver.next().await.r#type() != "payment_intent.succeeded" {}
    let created = sandbox.receiver.next().await.json();
    assert_eq!(created["type"], "charge.dispute.created");
    sandbox.receiver.expect(&["charge.dispute.funds_withdrawn"]).await;
    (intent, created["data"]["object"].clone())
}

async fn end(sandbox: &Sandbox, dispute: &Value, result: &str) -> Value {
    let answer = sandbox.submit(&format!("/tool/disputes/{}", id(dispute)), &[("result", result)]).await;
    assert!(answer.location().starts_with("/tool/intents/"), "{}", answer.text);
    sandbox.find(&format!("/v1/disputes/{}", id(dispute))).await
}

#[tokio::test]
async fn an_open_dispute_takes_the_money_and_a_fee() {
    let mut sandbox = Sandbox::new().await;
    let (intent, dispute) = disputed(&mut sandbox).await;
    assert_eq!((&dispute["status"], &dispute["amount"]), (&json!("needs_response"), &json!(10_000)));
    assert_eq!(dispute["payment_intent"], intent.as_str());
    assert_eq!(dispute["charge"], sandbox.intent(&intent).await["latest_charge"]);
    let transaction = &dispute["balance_transactions"][0];
    assert_eq!((&transaction["type"], &transaction["source"]), (&json!("adjustment"), &dispute["id"]));
    assert_eq!((&transaction["amount"], &transaction["fee"]), (&json!(-10_000), &json!(1_500)));
    assert_eq!(transaction["net"], -11_500);
    let refused = sandbox.post("/v1/refunds", "", &[("payment_intent", &*intent)]).await;
    assert_eq!(refused.problem().2, "refund_disputed_payment");
    let again = sandbox.submit(&format!("/tool/intents/{intent}/dispute"), &[]).await;
    assert_eq!(again.status.as_u16(), 400);
    let list = sandbox.find(&format!("/v1/disputes?payment_intent={intent}")).await;
    assert_eq!(list["data"], json!([dispute]));
    let now = NOW.unix_timestamp();
    assert_eq!(sandbox.find(&format!("/v1/disputes?created[gte]={now}")).await["data"], json!([dispute]));
    assert_eq!(sandbox.find(&format!("/v1/disputes?created[lt]={now}")).await["data"], json!([]));
    assert_eq!(sandbox.get("/v1/disputes/du_none").await.problem().0, 404);
}

#[tokio::test]
async fn a_won_dispute_gives_the_money_back_and_a_lost_one_does_not() {
    let mut sandbox = Sandbox::new().await;
    let (intent, dispute) = disputed(&mut sandbox).await;
    let won = end(&sandbox, &dispute, "won").await;
    assert_eq!(won["status"], "won");
    assert_eq!(won["balance_transactions"][1]["net"], 10_000);
    sandbox.receiver.expect(&["charge.dispute.closed", "charge.dispute.funds_reinstated"]).await;
    let twice = sandbox.submit(&format!("/tool/disputes/{}", id(&dispute)), &[("result", "lost")]).await;
    assert_eq!(twice.status.as_u16(), 400);
    assert_eq!(sandbox.make("/v1/refunds", &[("payment_intent", &*intent)]).await["amount"], 10_000);
    sandbox.receiver.expect(&["refund.created", "charge.refunded"]).await;

    let (intent, dispute) = disputed(&mut sandbox).await;
    let wrong = sandbox.submit(&format!("/tool/disputes/{}", id(&dispute)), &[("result", "draw")]).await;
    assert_eq!(wrong.status.as_u16(), 400);
    assert_eq!(end(&sandbox, &dispute, "lost").await["balance_transactions"].as_array().unwrap().len(), 1);
    sandbox.receiver.expect(&["charge.dispute.closed"]).await;
    let refused = sandbox.post("/v1/refunds", "", &[("payment_intent", &*intent)]).await;
    assert_eq!(refused.problem().2, "refund_disputed_payment", "a lost payment is not returned twice");
}

#[tokio::test]
async fn only_the_money_that_is_left_of_a_card_payment_is_disputed() {
    let sandbox = Sandbox::new().await;
    let konbini = id(&sandbox.konbini_intent().await);
    sandbox.submit(&format!("/tool/intents/{konbini}/pay"), &[]).await;
    assert_eq!(sandbox.submit(&format!("/tool/intents/{konbini}/dispute"), &[]).await.status.as_u16(), 400);
    let intent = sandbox.paid_intent().await;
    sandbox.make("/v1/refunds", &[("payment_intent", &*intent), ("amount", "4000")]).await;
    sandbox.submit(&format!("/tool/intents/{intent}/dispute"), &[]).await;
    let list = sandbox.find(&format!("/v1/disputes?payment_intent={intent}")).await;
    assert_eq!(list["data"][0]["amount"], 6_000);
}
