//! Saved cards: the page that saves them, and payments with them.

use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{NOW, SESSION, Sandbox, id, setup};

const GOOD: &str = "4242424242424242";
const CHALLENGE: &str = "4000002500003155";
const ALWAYS: &str = "4000002760003184";
const EMPTY: &str = "4000008260003178";
const DECLINED_ONCE_SAVED: &str = "4000000000000341";

#[tokio::test]
async fn a_card_is_saved_on_the_page() {
    let mut sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let session = sandbox.make("/v1/checkout/sessions", &setup(&customer)).await;
    assert_eq!(session["mode"], "setup");
    assert_eq!(session["amount_total"], json!(null));
    assert_eq!(session["payment_status"], "no_payment_required");
    assert_eq!(session["customer"], customer.as_str());
    let setup_intent = session["setup_intent"].as_str().unwrap();
    let path = format!("/v1/setup_intents/{setup_intent}");
    assert_eq!(sandbox.find(&path).await["status"], "requires_payment_method");

    let page = sandbox.page(&format!("/pay/{}", id(&session))).await;
    for text in ["<h1>カードの登録</h1>", "登録する</button>", "href=\"http://site.test/settings\""]
    {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    assert!(!page.text.contains("お支払い金額"), "{}", page.text);
    let done = sandbox.pay(&id(&session), GOOD).await;
    assert_eq!(done.location(), format!("http://site.test/saved?session={}", id(&session)));
    sandbox
        .receiver
        .expect(&["payment_method.attached", "setup_intent.succeeded", "checkout.session.completed"])
        .await;

    let found = sandbox.find(&format!("{path}?expand[0]=payment_method")).await;
    assert_eq!(found["status"], "succeeded");
    assert_eq!(found["usage"], "off_session");
    assert_eq!(found["metadata"], json!({"account": "a-1"}));
    let card = &found["payment_method"];
    assert_eq!(card["customer"], customer.as_str());
    assert_eq!(card["card"]["brand"], "visa");
    assert_eq!(card["card"]["last4"], "4242");
    assert_eq!((&card["card"]["exp_month"], &card["card"]["exp_year"]), (&json!(12), &json!(2034)));
    let after = sandbox.page(&format!("/pay/{}", id(&session))).await;
    assert!(after.text.contains("カードは登録されています。"), "{}", after.text);
    assert_eq!(sandbox.pay(&id(&session), GOOD).await.status, StatusCode::OK, "a second click saves nothing");
    assert_eq!(sandbox.find(&format!("/v1/payment_methods/{}", id(card))).await, *card);
    assert_eq!(sandbox.get("/v1/setup_intents/seti_none").await.problem().0, 404);
    assert_eq!(sandbox.get("/v1/payment_methods/pm_none").await.problem().0, 404);
}

#[tokio::test]
async fn a_card_that_cannot_be_saved_says_why_and_3_d_secure_decides_about_others() {
    let mut sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let session = id(&sandbox.make("/v1/checkout/sessions", &setup(&customer)).await);
    sandbox.pay(&session, "4000000000000002").await;
    sandbox.receiver.expect(&["setup_intent.setup_failed"]).await;
    let page = sandbox.page(&format!("/pay/{session}")).await;
    assert!(page.text.contains("カードをご利用になれませんでした。"), "{}", page.text);

    let authenticate = format!("/pay/{session}/authenticate");
    assert_eq!(sandbox.pay(&session, CHALLENGE).await.location(), authenticate);
    let page = sandbox.page(&authenticate).await;
    assert!(page.text.contains("認証に成功する") && !page.text.contains("お支払い金額"), "{}", page.text);
    sandbox.submit(&authenticate, &[("result", "failure")]).await;
    sandbox.receiver.expect(&["setup_intent.requires_action", "setup_intent.setup_failed"]).await;
    let found = sandbox.find(&format!("/v1/checkout/sessions/{session}?expand[0]=setup_intent")).await;
    assert_eq!(found["setup_intent"]["last_setup_error"]["code"], "setup_intent_authentication_failure");
    assert_eq!(found["status"], "open");

    sandbox.pay(&session, CHALLENGE).await;
    let done = sandbox.submit(&authenticate, &[("result", "success")]).await;
    assert!(done.location().starts_with("http://site.test/saved"));
    let list = sandbox.find(&format!("/v1/customers/{customer}/payment_methods?type=card")).await;
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_session_that_saves_a_card_needs_a_customer_and_expires() {
    let mut sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let without: Vec<_> = setup(&customer).into_iter().filter(|(name, _)| *name != "customer").collect();
    let refused = sandbox.post("/v1/checkout/sessions", "", &without).await;
    assert_eq!(refused.json()["error"]["param"], "customer");
    let unknown = [without.as_slice(), &[("customer", "cus_none")]].concat();
    assert_eq!(sandbox.post("/v1/checkout/sessions", "", &unknown).await.problem().2, "resource_missing");
    for (name, value) in
        [("line_items[0][quantity]", "1"), ("payment_intent_data[setup_future_usage]", "off_session")]
    {
        let form = [setup(&customer), vec![(name, value)]].concat();
        let refused = sandbox.post("/v1/checkout/sessions", "", &form).await;
        assert_eq!(refused.problem().2, "parameter_unknown", "{name}");
    }
    let session = sandbox.make("/v1/checkout/sessions", &setup(&customer)).await;
    sandbox.post(&format!("/v1/checkout/sessions/{}/expire", id(&session)), "", &[]).await;
    sandbox.receiver.expect(&["setup_intent.canceled", "checkout.session.expired"]).await;
    let page = sandbox.page(&format!("/pay/{}", id(&session))).await;
    assert!(page.text.contains("カードは登録されていません。"), "{}", page.text);
}

#[tokio::test]
async fn a_payment_can_save_its_card() {
    let sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let mut form: Vec<_> = SESSION.iter().copied().filter(|(name, _)| *name != "customer_email").collect();
    form.extend([
        ("customer", customer.as_str()),
        ("payment_intent_data[setup_future_usage]", "off_session"),
    ]);
    let session = id(&sandbox.make("/v1/checkout/sessions", &form).await);
    sandbox.pay(&session, CHALLENGE).await;
    let done = sandbox.submit(&format!("/pay/{session}/authenticate"), &[("result", "success")]).await;
    assert!(done.location().starts_with("http://site.test/done"));
    let intent = sandbox.session(&session).await["payment_intent"].clone();
    assert_eq!(intent["setup_future_usage"], "off_session");
    assert_eq!(intent["customer"], customer.as_str());
    let card = intent["payment_method"].as_str().unwrap();
    // The card was authenticated once, so payments off session need no 3-D Secure.
    assert_eq!(sandbox.charge(&customer, card, "2980").await.json()["status"], "succeeded");

    let both = [form.as_slice(), &[("customer_email", "one@konomana.example")]].concat();
    let refused = sandbox.post("/v1/checkout/sessions", "", &both).await;
    assert_eq!(refused.json()["error"]["param"], "customer_email");
}

#[tokio::test]
async fn a_saved_card_pays_off_session() {
    let mut sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let card = sandbox.save_card(&customer, GOOD).await;
    for _ in 0..3 {
        sandbox.receiver.next().await;
    }
    let intent = sandbox.charge(&customer, &card, "2980").await.json();
    assert_eq!(intent["status"], "succeeded");
    assert_eq!(intent["amount_received"], 2_980);
    assert_eq!(intent["payment_method"], card.as_str());
    assert_eq!(intent["next_action"], json!(null));
    assert_eq!(intent["metadata"], json!({"order": "order-1"}));
    sandbox.receiver.expect(&["payment_intent.created", "payment_intent.succeeded"]).await;
    let path = format!(
        "/v1/payment_intents/{}?expand[0]=latest_charge.balance_transaction&expand[1]=latest_charge",
        id(&intent)
    );
    let charge = &sandbox.find(&path).await["latest_charge"];
    assert_eq!(charge["payment_method_details"]["card"]["last4"], "4242");
    assert_eq!(charge["balance_transaction"]["fee"], 107);
}

#[tokio::test]
async fn a_card_that_fails_off_session_is_402_with_its_intent_and_stays_saved() {
    let mut sandbox = Sandbox::new().await;
    for (number, code, decline_code) in [
        (DECLINED_ONCE_SAVED, "card_declined", "generic_decline"),
        (EMPTY, "card_declined", "insufficient_funds"),
        (ALWAYS, "authentication_required", "authentication_required"),
    ] {
        let customer = sandbox.customer().await;
        let card = sandbox.save_card(&customer, number).await;
        while sandbox.receiver.next().await.r#type() != "checkout.session.completed" {}
        let refused = sandbox.charge(&customer, &card, "2980").await;
        assert_eq!(refused.problem(), (402, "card_error".to_owned(), code.to_owned()), "{number}");
        let error = &refused.json()["error"];
        assert_eq!(error["decline_code"], decline_code);
        assert_eq!(error["payment_method"]["id"], card.as_str());
        let intent = &error["payment_intent"];
        assert_eq!(intent["status"], "requires_payment_method");
        assert_eq!(intent["payment_method"], json!(null));
        assert_eq!(intent["last_payment_error"]["decline_code"], decline_code);
        assert_eq!(sandbox.intent(&id(intent)).await, *intent);
        sandbox.receiver.expect(&["payment_intent.created", "payment_intent.payment_failed"]).await;
        let kept = sandbox.find(&format!("/v1/payment_methods/{card}")).await;
        assert_eq!(kept["customer"], customer.as_str());
        assert_eq!(sandbox.find("/v1/balance_transactions").await["data"], json!([]));
    }
}

#[tokio::test]
async fn a_refusal_is_replayed_for_its_key() {
    let sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let card = sandbox.save_card(&customer, DECLINED_ONCE_SAVED).await;
    let form = [
        ("amount", "2980"),
        ("currency", "jpy"),
        ("customer", &*customer),
        ("payment_method", &*card),
        ("off_session", "true"),
        ("confirm", "true"),
    ];
    let first = sandbox.post("/v1/payment_intents", "sub:1:1", &form).await;
    let again = sandbox.post("/v1/payment_intents", "sub:1:1", &form).await;
    assert_eq!((again.status, &again.text), (StatusCode::PAYMENT_REQUIRED, &first.text));
    assert_eq!(again.headers["idempotent-replayed"], "true");
    // The list starts at a creation time, so a later start excludes the intent.
    for (since, count) in [(0, 1), (NOW.unix_timestamp() + 1, 0)] {
        let path = format!("/v1/payment_intents?customer={customer}&created[gte]={since}");
        assert_eq!(sandbox.find(&path).await["data"].as_array().unwrap().len(), count);
    }
}

/// Pays with a saved card on session.
async fn pay_on_session(sandbox: &Sandbox, number: &str) -> (StatusCode, Value) {
    let customer = sandbox.customer().await;
    let card = sandbox.save_card(&customer, number).await;
    let form = [
        ("amount", "16500"),
        ("currency", "jpy"),
        ("customer", &*customer),
        ("payment_method", &*card),
        ("confirm", "true"),
        ("return_url", "http://site.test/payment?order=1"),
        ("metadata[number]", "KM-261125-7Q4F2"),
    ];
    let answer = sandbox.post("/v1/payment_intents", "", &form).await;
    (answer.status, answer.json())
}

#[tokio::test]
async fn a_saved_card_on_session_pays_or_asks_for_3_d_secure() {
    let sandbox = Sandbox::new().await;
    let (_, paid) = pay_on_session(&sandbox, GOOD).await;
    assert_eq!(paid["status"], "succeeded");
    let (status, error) = pay_on_session(&sandbox, DECLINED_ONCE_SAVED).await;
    assert_eq!((status, &error["error"]["code"]), (StatusCode::PAYMENT_REQUIRED, &json!("card_declined")));

    for (result, end, path) in
        [("success", "succeeded", "succeeded"), ("failure", "requires_payment_method", "failed")]
    {
        let (_, intent) = pay_on_session(&sandbox, CHALLENGE).await;
        assert_eq!(intent["status"], "requires_action");
        let redirect = &intent["next_action"]["redirect_to_url"];
        assert_eq!(redirect["return_url"], "http://site.test/payment?order=1");
        let page = redirect["url"].as_str().unwrap().strip_prefix("http://sandbox.test").unwrap();
        let shown = sandbox.page(page).await;
        for text in ["16,500円", "KM-261125-7Q4F2", "認証に成功する</button>"] {
            assert!(shown.text.contains(text), "{text}: {}", shown.text);
        }
        let back = sandbox.submit(page, &[("result", result)]).await;
        let expected =
            format!("http://site.test/payment?order=1&payment_intent={}&redirect_status={path}", id(&intent));
        assert_eq!(back.location(), expected);
        assert_eq!(sandbox.intent(&id(&intent)).await["status"], end);
        // A second click changes nothing.
        sandbox.submit(page, &[("result", "success")]).await;
        assert_eq!(sandbox.intent(&id(&intent)).await["status"], end);
        assert!(sandbox.page(page).await.text.contains("本人認証は終わっています。"));
    }
    assert_eq!(sandbox.page("/authenticate/pi_none").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_card_of_another_customer_or_a_detached_one_does_not_pay() {
    let mut sandbox = Sandbox::new().await;
    let (customer, other) = (sandbox.customer().await, sandbox.customer().await);
    let card = sandbox.save_card(&customer, GOOD).await;
    assert_eq!(sandbox.charge(&other, &card, "2980").await.problem().0, 400);
    let unknown = sandbox.charge(&customer, "pm_none", "2980").await;
    assert_eq!(unknown.problem().2, "resource_missing");
    for _ in 0..3 {
        sandbox.receiver.next().await;
    }
    let detach = format!("/v1/payment_methods/{card}/detach");
    assert_eq!(sandbox.make(&detach, &[]).await["customer"], json!(null));
    sandbox.receiver.expect(&["payment_method.detached"]).await;
    assert_eq!(sandbox.post(&detach, "", &[]).await.problem().2, "payment_method_unexpected_state");
    assert_eq!(sandbox.charge(&customer, &card, "2980").await.problem().0, 400);
    let list = sandbox.find(&format!("/v1/customers/{customer}/payment_methods?type=card")).await;
    assert_eq!(list["data"], json!([]));
    assert_eq!(sandbox.find("/v1/payment_intents").await["data"], json!([]), "nothing was begun");
}
