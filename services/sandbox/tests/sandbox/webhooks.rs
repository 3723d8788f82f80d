//! Webhook events: signature, retries and faults.

use aws_lc_rs::hmac;
use http::StatusCode;
use time::Duration;

use crate::support::{Arrival, NOW, Sandbox, WEBHOOK_SECRET};

const GOOD: &str = "4242424242424242";
const PAID: [&str; 3] = ["payment_intent.created", "payment_intent.succeeded", "checkout.session.completed"];

/// Verifies the signature of an event, and returns its time.
fn check_signature(arrival: &Arrival) -> i64 {
    let (time, tag) = arrival.signature.strip_prefix("t=").unwrap().split_once(",v1=").unwrap();
    let key = hmac::Key::new(hmac::HMAC_SHA256, WEBHOOK_SECRET.as_bytes());
    let signed = [time.as_bytes(), b".", &arrival.body].concat();
    hmac::verify(&key, &signed, &hex::decode(tag).unwrap()).expect("it is signed with the secret");
    time.parse().unwrap()
}

#[tokio::test]
async fn events_are_signed_and_sent_in_order() {
    let mut sandbox = Sandbox::new().await;
    let id = sandbox.create().await;
    sandbox.pay(&id, "4000000000000002").await;
    sandbox.receiver.expect(&["payment_intent.created", "payment_intent.payment_failed"]).await;
    sandbox.pay(&id, GOOD).await;
    sandbox.receiver.expect(&["payment_intent.succeeded"]).await;
    let completed = sandbox.receiver.next().await;
    assert_eq!(check_signature(&completed), NOW.unix_timestamp());
    let event = completed.json();
    assert_eq!(event["type"], "checkout.session.completed");
    assert_eq!(event["livemode"], false);
    assert_eq!(event["data"]["object"]["id"], id.as_str());
    assert_eq!(event["data"]["object"]["payment_status"], "paid");
}

#[tokio::test]
async fn lost_events_are_in_the_list_of_events_unchanged() {
    let mut sandbox = Sandbox::new().await;
    let id = sandbox.create().await;
    sandbox.switch("webhooks", "lost").await;
    sandbox.pay(&id, GOOD).await;
    let list = sandbox.find("/v1/events").await;
    let types: Vec<_> = list["data"].as_array().unwrap().iter().rev().map(|event| &event["type"]).collect();
    assert_eq!(types, PAID);
    let paid = sandbox.find("/v1/events?type=payment_intent.succeeded").await;
    assert_eq!(paid["data"], serde_json::json!([list["data"][1]]));
    let event = list["data"][0]["id"].as_str().unwrap();
    sandbox.submit(&format!("/tool/events/{event}/send"), &[]).await;
    assert_eq!(sandbox.receiver.next().await.json(), list["data"][0]);
    let now = NOW.unix_timestamp();
    assert_eq!(sandbox.find(&format!("/v1/events?created[lt]={now}")).await["data"], serde_json::json!([]));
}

#[tokio::test]
async fn an_event_is_sent_when_a_session_expires() {
    let mut sandbox = Sandbox::new().await;
    let id = sandbox.create().await;
    sandbox.clock.advance(Duration::DAY);
    let expired = sandbox.receiver.next().await.json();
    assert_eq!(expired["type"], "checkout.session.expired");
    assert_eq!(expired["data"]["object"]["id"], id.as_str());
}

#[tokio::test]
async fn a_refused_event_comes_again_with_the_same_id_and_a_new_signature() {
    let mut sandbox = Sandbox::new().await;
    sandbox.receiver.answer(StatusCode::INTERNAL_SERVER_ERROR);
    let id = sandbox.create().await;
    sandbox.post(&format!("/v1/checkout/sessions/{id}/expire"), "", &[]).await;
    let first = sandbox.receiver.next().await;
    // A second event is delivered before the retry.
    let other = sandbox.create().await;
    sandbox.post(&format!("/v1/checkout/sessions/{other}/expire"), "", &[]).await;
    assert_eq!(sandbox.receiver.next().await.json()["data"]["object"]["id"], other.as_str());
    assert!(sandbox.receiver.is_empty());
    sandbox.clock.advance(Duration::seconds(5));
    let second = sandbox.receiver.next().await;
    assert_eq!(second.body, first.body);
    assert_eq!(check_signature(&second), check_signature(&first) + 5);
}

#[tokio::test]
async fn a_doubled_event_comes_twice() {
    let mut sandbox = Sandbox::new().await;
    sandbox.switch("webhooks", "doubled").await;
    let id = sandbox.create().await;
    sandbox.post(&format!("/v1/checkout/sessions/{id}/expire"), "", &[]).await;
    let (first, second) = (sandbox.receiver.next().await, sandbox.receiver.next().await);
    assert_eq!(first.body, second.body);
    sandbox.switch("webhooks", "none").await;
    sandbox.pay(&sandbox.create().await, GOOD).await;
    sandbox.receiver.expect(&PAID).await;
}

#[tokio::test]
async fn a_lost_event_comes_only_when_it_is_asked_for() {
    let mut sandbox = Sandbox::new().await;
    sandbox.switch("webhooks", "lost").await;
    sandbox.pay(&sandbox.create().await, GOOD).await;
    sandbox.switch("webhooks", "none").await;
    sandbox.clock.advance(Duration::hours(1));
    let id = sandbox.create().await;
    sandbox.post(&format!("/v1/checkout/sessions/{id}/expire"), "", &[]).await;
    sandbox.receiver.expect(&["checkout.session.expired"]).await;

    let overview = sandbox.page("/").await.text;
    let lost = overview.split("checkout.session.completed").nth(1).unwrap();
    let path = lost.split("action=\"").nth(1).unwrap().split('"').next().unwrap();
    sandbox.submit(path, &[]).await;
    sandbox.receiver.expect(&["checkout.session.completed"]).await;
}

