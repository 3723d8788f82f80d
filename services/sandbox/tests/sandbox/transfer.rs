//! Payments by bank transfer, and the cash balance of a customer.

use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Sandbox, TRANSFER, id};

fn instructions(intent: &Value) -> &Value {
    assert_eq!(intent["next_action"]["type"], "display_bank_transfer_instructions");
    &intent["next_action"]["display_bank_transfer_instructions"]
}

fn remaining(intent: &Value) -> &Value {
    &instructions(intent)["amount_remaining"]
}

async fn apply(sandbox: &Sandbox, intent: &Value, amount: &str) -> crate::support::Answer {
    let path = format!("/v1/payment_intents/{}/apply_customer_balance", id(intent));
    sandbox.post(&path, "", &[("amount", amount), ("currency", "jpy")]).await
}

#[tokio::test]
async fn a_customer_has_one_account_for_all_payments() {
    let mut sandbox = Sandbox::new().await;
    let (customer, other) = (sandbox.customer().await, sandbox.customer().await);
    let intent = sandbox.transfer_intent(&customer, "16500").await;
    sandbox.receiver.expect(&["payment_intent.created", "payment_intent.requires_action"]).await;
    assert_eq!(intent["status"], "requires_action");
    assert_eq!(intent["customer"], customer.as_str());
    assert_eq!(intent["payment_method_types"], json!(["customer_balance"]));
    let shown = instructions(&intent);
    assert_eq!((&shown["amount_remaining"], &shown["currency"]), (&json!(16_500), &json!("jpy")));
    assert_eq!(shown["type"], "jp_bank_transfer");
    let zengin = &shown["financial_addresses"][0]["zengin"];
    assert_eq!(shown["financial_addresses"][0]["type"], "zengin");
    for name in ["account_holder_name", "bank_code", "bank_name", "branch_code", "branch_name"] {
        assert!(!zengin[name].as_str().unwrap().is_empty(), "{name}");
    }
    assert_eq!(zengin["account_type"], "futsu");
    let number = zengin["account_number"].as_str().unwrap();
    assert_eq!(number.len(), 7);
    let url = shown["hosted_instructions_url"].as_str().unwrap().strip_prefix("http://sandbox.test").unwrap();
    let page = sandbox.page(url).await;
    for text in ["16,500円", number, "KM-261125-7Q4F2", zengin["bank_name"].as_str().unwrap()] {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }

    let second = sandbox.transfer_intent(&customer, "3000").await;
    assert_eq!(instructions(&second)["financial_addresses"], shown["financial_addresses"]);
    assert_ne!(instructions(&second)["reference"], shown["reference"]);
    let foreign = sandbox.transfer_intent(&other, "3000").await;
    assert_ne!(instructions(&foreign)["financial_addresses"], shown["financial_addresses"]);
}

