//! Saved cards and subscriptions, with a running commerce and a stand-in for the provider.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::support::family::{CONFIRMATION, Family, LINE, ORDER, text};
use crate::support::{Answer, GOOD_CARD};

const CARD: &str = "/api/commerce/card/";
const SUBSCRIPTION: &str = "/api/commerce/subscription/";
/// A product that is paid by the month.
const MONTHLY: i64 = 3201;

/// Returns a response for a snapshot, without what differs between runs.
fn masked(answer: &Answer) -> Value {
    let mut promise = answer.promise();
    mask(&mut promise["body"]);
    promise
}

fn mask(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Object(fields) => {
            for (name, value) in fields {
                if matches!(name.as_str(), "id" | "number" | "page_url") && value.is_string() {
                    *value = "…".into();
                } else {
                    mask(value);
                }
            }
        }
        _ => {}
    }
}

impl Family {
    async fn delete_card(&self) -> Answer {
        self.edge.call("DELETE", CARD, Some(&self.guardian)).await
    }

    /// Saves a card on the provider's page. Returns where the page leads.
    async fn save_card(&self, number: &str) -> String {
        let page = self.post(&format!("{CARD}setup/"), &json!({})).await.json();
        self.world.shop.pay(&text(&page["page_url"]), number).await
    }

    /// Orders the cart and pays with the saved card.
    async fn order_by_card(&self, key: &str) -> Answer {
        let shown = self.get(&format!("{CONFIRMATION}?method=saved_card")).await.json();
        let headers = [
            ("authorization", &*self.guardian),
            ("content-type", "application/json"),
            ("idempotency-key", key),
        ];
        let body = json!({"confirmation": shown["digest"], "method": "saved_card"}).to_string();
        self.edge.send("POST", ORDER, &headers, &body).await
    }
}

#[tokio::test]
async fn a_card_is_saved_and_removed() {
    let family = Family::new().await;
    assert_json_snapshot!("card_that_is_missing", masked(&family.get(CARD).await));
    let page = family.post(&format!("{CARD}setup/"), &json!({})).await;
    assert_json_snapshot!("card_setup", masked(&page));
    let back = family.world.shop.pay(&text(&page.json()["page_url"]), GOOD_CARD).await;
    assert_eq!(back, "http://konomana.test/mypage/settings/card?setup=done");
    let checked = family.post(&format!("{CARD}check/"), &json!({})).await;
    assert_json_snapshot!("card", masked(&checked));
    assert_eq!(family.get(CARD).await.body, checked.body);
    let theirs = family.edge.get(CARD, Some(&family.child)).await;
    assert_eq!(theirs.json()["card"], Value::Null);
    assert_eq!(family.delete_card().await.outcome(), "204");
    assert_eq!(family.delete_card().await.outcome(), "204");
    assert_eq!(family.get(CARD).await.json()["card"], Value::Null);
}

#[tokio::test]
async fn a_subscription_is_bought_with_the_saved_card_cancelled_and_resumed() {
    let family = Family::new().await;
    assert_eq!(family.save_card(GOOD_CARD).await, "http://konomana.test/mypage/settings/card?setup=done");
    family.post(&format!("{CARD}check/"), &json!({})).await;
    family.post(LINE, &json!({ "product": MONTHLY })).await;
    let shown = family.get(&format!("{CONFIRMATION}?method=saved_card")).await.json();
    assert_eq!((&shown["method"], &shown["methods"]), (&json!("saved_card"), &json!(["card", "saved_card"])));
    for method in ["konbini", "bank_transfer", "coupon", "gold"] {
        let refused = family.get(&format!("{CONFIRMATION}?method={method}")).await;
        assert_eq!(refused.outcome(), "400 INVALID");
        assert_eq!(refused.json()["errors"], json!([{"field": "method", "code": "UNKNOWN_CHOICE"}]));
    }
    let order = family.order_by_card("a-key-of-a-browser").await;
    assert_eq!(order.outcome(), "201");
    let order = order.json();
    assert_eq!((&order["state"], &order["payment"]["method"]), (&json!("paid"), &json!("saved_card")));
    let path = format!("{SUBSCRIPTION}{}/", text(&order["subscription_id"]));
    assert_json_snapshot!("subscription", masked(&family.get(&path).await));
    assert_json_snapshot!("subscription_list", masked(&family.get(SUBSCRIPTION).await));
    assert_eq!(family.get(&format!("{SUBSCRIPTION}?page=2")).await.outcome(), "404 NOT_FOUND");
    let owned = family.post(LINE, &json!({ "product": MONTHLY })).await.json();
    assert_eq!(owned["lines"][0]["problem"], "owned");
    assert_json_snapshot!("card_that_is_needed", masked(&family.delete_card().await));
    let cancelled = family.post(&format!("{path}cancel/"), &json!({})).await;
    assert_json_snapshot!("subscription_that_is_cancelled", masked(&cancelled));
    let resumed = family.post(&format!("{path}resume/"), &json!({})).await.json();
    assert_eq!((&resumed["state"], &resumed["can_cancel"]), (&json!("active"), &json!(true)));
    // Only the buyer has access, not even the learner whom the subscription is for.
    for (method, rest) in [("GET", ""), ("POST", "cancel/"), ("POST", "resume/")] {
        let answer = family.edge.call(method, &format!("{path}{rest}"), Some(&family.child)).await;
        assert_eq!(answer.outcome(), "404 NOT_FOUND", "{method} {rest}");
    }
}

#[tokio::test]
async fn an_order_with_a_declined_saved_card_is_paid_on_the_provider_page() {
    let family = Family::new().await;
    family.save_card("4000000000000341").await;
    family.post(&format!("{CARD}check/"), &json!({})).await;
    family.post(LINE, &json!({ "product": MONTHLY })).await;
    let order = family.order_by_card("a-key-of-a-browser").await.json();
    assert_eq!((&order["state"], &order["payment"]["state"]), (&json!("awaiting_payment"), &json!("failed")));
    assert_eq!(order["payment"]["decline_code"], "card_declined");
    let path = format!("{ORDER}{}/", text(&order["id"]));
    let refused = family.post(&format!("{path}pay/"), &json!({"method": "gold"})).await;
    assert_eq!(refused.json()["errors"], json!([{"field": "method", "code": "UNKNOWN_CHOICE"}]));
    let page = family.post(&format!("{path}pay/"), &json!({"method": "card"})).await.json();
    let page_url = text(&page["payment"]["page_url"]);
    let back = family.world.shop.pay(&page_url, GOOD_CARD).await;
    assert!(back.starts_with("http://konomana.test/payment/complete/subscribe?order="), "{back}");
    let paid = family.post(&format!("{path}check/"), &json!({})).await.json();
    assert_eq!(paid["state"], "paid");
    // The card entered on the page is now the saved card.
    assert_eq!(family.get(CARD).await.json()["card"]["last4"], "4242");
}
