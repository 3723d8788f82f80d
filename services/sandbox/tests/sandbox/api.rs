//! The API: sessions, intents and refunds.

use http::{Method, StatusCode};
use serde_json::json;

use time::Duration;

use crate::support::{KEY, NOW, ORIGIN, SESSION, Sandbox, VERSION};

#[tokio::test]
async fn a_session_is_open_until_it_is_paid() {
    let sandbox = Sandbox::new().await;
    let id = sandbox.create().await;
    let session = sandbox.session(&id).await;
    assert_eq!(session["status"], "open");
    assert_eq!(session["payment_status"], "unpaid");
    assert_eq!(session["amount_total"], 16_500);
    assert_eq!(session["currency"], "jpy");
    assert_eq!(session["client_reference_id"], "order-1");
    assert_eq!(session["url"], format!("{ORIGIN}/pay/{id}"));
    assert_eq!(session["payment_intent"], json!(null));
    assert_eq!(session["expires_at"], NOW.unix_timestamp() + 24 * 60 * 60);

    sandbox.pay(&id, "4242424242424242").await;
    let session = sandbox.session(&id).await;
    assert_eq!(session["status"], "complete");
    assert_eq!(session["payment_status"], "paid");
    assert_eq!(session["url"], json!(null));
    assert_eq!(session["payment_intent"]["status"], "succeeded");
    assert_eq!(session["payment_intent"]["amount_received"], 16_500);

    let intent = session["payment_intent"]["id"].as_str().unwrap();
    let list = sandbox.get(&format!("/v1/checkout/sessions?payment_intent={intent}")).await.json();
    assert_eq!(list["data"][0]["id"], id.as_str());
    assert_eq!(list["data"][0]["payment_intent"], intent);
    let none = sandbox.get("/v1/checkout/sessions?payment_intent=pi_none").await.json();
    assert_eq!(none["data"], json!([]));
    let found = sandbox.get(&format!("/v1/payment_intents/{intent}")).await.json();
    assert_eq!(found["id"], intent);
}

#[tokio::test]
async fn a_session_expires_by_its_clock_and_by_request() {
    let sandbox = Sandbox::new().await;
    let expires_at = (NOW + Duration::minutes(35)).unix_timestamp().to_string();
    let form = [SESSION, &[("expires_at", &*expires_at)]].concat();
    let answer = sandbox.post("/v1/checkout/sessions", "", &form).await.json();
    let id = answer["id"].as_str().unwrap();
    sandbox.clock.advance(Duration::minutes(34));
    assert_eq!(sandbox.session(id).await["status"], "open");
    sandbox.clock.advance(Duration::MINUTE);
    let expired = sandbox.session(id).await;
    assert_eq!(expired["status"], "expired");
    assert_eq!(expired["url"], json!(null));

    let id = sandbox.create().await;
    let expire = format!("/v1/checkout/sessions/{id}/expire");
    assert_eq!(sandbox.post(&expire, "", &[]).await.json()["status"], "expired");
    let again = sandbox.post(&expire, "", &[]).await;
    assert_eq!(again.problem().0, 400);
    let id = sandbox.create().await;
    sandbox.pay(&id, "4242424242424242").await;
    let paid = sandbox.post(&format!("/v1/checkout/sessions/{id}/expire"), "", &[]).await;
    assert_eq!(paid.problem().0, 400);
    assert_eq!(sandbox.session(&id).await["status"], "complete");
}

#[tokio::test]
async fn a_wrong_parameter_is_named() {
    let sandbox = Sandbox::new().await;
    let early = (NOW + Duration::minutes(29)).unix_timestamp().to_string();
    let late = (NOW + Duration::minutes(1441)).unix_timestamp().to_string();
    for (name, value) in [
        ("mode", "subscription"),
        ("line_items[0][price_data][currency]", "usd"),
        ("line_items[0][price_data][unit_amount]", "0"),
        ("line_items[0][price_data][unit_amount]", "12.5"),
        ("expires_at", &early),
        ("expires_at", &late),
        ("success_url", ""),
        ("cancel_url", "javascript:alert(1)"),
        ("line_item", "1"),
        ("expand[0]", "line_items"),
    ] {
        let mut form: Vec<_> = SESSION.iter().copied().filter(|(field, _)| *field != name).collect();
        form.push((name, value));
        let answer = sandbox.post("/v1/checkout/sessions", "", &form).await;
        assert_eq!(answer.problem().0, 400, "{name}={value}");
        let param = answer.json()["error"]["param"].as_str().unwrap().to_owned();
        assert_eq!(param, if name == "expand[0]" { "expand" } else { name }, "{}", answer.text);
    }
}

