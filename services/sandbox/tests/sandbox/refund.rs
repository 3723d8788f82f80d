//! Refunds by konbini and bank transfer, of a cash balance, and outside of the merchant's system.

use serde_json::{Value, json};
use time::Duration;

use crate::support::{NOW, Sandbox, id};

/// A paid bank transfer of 16,500 yen.
async fn paid_transfer(sandbox: &Sandbox) -> (String, String) {
    let customer = sandbox.customer().await;
    let intent = id(&sandbox.transfer_intent(&customer, "16500").await);
    sandbox.send_money(&customer, "16500").await;
    assert_eq!(sandbox.intent(&intent).await["status"], "succeeded");
    (customer, intent)
}

async fn paid_konbini(sandbox: &Sandbox) -> String {
    let intent = id(&sandbox.konbini_intent().await);
    sandbox.submit(&format!("/tool/intents/{intent}/pay"), &[]).await;
    intent
}

async fn press(sandbox: &Sandbox, refund: &Value, status: &str) -> Value {
    let answer = sandbox.submit(&format!("/tool/refunds/{}", id(refund)), &[("status", status)]).await;
    assert!(answer.location().starts_with("/tool/"), "{}", answer.text);
    sandbox.find(&format!("/v1/refunds/{}", id(refund))).await
}

#[tokio::test]
async fn a_transfer_goes_back_once_the_buyer_named_an_account() {
    let mut sandbox = Sandbox::new().await;
    let (_, intent) = paid_transfer(&sandbox).await;
    for _ in 0..5 {
        sandbox.receiver.next().await;
    }
    let form = [("payment_intent", &*intent), ("amount", "6500"), ("metadata[order]", "1")];
    let refund = sandbox.make("/v1/refunds", &form).await;
    sandbox.receiver.expect(&["refund.created", "charge.refunded"]).await;
    assert_eq!(refund["status"], "requires_action");
    assert_eq!(refund["metadata"], json!({"order": "1"}));
    let details = &refund["next_action"]["display_details"];
    assert_eq!(details["email_sent"]["email_sent_to"], "one@konomana.example");
    let page = sandbox.page(&format!("/tool/intents/{intent}")).await;
    for text in ["口座の入力待ち", "返金を完了する</button>", "返金を失敗させる</button>"]
    {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    assert_eq!(press(&sandbox, &refund, "pending").await["next_action"], json!(null));
    assert_eq!(press(&sandbox, &refund, "succeeded").await["status"], "succeeded");
    sandbox.receiver.expect(&["refund.updated", "refund.updated"]).await;
    let wrong = sandbox.submit(&format!("/tool/refunds/{}", id(&refund)), &[("status", "pending")]).await;
    assert_eq!(wrong.status.as_u16(), 400, "a refund does not go back");

    let list = sandbox.find(&format!("/v1/refunds?payment_intent={intent}")).await;
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    assert_eq!(sandbox.find("/v1/refunds?payment_intent=pi_none").await["data"], json!([]));
    let now = NOW.unix_timestamp();
    assert_eq!(sandbox.find(&format!("/v1/refunds?created[gte]={now}")).await, list);
    assert_eq!(sandbox.find(&format!("/v1/refunds?created[lt]={now}")).await["data"], json!([]));
    let charge = sandbox.intent(&intent).await["latest_charge"].as_str().unwrap().to_owned();
    let found = sandbox.find(&format!("/v1/charges/{charge}")).await;
    assert_eq!((&found["amount_refunded"], &found["refunded"]), (&json!(6_500), &json!(false)));
    let rest = sandbox.make("/v1/refunds", &[("charge", &*charge)]).await;
    assert_eq!(rest["amount"], 10_000);
}

#[tokio::test]
async fn a_transfer_that_cannot_go_back_stays_in_the_cash_balance() {
    let mut sandbox = Sandbox::new().await;
    for (status, event) in [("failed", "refund.failed"), ("canceled", "refund.updated")] {
        let (customer, intent) = paid_transfer(&sandbox).await;
        let refund = sandbox.make("/v1/refunds", &[("payment_intent", &*intent)]).await;
        for _ in 0..7 {
            sandbox.receiver.next().await;
        }
        assert_eq!(press(&sandbox, &refund, status).await["status"], status);
        sandbox.receiver.expect(&["customer_cash_balance_transaction.created", event]).await;
        assert_eq!(sandbox.cash(&customer).await, 16_500);
        let list = sandbox.find(&format!("/v1/customers/{customer}/cash_balance_transactions?limit=1")).await;
        assert_eq!(list["data"][0]["refunded_from_payment"]["refund"], id(&refund));
    }
}

#[tokio::test]
async fn a_refund_without_an_account_is_canceled_after_45_days() {
    let sandbox = Sandbox::new().await;
    let (customer, intent) = paid_transfer(&sandbox).await;
    let (_, other) = paid_transfer(&sandbox).await;
    let refund = sandbox.make("/v1/refunds", &[("payment_intent", &*intent)]).await;
    sandbox.clock.advance(Duration::days(45) - Duration::SECOND);
    let path = format!("/v1/refunds/{}", id(&refund));
    assert_eq!(sandbox.find(&path).await["status"], "requires_action");
    sandbox.clock.advance(Duration::SECOND);
    assert_eq!(sandbox.find(&path).await["status"], "canceled");
    assert_eq!(sandbox.cash(&customer).await, 16_500);
    // The money is in the cash balance, so the payment has nothing left to refund.
    let again = sandbox.post("/v1/refunds", "", &[("payment_intent", &*intent)]).await;
    assert_eq!(again.problem().2, "charge_already_refunded");
    sandbox.clock.advance(Duration::days(136));
    let late = sandbox.post("/v1/refunds", "", &[("payment_intent", &*other)]).await;
    assert_eq!(late.problem().2, "charge_not_refundable");
}

#[tokio::test]
async fn a_cash_balance_goes_back_as_a_refund_of_its_own() {
    let mut sandbox = Sandbox::new().await;
    let customer = sandbox.manual_customer().await;
    sandbox.send_money(&customer, "3000").await;
    sandbox
        .receiver
        .expect(&["customer_cash_balance_transaction.created", "cash_balance.funds_available"])
        .await;
    let refund = |amount: &'static str| {
        let (sandbox, customer) = (&sandbox, customer.clone());
        async move {
            let form = [
                ("origin", "customer_balance"),
                ("customer", &*customer),
                ("amount", amount),
                ("currency", "jpy"),
            ];
            sandbox.post("/v1/refunds", "", &form).await
        }
    };
    assert_eq!(refund("3001").await.problem().2, "insufficient_funds");
    assert_eq!(refund("").await.problem().2, "parameter_missing");
    let first = refund("1000").await.json();
    let second = refund("2000").await.json();
    assert_eq!((&first["status"], &first["payment_intent"]), (&json!("requires_action"), &json!(null)));
    assert_eq!(first["customer"], customer.as_str());
    assert_eq!(sandbox.cash(&customer).await, 0);
    sandbox.receiver.expect(&["customer_cash_balance_transaction.created", "refund.created"]).await;
    sandbox.receiver.expect(&["customer_cash_balance_transaction.created", "refund.created"]).await;
    let page = sandbox.page(&format!("/tool/customers/{customer}")).await;
    assert!(page.text.contains("返金を完了する</button>"), "{}", page.text);
    assert_eq!(press(&sandbox, &first, "succeeded").await["status"], "succeeded");
    assert_eq!(press(&sandbox, &second, "failed").await["failure_reason"], "unknown");
    assert_eq!(sandbox.cash(&customer).await, 2_000);
    let list = sandbox.find(&format!("/v1/customers/{customer}/cash_balance_transactions?limit=2")).await;
    assert_eq!(list["data"][0]["type"], "return_canceled");
    assert_eq!(list["data"][1]["type"], "return_initiated");
    assert_eq!(
        sandbox.find("/v1/balance_transactions").await["data"],
        json!([]),
        "it was never the merchant's"
    );
}

