//! The client of the provider.

use commerce::config::ProviderArgs;
use commerce::provider::{
    NewRefund, NewSession, Provider, ProviderError, ProviderRefundState, SessionStatus,
};
use kit::test::TelemetryCapture;
use time::Duration;

use super::{DECLINED, GOOD, KEY, LIMIT, PayingShop, WEBHOOK_SECRET, provider};
use crate::shop::NOON;

/// A session of 16,500 yen that closes after 35 minutes.
fn new_session(key: &str) -> NewSession<'_> {
    NewSession {
        key,
        reference: "0192f0c1-0000-7000-8000-000000000000",
        number: "KM-261120-7Q4F2",
        description: "コノマナ ご注文番号 KM-261120-7Q4F2",
        amount: 16_500,
        email: "secret-person@konomana.example",
        customer: None,
        expires_at: NOON + Duration::minutes(35),
        success_url: "https://konomana.example/payment/complete/credit?order=1",
        cancel_url: "https://konomana.example/payment?order=1",
    }
}

/// A refund of 16,500 yen.
fn new_refund<'a>(key: &'a str, intent: &'a str) -> NewRefund<'a> {
    NewRefund {
        key,
        id: "0192f0c1-0000-7000-8000-000000000001",
        intent,
        amount: 16_500,
        instructions_email: None,
    }
}

/// The status and the code of a refusal.
fn refusal<T: std::fmt::Debug>(answer: Result<T, ProviderError>) -> (u16, String) {
    match answer.unwrap_err() {
        ProviderError::Refused { status, code } => (status, code),
        error => panic!("{error}"),
    }
}

