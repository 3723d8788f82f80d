//! The acceptance of webhook events.

use aws_lc_rs::hmac;
use kit::caller::Service;
use kit::clock::Clock;
use kit::test::{self, Process};
use kit_db::test::TestDatabase;
use proto::commerce::ReceiveEventRequest;
use proto::commerce::provider_service_client::ProviderServiceClient;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::{PayingShop, WEBHOOK_SECRET, session_of};
use crate::shop::{NOBODY, NOON, refusal, serve_command};

const REFUSED: &str = "Invalid SIGNATURE_INVALID";

/// The tag of a body at a time.
fn tag(secret: &str, at: OffsetDateTime, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let signed = [at.unix_timestamp().to_string().as_bytes(), b".", body].concat();
    hex::encode(hmac::sign(&key, &signed))
}

/// The header of a body that is signed at a time.
fn header(at: OffsetDateTime, body: &[u8]) -> String {
    format!("t={},v1={}", at.unix_timestamp(), tag(WEBHOOK_SECRET, at, body))
}

fn event(id: &str, session: &str) -> Value {
    json!({
        "id": id, "object": "event", "type": "checkout.session.completed", "livemode": false,
        "data": {"object": {"id": session, "object": "checkout.session"}},
    })
}

#[tokio::test]
async fn an_event_is_taken_only_with_a_fresh_signature_of_its_bytes() {
    let (shop, order) = PayingShop::with_order().await;
    let body = event("evt_1", &session_of(&order)).to_string().into_bytes();
    let changed = String::from_utf8(body.clone()).unwrap().replace("evt_1", "evt_2").into_bytes();
    let (late, early) = (NOON - Duration::seconds(301), NOON + Duration::seconds(301));
    let (time, right) = (NOON.unix_timestamp(), tag(WEBHOOK_SECRET, NOON, &body));
    for (why, body, signature) in [
        ("no signature", &body, String::new()),
        ("no time", &body, format!("v1={right}")),
        ("no tag", &body, format!("t={time}")),
        ("only another scheme", &body, format!("t={time},v0={right}")),
        ("another time", &body, format!("t={},v1={right}", time + 1)),
        ("another secret", &body, format!("t={time},v1={}", tag("whsec_other", NOON, &body))),
        ("the secret without its prefix", &body, format!("t={time},v1={}", tag("flow", NOON, &body))),
        ("half a tag", &body, format!("t={time},v1={}", &right[..32])),
        ("no hex", &body, format!("t={time},v1=secret")),
        ("other bytes", &changed, header(NOON, &body)),
        ("too old", &body, header(late, &body)),
        ("from the future", &body, header(early, &body)),
    ] {
        let answer = shop.shop.receive_signed(body.clone(), signature).await;
        assert_eq!(refusal(answer), REFUSED, "{why}");
    }
    assert!(shop.shop.texts("SELECT id FROM provider_event").await.is_empty());

    // During the rotation of a secret, there is a tag of the old one and one of the new one.
    let old = tag("whsec_old", NOON, &body);
    let both = format!("t={time},v1={old},v1={right},v0=something");
    shop.shop.receive_signed(body.clone(), both).await.unwrap();
    for at in [NOON - Duration::seconds(300), NOON + Duration::seconds(300)] {
        shop.shop.receive_signed(body.clone(), header(at, &body)).await.unwrap();
    }
    assert_eq!(shop.shop.texts("SELECT id FROM provider_event").await, ["evt_1"]);
}

#[tokio::test]
async fn an_event_of_the_live_mode_or_of_another_account_is_refused() {
    let (shop, order) = PayingShop::with_order().await;
    let session = session_of(&order);
    let with = |name: &str, value: Value| {
        let mut event = event("evt_1", &session);
        event[name] = value;
        event.to_string().into_bytes()
    };
    for body in [
        with("livemode", json!(true)),
        with("livemode", json!(null)),
        with("account", json!("acct_1")),
        with("data", json!([])),
        b"{}".to_vec(),
        b"".to_vec(),
    ] {
        let signature = header(NOON, &body);
        let text = String::from_utf8_lossy(&body).into_owned();
        assert_eq!(refusal(shop.shop.receive_signed(body, signature).await), REFUSED, "{text}");
    }
    assert!(shop.shop.texts("SELECT id FROM provider_event").await.is_empty());
}

#[tokio::test]
async fn an_event_of_an_unknown_type_or_object_is_stored_and_changes_nothing() {
    let (shop, order) = PayingShop::with_order().await;
    let session = session_of(&order);
    let mut other_type = event("evt_1", &session);
    other_type["type"] = json!("a.type.of.the.future");
    let mut no_object = event("evt_2", &session);
    no_object["data"]["object"] = json!({"object": "balance"});
    // The third event is false, because nothing was paid. The session of the fourth does not
    // exist.
    for event in [other_type, no_object, event("evt_3", &session), event("evt_4", "cs_test_none")] {
        let body = event.to_string().into_bytes();
        let signature = header(NOON, &body);
        shop.shop.receive_signed(body, signature).await.unwrap();
    }
    shop.shop.until("SELECT id FROM provider_event WHERE processed_at IS NOT NULL", 4).await;
    assert_eq!(shop.learner.order(&order.id).await.unwrap(), order);
}

#[tokio::test]
async fn each_refused_event_is_counted_by_its_reason() {
    // The secret of the command.
    const SECRET: &str = "whsec_1";
    let database = TestDatabase::new(&commerce::MIGRATIONS).await;
    let mut commerce = Process::start(&mut serve_command(&database.url, NOBODY, NOBODY));
    let address = commerce.address("serving");
    let metrics = commerce.address("showing metrics");
    let channel = test::channel_as(&format!("http://{address}"), Service::Commerce, test::anyone());
    let mut events = ProviderServiceClient::new(channel);

    let mut unknown = event("evt_1", "cs_1");
    unknown["type"] = json!("a.type.of.the.future");
    let mut foreign = unknown.clone();
    foreign["account"] = json!("acct_1");
    let now = Clock::system().now();
    for (body, secret, at, is_signed) in [
        (unknown.to_string(), SECRET, now, true),
        (unknown.to_string(), SECRET, now, false),
        (unknown.to_string(), SECRET, now - Duration::HOUR, true),
        (unknown.to_string(), "whsec_other", now, true),
        ("{}".to_owned(), SECRET, now, true),
        (foreign.to_string(), SECRET, now, true),
    ] {
        let body = body.into_bytes();
        let signature = format!("t={},v1={}", at.unix_timestamp(), tag(secret, at, &body));
        let signature = if is_signed { signature } else { String::new() };
        // The answers are tested above.
        let _ = events.receive_event(ReceiveEventRequest { body, signature }).await;
    }
    let shown = test::metrics(metrics, commerce::METRICS);
    for result in ["accepted", "malformed", "old", "wrong_signature", "not_an_event", "foreign"] {
        let counted = format!("konomana_provider_events_total{{result=\"{result}\"}} 1\n");
        assert!(shown.contains(&counted), "{result}: {shown}");
    }
}
