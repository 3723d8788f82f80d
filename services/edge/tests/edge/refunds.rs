//! Refunds, with a running commerce, a running lms and a stand-in for the provider.

use std::time::Duration;

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::buying::{masked, refused_field};
use crate::support::family::{COURSE, Family, LINE, text};
use crate::support::{Answer, GOOD_CARD};

/// The first lesson of the course that is bought.
const LESSON: &str = "/api/lms/lesson/201010101/";

impl Family {
    /// A paid order of the course, which the child can use. Returns its path.
    async fn paid_order(&self) -> String {
        let (path, page) = self.order().await;
        self.world.shop.pay(&page, GOOD_CARD).await;
        assert_eq!(self.post(&format!("{path}check/"), &json!({})).await.json()["state"], "paid");
        self.world.shop.dispatch();
        self.until(&path, |order| order["state"] == "fulfilled").await;
        path
    }

    async fn until(&self, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let waiting = async {
            loop {
                let order = self.get(path).await.json();
                if is_so(&order) {
                    return order;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), waiting).await.expect("the order reaches the state")
    }

    async fn refund(&self, path: &str, key: &str, body: &Value) -> Answer {
        let headers = [
            ("authorization", &*self.guardian),
            ("content-type", "application/json"),
            ("idempotency-key", key),
        ];
        self.edge.send("POST", &format!("{path}refund/"), &headers, &body.to_string()).await
    }

    /// The child opens the lesson.
    async fn play(&self) -> Answer {
        let body = json!({"device": "00000000-0000-4000-8000-000000000001", "take_over": true});
        self.edge.with("POST", &format!("{LESSON}stream/"), &self.child, &body).await
    }
}

#[tokio::test]
async fn a_refund_follows_the_quote_and_locks_the_course() {
    let family = Family::new().await;
    let path = family.paid_order().await;
    let quote = family.get(&format!("{path}refund/")).await;
    assert_json_snapshot!("refund_quote", masked(&quote));
    let digest = text(&quote.json()["digest"]);

    let body = json!({"quote": digest, "lines": [1]});
    for (body, wanted) in [
        (json!({"quote": digest, "lines": []}), "lines REQUIRED"),
        (json!({"quote": digest, "lines": [2]}), "lines UNKNOWN_CHOICE"),
        (json!({"quote": digest, "lines": [9_007_199_254_740_991_i64]}), "lines UNKNOWN_CHOICE"),
        (json!({"quote": digest, "lines": ["1"]}), "lines INVALID_FORMAT"),
        (json!({"quote": "ab", "lines": [1]}), "quote INVALID_FORMAT"),
        (json!({"quote": digest, "lines": [1], "amount": 1}), "amount UNKNOWN_FIELD"),
    ] {
        assert_eq!(refused_field(&family.refund(&path, "a-key-of-a-browser", &body).await), wanted);
    }
    assert_eq!(
        refused_field(&family.post(&format!("{path}refund/"), &body).await),
        "idempotency_key REQUIRED"
    );

    // The child opens a lesson, which changes the quote.
    assert_eq!(family.play().await.outcome(), "201");
    let changed = family.refund(&path, "a-key-of-a-browser", &body).await;
    assert_json_snapshot!("refund_of_another_quote", masked(&changed));
    let quote = family.get(&format!("{path}refund/")).await.json();
    assert_eq!(quote["lines"][0]["lessons_opened"], 1);

    let body = json!({"quote": quote["digest"], "lines": [1]});
    let refunded = family.refund(&path, "a-key-of-a-browser", &body).await;
    let mut promise = masked(&refunded);
    // The provider may have answered already.
    for name in ["state", "has_invoice"] {
        promise["body"]["refunds"][0][name] = "…".into();
    }
    assert_json_snapshot!("refund_requested", promise);
    let again = family.refund(&path, "a-key-of-a-browser", &body).await;
    assert_eq!((again.outcome(), again.json()["refunds"].as_array().unwrap().len()), ("201".to_owned(), 1));
    let other = family.refund(&path, "another-key", &body).await;
    assert_eq!(other.outcome(), "409 QUOTE_CHANGED");

    let done = family.until(&path, |order| order["refunds"][0]["state"] == "succeeded").await;
    assert_eq!((&done["state"], &done["refunds"][0]["has_invoice"]), (&json!("refunded"), &json!(true)));
    let invoice = format!("{path}refund/{}/invoice/", text(&done["refunds"][0]["id"]));
    assert_json_snapshot!("return_invoice", masked(&family.get(&invoice).await));
    let theirs = family.edge.get(&invoice, Some(&family.child)).await;
    assert_eq!(theirs.outcome(), "404 NOT_FOUND");

    let locked = async { while family.play().await.outcome() != "403 EXPIRED_ITEM" {} };
    tokio::time::timeout(Duration::from_secs(10), locked).await.expect("the course is locked");
    let shown = family.edge.get(LESSON, Some(&family.child)).await;
    assert_eq!((shown.outcome(), &shown.json()["is_expired"]), ("200".to_owned(), &json!(true)));
    let cart = family.post(LINE, &json!({ "product": COURSE })).await.json();
    assert_eq!(cart["lines"][0]["problem"], Value::Null, "it can be bought again");
}

#[tokio::test]
async fn an_order_that_was_not_paid_has_nothing_to_refund() {
    let family = Family::new().await;
    let (path, _) = family.order().await;
    let quote = family.get(&format!("{path}refund/")).await.json();
    assert_eq!((&quote["is_refundable"], &quote["reason"]), (&json!(false), &json!("NOT_PAID")));
    let body = json!({"quote": "0".repeat(64), "lines": [1]});
    assert_eq!(family.refund(&path, "a-key-of-a-browser", &body).await.outcome(), "409 NOT_REFUNDABLE");
}