#[tokio::test]
async fn only_the_key_and_the_version_of_the_settings_may_call() {
    let sandbox = Sandbox::new().await;
    let right = format!("Bearer {KEY}");
    for (authorization, version, status) in [
        ("Bearer sk_test_other", VERSION, StatusCode::UNAUTHORIZED),
        ("", VERSION, StatusCode::UNAUTHORIZED),
        (&right, "2020-08-27", StatusCode::BAD_REQUEST),
    ] {
        let headers = [("authorization", authorization), ("stripe-version", version)];
        for (method, path) in [(Method::POST, "/v1/checkout/sessions"), (Method::GET, "/v1/refunds/re_1")] {
            assert_eq!(sandbox.send(method, path, &headers, SESSION).await.status, status);
        }
    }
    assert_eq!(
        sandbox.get("/v1/checkout/sessions/cs_none").await.problem(),
        (404, "invalid_request_error".to_owned(), "resource_missing".to_owned())
    );
}

/// Pays with a card and returns the intent.
async fn pay_with(sandbox: &Sandbox, number: &str) -> String {
    let id = sandbox.create().await;
    sandbox.pay(&id, number).await;
    sandbox.session(&id).await["payment_intent"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn money_is_returned_once() {
    let sandbox = Sandbox::new().await;
    let intent = pay_with(&sandbox, "4242424242424242").await;
    let refund = |amount: &'static str| {
        let (sandbox, intent) = (&sandbox, intent.clone());
        async move { sandbox.post("/v1/refunds", "", &[("payment_intent", &intent), ("amount", amount)]).await }
    };
    let part = refund("500").await.json();
    assert_eq!((&part["status"], &part["amount"]), (&json!("succeeded"), &json!(500)));
    assert_eq!(refund("16001").await.problem().0, 400);
    let rest = sandbox.post("/v1/refunds", "", &[("payment_intent", &*intent)]).await.json();
    assert_eq!(rest["amount"], 16_000);
    assert_eq!(refund("1").await.problem().2, "charge_already_refunded");
    let found = sandbox.get(&format!("/v1/refunds/{}", rest["id"].as_str().unwrap())).await.json();
    assert_eq!(found, rest);
}

#[tokio::test]
async fn money_that_never_came_is_not_returned() {
    let sandbox = Sandbox::new().await;
    let intent = pay_with(&sandbox, "4000000000000002").await;
    let refused = sandbox.post("/v1/refunds", "", &[("payment_intent", &*intent)]).await;
    assert_eq!(refused.problem().0, 400);
    let unknown = sandbox.post("/v1/refunds", "", &[("payment_intent", "pi_none")]).await;
    assert_eq!(unknown.problem().0, 404);
}

#[tokio::test]
async fn a_refund_to_a_slow_card_settles_later() {
    let mut sandbox = Sandbox::new().await;
    for (number, first, then, event) in [
        ("4000000000007726", "pending", "succeeded", "refund.updated"),
        ("4000000000005126", "succeeded", "failed", "refund.failed"),
    ] {
        let intent = pay_with(&sandbox, number).await;
        let refund = sandbox.post("/v1/refunds", "", &[("payment_intent", &*intent)]).await.json();
        assert_eq!(refund["status"], first);
        sandbox
            .receiver
            .expect(&[
                "payment_intent.created",
                "payment_intent.succeeded",
                "checkout.session.completed",
                "refund.created",
                "charge.refunded",
            ])
            .await;
        sandbox.clock.advance(Duration::MINUTE);
        let path = format!("/v1/refunds/{}", refund["id"].as_str().unwrap());
        assert_eq!(sandbox.get(&path).await.json()["status"], then);
        sandbox.receiver.expect(&[event]).await;
    }
}