#[tokio::test]
async fn manual_reconciliation_leaves_the_money_to_the_merchant() {
    let mut sandbox = Sandbox::new().await;
    let customer = sandbox.manual_customer().await;
    let intent = sandbox.transfer_intent(&customer, "16500").await;
    sandbox.receiver.expect(&["payment_intent.created", "payment_intent.requires_action"]).await;
    let page = format!("/tool/customers/{customer}");
    let form = [("amount", "16500"), ("sender_name", "サクラ タロウ")];
    sandbox.submit(&format!("{page}/transfer"), &form).await;
    let created = sandbox.receiver.next().await.json();
    assert_eq!(created["type"], "customer_cash_balance_transaction.created");
    let funded = &created["data"]["object"];
    assert_eq!((&funded["type"], &funded["net_amount"]), (&json!("funded"), &json!(16_500)));
    assert_eq!((&funded["customer"], &funded["ending_balance"]), (&json!(customer), &json!(16_500)));
    let transfer = &funded["funded"]["bank_transfer"];
    assert_eq!(transfer["type"], "jp_bank_transfer");
    assert_eq!(transfer["jp_bank_transfer"]["sender_name"], "サクラ タロウ");
    let available = sandbox.receiver.next().await.json();
    assert_eq!(available["type"], "cash_balance.funds_available");
    assert_eq!(available["data"]["object"]["customer"], customer.as_str());
    assert_eq!(available["data"]["object"]["available"], json!({"jpy": 16_500}));
    let path = format!("/v1/customers/{customer}/cash_balance");
    let balance = sandbox.find(&path).await;
    assert_eq!(
        balance["settings"],
        json!({"reconciliation_mode": "manual", "using_merchant_default": false})
    );
    assert_eq!(sandbox.intent(&id(&intent)).await["status"], "requires_action");

    assert_eq!(apply(&sandbox, &intent, "16501").await.problem().2, "amount_too_large");
    let part = apply(&sandbox, &intent, "10000").await.json();
    assert_eq!((&part["status"], remaining(&part)), (&json!("requires_action"), &json!(6_500)));
    sandbox
        .receiver
        .expect(&["customer_cash_balance_transaction.created", "payment_intent.partially_funded"])
        .await;
    let path = format!("/v1/payment_intents/{}/apply_customer_balance", id(&intent));
    let paid = sandbox.post(&path, "order-1:apply", &[]).await;
    assert_eq!(paid.json()["status"], "succeeded", "without an amount: all that remains");
    sandbox.receiver.expect(&["customer_cash_balance_transaction.created", "payment_intent.succeeded"]).await;
    assert_eq!(sandbox.post(&path, "order-1:apply", &[]).await.text, paid.text);
    let again = sandbox.post(&path, "order-1:again", &[]).await;
    assert_eq!(again.problem().2, "payment_intent_unexpected_state");
    assert_eq!(sandbox.cash(&customer).await, 0);

    let list = sandbox.find(&format!("/v1/customers/{customer}/cash_balance_transactions")).await;
    let changes: Vec<_> =
        list["data"].as_array().unwrap().iter().map(|one| (&one["type"], &one["net_amount"])).collect();
    let expected = [("applied_to_payment", -6_500), ("applied_to_payment", -10_000), ("funded", 16_500)];
    let expected = expected.map(|(kind, amount)| (json!(kind), json!(amount)));
    assert_eq!(changes, expected.iter().map(|(kind, amount)| (kind, amount)).collect::<Vec<_>>());
    assert_eq!(list["data"][0]["applied_to_payment"]["payment_intent"], id(&intent));
    let one = format!("/v1/customers/{customer}/cash_balance_transactions/{}", id(&list["data"][0]));
    assert_eq!(sandbox.find(&one).await, list["data"][0]);
    let other = sandbox.customer().await;
    let foreign = one.replace(&customer, &other);
    assert_eq!(sandbox.get(&foreign).await.problem().0, 404, "a transaction of another customer");
}

#[tokio::test]
async fn at_most_the_cash_balance_can_be_applied() {
    let sandbox = Sandbox::new().await;
    let customer = sandbox.manual_customer().await;
    let intent = sandbox.transfer_intent(&customer, "16500").await;
    sandbox.send_money(&customer, "1000").await;
    assert_eq!(apply(&sandbox, &intent, "1001").await.problem().2, "insufficient_funds");
    assert_eq!(apply(&sandbox, &intent, "0").await.problem().2, "amount_too_small");
    assert_eq!(*remaining(&sandbox.intent(&id(&intent)).await), 16_500);
    assert_eq!(sandbox.cash(&customer).await, 1_000);
    let konbini = sandbox.konbini_intent().await;
    assert_eq!(apply(&sandbox, &konbini, "1000").await.problem().2, "payment_intent_unexpected_state");
}

#[tokio::test]
async fn a_canceled_payment_gives_its_money_back_to_the_balance_and_late_money_goes_there() {
    let mut sandbox = Sandbox::new().await;
    let customer = sandbox.manual_customer().await;
    let intent = sandbox.transfer_intent(&customer, "16500").await;
    sandbox.send_money(&customer, "10000").await;
    apply(&sandbox, &intent, "10000").await;
    for _ in 0..6 {
        sandbox.receiver.next().await;
    }
    sandbox.make(&format!("/v1/payment_intents/{}/cancel", id(&intent)), &[]).await;
    sandbox.receiver.expect(&["payment_intent.canceled", "customer_cash_balance_transaction.created"]).await;
    assert_eq!(sandbox.cash(&customer).await, 10_000);
    let list = sandbox.find(&format!("/v1/customers/{customer}/cash_balance_transactions?limit=1")).await;
    assert_eq!(list["data"][0]["type"], "unapplied_from_payment");
    assert_eq!(list["data"][0]["unapplied_from_payment"]["payment_intent"], id(&intent));

    // The page still has its buttons.
    let page = sandbox.page(&format!("/tool/intents/{}", id(&intent))).await;
    assert!(page.text.contains("全額16,500円を振り込む</button>"), "{}", page.text);
    sandbox.send_money(&customer, "16500").await;
    assert_eq!(sandbox.cash(&customer).await, 26_500);
    assert_eq!(sandbox.intent(&id(&intent)).await["status"], "canceled");
}