#[tokio::test]
async fn a_refund_at_a_konbini_needs_an_address() {
    let sandbox = Sandbox::new().await;
    let intent = paid_konbini(&sandbox).await;
    let without = sandbox.post("/v1/refunds", "", &[("payment_intent", &*intent)]).await;
    assert_eq!(without.problem().2, "parameter_missing");
    assert_eq!(without.json()["error"]["param"], "instructions_email");
    let form = [("payment_intent", &*intent), ("instructions_email", "two@konomana.example")];
    let refund = sandbox.make("/v1/refunds", &form).await;
    assert_eq!(refund["status"], "requires_action");
    assert_eq!(refund["instructions_email"], "two@konomana.example");
    let failed = press(&sandbox, &refund, "failed").await;
    let back = failed["failure_balance_transaction"].as_str().unwrap();
    let transaction = sandbox.find(&format!("/v1/balance_transactions/{back}")).await;
    assert_eq!((&transaction["type"], &transaction["amount"]), (&json!("refund_failure"), &json!(13_200)));
    // The money is available again for another refund.
    assert_eq!(sandbox.make("/v1/refunds", &form).await["amount"], 13_200);
}

#[tokio::test]
async fn an_outside_refund_is_published_like_any_other() {
    let mut sandbox = Sandbox::new().await;
    let intents =
        [sandbox.paid_intent().await, paid_konbini(&sandbox).await, paid_transfer(&sandbox).await.1];
    for (intent, status) in intents.iter().zip(["succeeded", "requires_action", "requires_action"]) {
        let tool = format!("/tool/intents/{intent}");
        assert!(sandbox.page(&tool).await.text.contains("返金する</button>"));
        assert_eq!(sandbox.submit(&format!("{tool}/refund"), &[("amount", "1000")]).await.location(), tool);
        // Events of the other payments arrive at the same time.
        let mut published = Vec::new();
        while published.last().is_none_or(|r#type| r#type != "charge.refunded") {
            let event = sandbox.receiver.next().await;
            if event.payment() == *intent && event.r#type().contains("refund") {
                published.push(event.r#type());
            }
        }
        assert_eq!(published, ["refund.created", "charge.refunded"]);
        let list = sandbox.find(&format!("/v1/refunds?payment_intent={intent}")).await;
        assert_eq!((&list["data"][0]["amount"], &list["data"][0]["status"]), (&json!(1_000), &json!(status)));
        assert_eq!(list["data"][0]["metadata"], json!({}));
        let much = sandbox.submit(&format!("{tool}/refund"), &[("amount", "99999")]).await;
        assert_eq!(much.status.as_u16(), 400);
        assert_eq!(sandbox.submit(&format!("{tool}/refund"), &[]).await.location(), tool, "the rest");
        assert!(!sandbox.page(&tool).await.text.contains("返金する</button>"));
    }
}
