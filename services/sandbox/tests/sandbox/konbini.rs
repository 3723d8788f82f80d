//! Payments at a convenience store.

use http::StatusCode;
use serde_json::json;
use time::Duration;

use crate::support::{KONBINI, NOW, Sandbox, id};

#[tokio::test]
async fn the_codes_are_in_the_answer_and_on_the_page() {
    let mut sandbox = Sandbox::new().await;
    let intent = sandbox.konbini_intent().await;
    sandbox.receiver.expect(&["payment_intent.created", "payment_intent.requires_action"]).await;
    assert_eq!(intent["status"], "requires_action");
    assert_eq!(intent["payment_method_types"], json!(["konbini"]));
    assert_eq!(intent["next_action"]["type"], "konbini_display_details");
    let details = &intent["next_action"]["konbini_display_details"];
    // 2026-11-28 23:59:59 in Tokyo.
    assert_eq!(details["expires_at"], 1_795_877_999);
    let url = details["hosted_voucher_url"].as_str().unwrap().strip_prefix("http://sandbox.test").unwrap();
    let page = sandbox.page(url).await;
    for text in ["13,200円", "KM-261125-7Q4F2", "佐倉 みのり", "11月28日 23:59", "ファミリーマート"]
    {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    for store in ["familymart", "lawson", "ministop", "seicomart"] {
        for name in ["payment_code", "confirmation_number"] {
            let code = details["stores"][store][name].as_str().unwrap();
            assert!(code.bytes().all(|byte| byte.is_ascii_digit()) && page.text.contains(code), "{store}");
        }
    }

    let tool = format!("/tool/intents/{}", id(&intent));
    assert!(sandbox.page(&tool).await.text.contains("コンビニで支払う</button>"));
    assert_eq!(sandbox.submit(&format!("{tool}/pay"), &[]).await.location(), tool);
    sandbox.receiver.expect(&["payment_intent.succeeded"]).await;
    let paid = sandbox.intent(&id(&intent)).await;
    assert_eq!((&paid["status"], &paid["amount_received"]), (&json!("succeeded"), &json!(13_200)));
    assert_eq!(paid["next_action"], json!(null));
    let again = sandbox.submit(&format!("{tool}/pay"), &[]).await;
    assert_eq!(again.status, StatusCode::BAD_REQUEST, "a second press does not pay twice");
    assert!(again.text.contains("何も変更していません。"), "{}", again.text);
    assert!(!sandbox.page(&tool).await.text.contains("コンビニで支払う"));
    assert_eq!(sandbox.find("/v1/balance_transactions").await["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_codes_expire_by_the_clock_and_by_a_button() {
    let mut sandbox = Sandbox::new().await;
    let expires_at = (NOW + Duration::hours(2)).unix_timestamp().to_string();
    let form = [KONBINI, &[("payment_method_options[konbini][expires_at]", &*expires_at)]].concat();
    let first = id(&sandbox.make("/v1/payment_intents", &form).await);
    let second = id(&sandbox.konbini_intent().await);
    for _ in 0..4 {
        sandbox.receiver.next().await;
    }
    sandbox.clock.advance(Duration::hours(2));
    sandbox.receiver.expect(&["payment_intent.payment_failed"]).await;
    sandbox.submit(&format!("/tool/intents/{second}/expire"), &[]).await;
    sandbox.receiver.expect(&["payment_intent.payment_failed"]).await;
    for intent in [first, second] {
        let found = sandbox.intent(&intent).await;
        assert_eq!(found["status"], "requires_payment_method");
        assert_eq!(found["last_payment_error"]["code"], "payment_intent_payment_attempt_expired");
        let late = sandbox.submit(&format!("/tool/intents/{intent}/pay"), &[]).await;
        assert_eq!(late.status, StatusCode::BAD_REQUEST, "a store takes no expired code");
        let page = sandbox.page(&format!("/konbini/{intent}")).await;
        assert!(page.text.contains("この番号では、お支払いいただけません。"), "{}", page.text);
    }
}

#[tokio::test]
async fn an_open_payment_can_be_canceled_and_then_not_paid() {
    let mut sandbox = Sandbox::new().await;
    let intent = id(&sandbox.konbini_intent().await);
    let cancel = format!("/v1/payment_intents/{intent}/cancel");
    let wrong = sandbox.post(&cancel, "", &[("cancellation_reason", "bored")]).await;
    assert_eq!(wrong.problem().2, "parameter_invalid");
    let canceled = sandbox.make(&cancel, &[("cancellation_reason", "requested_by_customer")]).await;
    assert_eq!(canceled["status"], "canceled");
    assert_eq!(canceled["canceled_at"], NOW.unix_timestamp());
    assert_eq!(canceled["cancellation_reason"], "requested_by_customer");
    sandbox
        .receiver
        .expect(&["payment_intent.created", "payment_intent.requires_action", "payment_intent.canceled"])
        .await;
    let again = sandbox.post(&cancel, "", &[]).await;
    assert_eq!(again.problem().2, "payment_intent_unexpected_state");
    assert_eq!(again.json()["error"]["payment_intent"]["status"], "canceled");
    let late = sandbox.submit(&format!("/tool/intents/{intent}/pay"), &[]).await;
    assert_eq!(late.status, StatusCode::BAD_REQUEST);
    assert_eq!(sandbox.post("/v1/payment_intents/pi_none/cancel", "", &[]).await.problem().0, 404);
}

#[tokio::test]
async fn an_intent_of_a_session_ends_with_its_session() {
    let sandbox = Sandbox::new().await;
    let session = sandbox.create().await;
    sandbox.pay(&session, "4000000000000002").await;
    let intent = id(&sandbox.session(&session).await["payment_intent"]);
    let refused = sandbox.post(&format!("/v1/payment_intents/{intent}/cancel"), "", &[]).await;
    assert_eq!(refused.problem().2, "payment_intent_unexpected_state");
    sandbox.post(&format!("/v1/checkout/sessions/{session}/expire"), "", &[]).await;
    assert_eq!(sandbox.intent(&intent).await["status"], "canceled");
}

#[tokio::test]
async fn a_wrong_parameter_is_named() {
    let sandbox = Sandbox::new().await;
    let option = |name: &str| format!("payment_method_options[konbini][{name}]");
    let past = NOW.unix_timestamp().to_string();
    let far = (NOW + Duration::days(62)).unix_timestamp().to_string();
    let (number, description, expires_at) =
        (option("confirmation_number"), option("product_description"), option("expires_at"));
    let days = option("expires_after_days");
    for (name, value, code) in [
        ("amount", "119", "amount_too_small"),
        ("amount", "300001", "amount_too_large"),
        ("amount", "", "parameter_missing"),
        ("currency", "usd", "parameter_invalid"),
        ("confirm", "false", "parameter_invalid"),
        ("payment_method_data[type]", "card", "parameter_invalid"),
        ("payment_method_data[billing_details][name]", "", "parameter_missing"),
        ("payment_method_data[billing_details][email]", "", "parameter_missing"),
        (&*number, "123456789", "parameter_invalid"),
        (&*number, "0000000000", "parameter_invalid"),
        (&*number, "11111111110", "payment_intent_konbini_rejected_confirmation_number"),
        (&*description, "これは二十二文字より長い商品の説明なので断られる", "parameter_invalid"),
        (&*expires_at, &past, "parameter_invalid"),
        (&*expires_at, &far, "parameter_invalid"),
        (&*days, "61", "parameter_invalid"),
        ("off_session", "true", "parameter_unknown"),
        ("expand[0]", "review", "parameter_invalid"),
    ] {
        let mut form: Vec<_> = KONBINI.iter().copied().filter(|(field, _)| *field != name).collect();
        form.push((name, value));
        let answer = sandbox.post("/v1/payment_intents", "", &form).await;
        assert_eq!(
            answer.problem(),
            (400, "invalid_request_error".to_owned(), code.to_owned()),
            "{name}={value}"
        );
        let param = if name == "expand[0]" { "expand" } else { name };
        assert_eq!(answer.json()["error"]["param"], param);
    }
    assert_eq!(sandbox.find("/v1/payment_intents").await["data"], json!([]));
}