/// The reason of a missing answer.
fn absence<T: std::fmt::Debug>(answer: Result<T, ProviderError>) -> String {
    match answer.unwrap_err() {
        ProviderError::Unreachable(cause) => cause,
        error => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_session_is_created_found_paid_and_returned() {
    let shop = PayingShop::new().await;
    let provider = provider(&shop.sandbox.url());
    let new = provider.create_session(&new_session("KM-1:1")).await.unwrap();
    assert_eq!((new.status, new.is_paid, new.amount), (SessionStatus::Open, false, 16_500));
    assert_eq!(new.page_url, Some(format!("http://sandbox.test/pay/{}", new.id)));
    assert_eq!(new.reference.as_deref(), Some(new_session("").reference));
    assert_eq!((&new.intent, &new.decline_code), (&None, &None));
    assert_eq!(provider.create_session(&new_session("KM-1:1")).await.unwrap(), new);
    assert_eq!(provider.find_session(&new.id).await.unwrap(), new);

    shop.pay(&new.id, DECLINED).await;
    let declined = provider.find_session(&new.id).await.unwrap();
    assert_eq!(declined.decline_code.as_deref(), Some("card_declined"));
    let intent = declined.intent.clone().unwrap();
    assert_eq!(provider.find_session_of_intent(&intent).await.unwrap(), declined);

    shop.pay(&new.id, GOOD).await;
    let paid = provider.find_session(&new.id).await.unwrap();
    assert_eq!((paid.status, paid.is_paid), (SessionStatus::Complete, true));
    assert_eq!((&paid.page_url, &paid.decline_code), (&None, &None));
    assert_eq!(paid.intent.as_ref(), Some(&intent));
    assert_eq!(refusal(provider.expire_session(&new.id).await).0, 400);

    let refund = provider.create_refund(&new_refund("refund:1", &intent)).await.unwrap();
    assert_eq!((refund.state, refund.amount), (ProviderRefundState::Succeeded, 16_500));
    assert_eq!(provider.create_refund(&new_refund("refund:1", &intent)).await.unwrap(), refund);
    assert_eq!(provider.find_refund(&refund.id).await.unwrap(), refund);
    let again = refusal(provider.create_refund(&new_refund("refund:2", &intent)).await);
    assert_eq!(again, (400, "charge_already_refunded".to_owned()));
}

#[tokio::test]
async fn refusals_and_missing_objects_are_told_apart() {
    let shop = PayingShop::new().await;
    let provider = provider(&shop.sandbox.url());
    let session = provider.create_session(&new_session("KM-1:1")).await.unwrap();
    assert_eq!(provider.expire_session(&session.id).await.unwrap().status, SessionStatus::Expired);
    assert_eq!(refusal(provider.expire_session(&session.id).await).0, 400);
    let other = NewSession { amount: 16_501, ..new_session("KM-1:1") };
    assert_eq!(refusal(provider.create_session(&other).await), (400, "idempotency_error".to_owned()));
    let soon = NewSession { expires_at: NOON + Duration::minutes(29), ..new_session("KM-1:2") };
    assert_eq!(refusal(provider.create_session(&soon).await), (400, "parameter_invalid".to_owned()));

    for id in ["cs_test_none", "", "../refunds", "cs_1?expand[0]=customer", "cs_1/expire"] {
        assert_eq!(provider.find_session(id).await, Err(ProviderError::NotFound), "{id}");
        assert_eq!(provider.expire_session(id).await, Err(ProviderError::NotFound), "{id}");
        assert_eq!(provider.find_refund(id).await, Err(ProviderError::NotFound), "{id}");
    }
    assert_eq!(provider.find_session_of_intent("pi_none").await, Err(ProviderError::NotFound));
    assert_eq!(
        provider.create_refund(&new_refund("refund:1", "pi_none")).await,
        Err(ProviderError::NotFound)
    );
}

#[tokio::test]
async fn a_call_without_an_answer_is_unreachable() {
    let shop = PayingShop::new().await;
    let client = provider(&shop.sandbox.url());
    shop.switch("answers", "unavailable").await;
    let down = absence(client.create_session(&new_session("KM-1:1")).await);
    assert!(down.starts_with("status 503, code api_error, request req_"), "{down}");
    shop.switch("answers", "slow").await;
    let began = tokio::time::Instant::now();
    assert_eq!(absence(client.create_session(&new_session("KM-1:1")).await), "no answer in time");
    assert!(began.elapsed() >= LIMIT);
    let unreachable = provider("http://127.0.0.1:1");
    assert!(absence(unreachable.find_session("cs_1").await).contains("Connection refused"));
    // Plain HTTP where TLS is expected.
    let not_tls = provider(&shop.sandbox.url().replace("http://", "https://"));
    absence(not_tls.find_session("cs_1").await);

    // The provider created it after the caller had timed out. The same key finds it.
    shop.switch("answers", "none").await;
    let made = shop.sessions().await;
    assert_eq!(made, [client.create_session(&new_session("KM-1:1")).await.unwrap().id]);
}

#[tokio::test]
async fn a_call_is_a_span_without_secrets() {
    let shop = PayingShop::new().await;
    let provider = provider(&shop.sandbox.url());
    let telemetry = TelemetryCapture::start("trace");
    let session = provider.create_session(&new_session("KM-1:1")).await.unwrap();
    provider.expire_session(&session.id).await.unwrap();
    provider.expire_session(&session.id).await.unwrap_err();
    let spans = telemetry.spans();
    // The sandbox and the shop's jobs run in this process and have their own spans.
    let is_call = |name: &str, kind: String| name.contains("/v1/checkout/sessions") && kind == "Client";
    let calls = spans.iter().filter(|span| is_call(&span.name, format!("{:?}", span.span_kind)));
    let calls: Vec<_> = calls.collect();
    let names: Vec<_> = calls.iter().map(|span| span.name.as_ref()).collect();
    let expire = "POST /v1/checkout/sessions/{id}/expire";
    assert_eq!(names, ["POST /v1/checkout/sessions", expire, expire]);
    let last = calls.last().unwrap().attributes.iter();
    let last: Vec<_> = last.map(|pair| (pair.key.to_string(), pair.value.to_string())).collect();
    for (name, value) in [
        ("http.request.method", "POST"),
        ("url.template", "/v1/checkout/sessions/{id}/expire"),
        ("server.address", "127.0.0.1"),
        ("http.response.status_code", "400"),
        ("error.type", "400"),
    ] {
        assert!(last.contains(&(name.to_owned(), value.to_owned())), "{name}: {last:?}");
    }
    let lines = telemetry.lines();
    assert!(lines.iter().any(|line| line["message"] == "the provider refused a call"), "{lines:?}");
    let ours: Vec<_> = lines.iter().filter(|line| line["target"] != "hyper").collect();
    for text in [format!("{spans:?}"), format!("{ours:?}"), format!("{provider:?}")] {
        for secret in [KEY, WEBHOOK_SECRET, "secret-person"] {
            assert!(!text.contains(secret), "{secret}");
        }
    }
}

#[test]
fn an_invalid_setting_is_named_and_its_value_is_not_shown() {
    let right = ProviderArgs {
        provider_url: "https://api.stripe.com".to_owned(),
        provider_key: KEY.to_owned(),
        provider_webhook_secret: WEBHOOK_SECRET.to_owned(),
        provider_limit: LIMIT,
    };
    assert!(Provider::new(&right).is_ok());
    let url = |url: &str| ProviderArgs { provider_url: url.to_owned(), ..right.clone() };
    let key = |key: &str| ProviderArgs { provider_key: key.to_owned(), ..right.clone() };
    let secret = |secret: &str| ProviderArgs { provider_webhook_secret: secret.to_owned(), ..right.clone() };
    for (settings, name) in [
        (url("api.stripe.com"), "COMMERCE_PROVIDER_URL"),
        (url("ftp://api.stripe.com"), "COMMERCE_PROVIDER_URL"),
        (url("https://api.stripe.com/v1"), "COMMERCE_PROVIDER_URL"),
        (key("pk_test_hidden"), "COMMERCE_PROVIDER_KEY"),
        (key("sk_test_hidden\n"), "COMMERCE_PROVIDER_KEY"),
        (secret("hidden"), "COMMERCE_PROVIDER_WEBHOOK_SECRET"),
        (secret("whsec_"), "COMMERCE_PROVIDER_WEBHOOK_SECRET"),
    ] {
        let error = Provider::new(&settings).unwrap_err().to_string();
        assert!(error.contains(name) && !error.contains("hidden"), "{error}");
    }
}