#[tokio::test]
async fn automatic_reconciliation_goes_by_amount() {
    let sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let mut intents = Vec::new();
    for amount in ["5000", "3000", "2000", "3000"] {
        intents.push(id(&sandbox.transfer_intent(&customer, amount).await));
    }
    let states = || async {
        let mut states = Vec::new();
        for intent in &intents {
            let intent = sandbox.intent(intent).await;
            let is_open = intent["status"] == "requires_action";
            states.push(if is_open { remaining(&intent).as_i64().unwrap() } else { 0 });
        }
        states
    };
    // The oldest payment of exactly this amount is paid.
    sandbox.send_money(&customer, "3000").await;
    assert_eq!(states().await, [5_000, 0, 2_000, 3_000]);
    // Two payments that add up to the amount are paid.
    sandbox.send_money(&customer, "8000").await;
    assert_eq!(states().await, [0, 0, 2_000, 0]);
    // Less than the amount due: the payment is partly funded.
    sandbox.send_money(&customer, "500").await;
    assert_eq!(states().await, [0, 0, 1_500, 0]);
    // More than the rest: the excess stays in the balance.
    sandbox.send_money(&customer, "1700").await;
    assert_eq!(states().await, [0, 0, 0, 0]);
    assert_eq!(sandbox.cash(&customer).await, 200);
}

#[tokio::test]
async fn a_balance_that_suffices_pays_a_new_payment_at_once_unless_the_merchant_reconciles() {
    let sandbox = Sandbox::new().await;
    let (automatic, manual) = (sandbox.customer().await, sandbox.manual_customer().await);
    for (customer, status) in [(&automatic, "succeeded"), (&manual, "requires_action")] {
        sandbox.send_money(customer, "5000").await;
        assert_eq!(sandbox.transfer_intent(customer, "5000").await["status"], status);
    }
    // Back to automatic reconciliation: the open payment is paid.
    let path = format!("/v1/customers/{manual}/cash_balance");
    let balance = sandbox.make(&path, &[("settings[reconciliation_mode]", "automatic")]).await;
    assert_eq!(balance["available"]["jpy"], 0);
    let default = sandbox.make(&path, &[("settings[reconciliation_mode]", "merchant_default")]).await;
    assert_eq!(default["settings"]["using_merchant_default"], true);
    let wrong = sandbox.post(&path, "", &[("settings[reconciliation_mode]", "mine")]).await;
    assert_eq!(wrong.problem().2, "parameter_invalid");
}

#[tokio::test]
async fn a_wrong_parameter_is_named() {
    let sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let base = [TRANSFER, &[("customer", &*customer), ("amount", "16500")]].concat();
    let anonymous = id(&sandbox.make("/v1/customers", &[]).await);
    let option = "payment_method_options[customer_balance]";
    let (funding, kind) = (format!("{option}[funding_type]"), format!("{option}[bank_transfer][type]"));
    for (name, value, code) in [
        ("customer", "", "parameter_missing"),
        ("customer", "cus_none", "resource_missing"),
        // The provider emails the instructions, so it needs an address.
        ("customer", &anonymous, "parameter_invalid"),
        ("amount", "0", "amount_too_small"),
        ("payment_method_data[type]", "", "parameter_missing"),
        (&funding, "card", "parameter_invalid"),
        (&kind, "eu_bank_transfer", "parameter_invalid"),
        ("return_url", "http://site.test/", "parameter_unknown"),
    ] {
        let mut form: Vec<_> = base.iter().copied().filter(|(field, _)| *field != name).collect();
        form.push((name, value));
        let answer = sandbox.post("/v1/payment_intents", "", &form).await;
        assert_eq!(
            answer.problem(),
            (400, "invalid_request_error".to_owned(), code.to_owned()),
            "{name}={value}"
        );
        assert_eq!(answer.json()["error"]["param"], name);
    }
    let page = format!("/tool/customers/{customer}/transfer");
    for amount in ["", "0", "-5", "1.5", "100000000"] {
        let refused = sandbox.submit(&page, &[("amount", amount)]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{amount}");
    }
    let unknown = sandbox.submit("/tool/customers/cus_none/transfer", &[("amount", "100")]).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert_eq!(sandbox.cash(&customer).await, json!(null));
}
