//! Idempotency keys, and missing responses.

use http::StatusCode;

use crate::support::{SESSION, Sandbox};

const CREATE: &str = "/v1/checkout/sessions";

#[tokio::test]
async fn the_same_key_and_body_give_the_same_answer() {
    let sandbox = Sandbox::new().await;
    let first = sandbox.post(CREATE, "KM-1:1", SESSION).await;
    sandbox.clock.advance(time::Duration::hours(1));
    let again = sandbox.post(CREATE, "KM-1:1", SESSION).await;
    assert_eq!((again.status, &again.text), (StatusCode::OK, &first.text));
    assert_eq!(again.headers["idempotent-replayed"], "true");
    assert!(!first.headers.contains_key("idempotent-replayed"));
    let other = sandbox.post(CREATE, "KM-1:2", SESSION).await;
    assert_ne!(other.json()["id"], first.json()["id"]);
}

#[tokio::test]
async fn the_same_key_with_another_body_or_path_is_refused() {
    let sandbox = Sandbox::new().await;
    sandbox.post(CREATE, "KM-1:1", SESSION).await;
    let other = [SESSION, &[("metadata[order]", "2")]].concat();
    for answer in
        [sandbox.post(CREATE, "KM-1:1", &other).await, sandbox.post("/v1/refunds", "KM-1:1", SESSION).await]
    {
        assert_eq!(answer.problem(), (400, "idempotency_error".to_owned(), String::new()));
    }
}

#[tokio::test]
async fn an_error_is_replayed_but_not_one_of_a_parameter() {
    let sandbox = Sandbox::new().await;
    let id = sandbox.create().await;
    let intent = {
        sandbox.pay(&id, "4000000000000002").await;
        sandbox.session(&id).await["payment_intent"]["id"].as_str().unwrap().to_owned()
    };
    let refund = [("payment_intent", intent.as_str())];
    let refused = sandbox.post("/v1/refunds", "refund-1", &refund).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    sandbox.pay(&id, "4242424242424242").await;
    let again = sandbox.post("/v1/refunds", "refund-1", &refund).await;
    assert_eq!((again.status, &again.text), (StatusCode::BAD_REQUEST, &refused.text));
    assert_eq!(sandbox.post("/v1/refunds", "refund-2", &refund).await.status, StatusCode::OK);

    let wrong =
        sandbox.post("/v1/refunds", "refund-3", &[("payment_intent", &*intent), ("amount", "x")]).await;
    assert_eq!(wrong.problem().2, "parameter_invalid_integer");
    let right = sandbox.post("/v1/refunds", "refund-3", &refund).await;
    assert_eq!(right.problem().2, "charge_already_refunded");
}

#[tokio::test]
async fn a_key_is_forgotten_after_a_day() {
    let sandbox = Sandbox::new().await;
    let first = sandbox.post(CREATE, "KM-1:1", SESSION).await.json();
    sandbox.clock.advance(time::Duration::DAY);
    assert_ne!(sandbox.post(CREATE, "KM-1:1", SESSION).await.json()["id"], first["id"]);
}

#[tokio::test]
async fn unavailable_does_nothing() {
    let sandbox = Sandbox::new().await;
    sandbox.switch("answers", "unavailable").await;
    let answer = sandbox.post(CREATE, "KM-1:1", SESSION).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(sandbox.get(CREATE).await.status, StatusCode::SERVICE_UNAVAILABLE);
    sandbox.switch("answers", "none").await;
    assert_eq!(sandbox.get(CREATE).await.json()["data"].as_array().unwrap().len(), 0);
    assert_eq!(sandbox.post(CREATE, "KM-1:1", SESSION).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_slow_answer_has_its_effect_and_its_key_is_in_use_until_it_comes() {
    let sandbox = Sandbox::new().await;
    sandbox.switch("answers", "slow").await;
    let began = tokio::time::Instant::now();
    let (first, second) =
        tokio::join!(sandbox.post(CREATE, "KM-1:1", SESSION), sandbox.post(CREATE, "KM-1:1", SESSION));
    assert!(began.elapsed() >= sandbox.settings.slow);
    // Either request may be first.
    let (first, second) = if first.status == StatusCode::OK { (first, second) } else { (second, first) };
    assert_eq!(second.problem(), (409, "idempotency_error".to_owned(), "idempotency_key_in_use".to_owned()));
    sandbox.switch("answers", "none").await;
    let again = sandbox.post(CREATE, "KM-1:1", SESSION).await;
    assert_eq!(again.text, first.text);
}