#[tokio::test]
async fn late_events_come_15_seconds_later() {
    let mut sandbox = Sandbox::new().await;
    sandbox.switch("webhooks", "late").await;
    sandbox.pay(&sandbox.create().await, GOOD).await;
    sandbox.switch("webhooks", "none").await;
    let id = sandbox.create().await;
    sandbox.post(&format!("/v1/checkout/sessions/{id}/expire"), "", &[]).await;
    sandbox.receiver.expect(&["checkout.session.expired"]).await;
    sandbox.clock.advance(Duration::seconds(15));
    sandbox.receiver.expect(&PAID).await;
}

#[tokio::test]
async fn events_out_of_order_come_newest_first() {
    let mut sandbox = Sandbox::new().await;
    sandbox.switch("webhooks", "out_of_order").await;
    sandbox.pay(&sandbox.create().await, GOOD).await;
    sandbox.clock.advance(Duration::seconds(3));
    sandbox
        .receiver
        .expect(&["checkout.session.completed", "payment_intent.succeeded", "payment_intent.created"])
        .await;
}

#[tokio::test]
async fn events_out_of_order_come_newest_first_across_payers() {
    let mut sandbox = Sandbox::new().await;
    sandbox.switch("webhooks", "out_of_order").await;
    for _ in 0..3 {
        sandbox.pay(&sandbox.create().await, GOOD).await;
    }
    let list = sandbox.find("/v1/events").await;
    let newest_first: Vec<_> = list["data"].as_array().unwrap().iter().map(|event| &event["id"]).collect();
    assert_eq!(newest_first.len(), 9);
    sandbox.switch("webhooks", "none").await;
    let held = sandbox.receiver.hold().await;
    sandbox.clock.advance(Duration::seconds(3));
    assert_eq!(sandbox.receiver.next().await.json()["id"], *newest_first[0]);
    // An event in order does not wait for them.
    let id = sandbox.create().await;
    sandbox.post(&format!("/v1/checkout/sessions/{id}/expire"), "", &[]).await;
    sandbox.receiver.expect(&["checkout.session.expired"]).await;
    assert!(sandbox.receiver.is_empty());
    drop(held);
    for id in &newest_first[1..] {
        assert_eq!(sandbox.receiver.next().await.json()["id"], **id);
    }
}

#[tokio::test]
async fn a_slow_response_delays_only_events_of_the_same_payer() {
    let mut sandbox = Sandbox::new().await;
    let held = sandbox.receiver.hold().await;
    for _ in 0..3 {
        sandbox.pay(&sandbox.create().await, GOOD).await;
    }
    let mut payments = Vec::new();
    for _ in 0..3 {
        payments.push(sandbox.receiver.next().await.payment());
    }
    payments.sort();
    payments.dedup();
    assert_eq!(payments.len(), 3, "the first event of each payment");
    assert!(sandbox.receiver.is_empty(), "the next event waits for the response to the one before");
    drop(held);
    let mut others = Vec::new();
    for _ in 0..6 {
        let event = sandbox.receiver.next().await;
        others.push((event.payment(), event.r#type()));
    }
    // Stable: the order of arrival within a payment stays.
    others.sort_by(|one, other| one.0.cmp(&other.0));
    let expected = payments
        .iter()
        .flat_map(|payment| PAID[1..].iter().map(|r#type| (payment.clone(), (*r#type).to_owned())));
    assert_eq!(others, expected.collect::<Vec<_>>());
}

#[tokio::test]
async fn the_number_of_concurrent_deliveries_is_limited() {
    let mut sandbox = Sandbox::new().await;
    let held = sandbox.receiver.hold().await;
    let mut expired = Vec::new();
    for _ in 0..20 {
        let id = sandbox.create().await;
        sandbox.post(&format!("/v1/checkout/sessions/{id}/expire"), "", &[]).await;
        expired.push(id);
    }
    let mut arrived = Vec::new();
    for _ in 0..16 {
        arrived.push(sandbox.receiver.next().await.json()["data"]["object"]["id"].clone());
    }
    assert!(sandbox.receiver.is_empty());
    drop(held);
    for _ in 16..20 {
        arrived.push(sandbox.receiver.next().await.json()["data"]["object"]["id"].clone());
    }
    arrived.sort_by_key(ToString::to_string);
    expired.sort();
    assert_eq!(arrived, expired);
}

#[tokio::test]
async fn the_overview_lists_everything_and_shows_the_faults() {
    let sandbox = Sandbox::new().await;
    sandbox.switch("webhooks", "doubled").await;
    let id = sandbox.create().await;
    sandbox.pay(&id, GOOD).await;
    let intent = sandbox.session(&id).await["payment_intent"]["id"].as_str().unwrap().to_owned();
    sandbox.post("/v1/refunds", "", &[("payment_intent", &intent)]).await;
    let overview = sandbox.page("/").await.text;
    for text in [
        "value=\"doubled\" aria-pressed=\"true\"",
        "value=\"none\" aria-pressed=\"true\"",
        "KM-261125-7Q4F2",
        "支払い済み",
        "返金済み",
        "checkout.session.completed",
        "4242 4242 4242 4242",
    ] {
        assert!(overview.contains(text), "{text}: {overview}");
    }
    assert_eq!(sandbox.submit("/tool/webhooks", &[("fault", "fire")]).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(sandbox.submit("/tool/answers", &[]).await.status, StatusCode::BAD_REQUEST);
}
