//! Customers and their saved cards.

use http::Method;
use serde_json::json;

use crate::support::{Answer, Sandbox, id};

async fn delete(sandbox: &Sandbox, customer: &str) -> Answer {
    sandbox.call(Method::DELETE, &format!("/v1/customers/{customer}"), "", &[]).await
}

#[tokio::test]
async fn a_customer_is_created_changed_and_deleted_with_its_cards() {
    let mut sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    let found = sandbox.find(&format!("/v1/customers/{customer}")).await;
    assert_eq!(found["email"], "one@konomana.example");
    assert_eq!(found["name"], "サクラ ミノリ");
    assert_eq!(found["metadata"], json!({"account": "a-1"}));

    let path = format!("/v1/customers/{customer}");
    let changed = sandbox.make(&path, &[("email", "two@konomana.example"), ("metadata[plan]", "b")]).await;
    assert_eq!(changed["email"], "two@konomana.example");
    assert_eq!(changed["name"], "サクラ ミノリ");
    assert_eq!(changed["metadata"], json!({"account": "a-1", "plan": "b"}));

    let card = sandbox.save_card(&customer, "4242424242424242").await;
    sandbox
        .receiver
        .expect(&["payment_method.attached", "setup_intent.succeeded", "checkout.session.completed"])
        .await;
    let deleted = delete(&sandbox, &customer).await.json();
    assert_eq!(deleted, json!({"id": customer, "object": "customer", "deleted": true}));
    assert_eq!(sandbox.find(&path).await, deleted);
    sandbox.receiver.expect(&["payment_method.detached"]).await;
    assert_eq!(delete(&sandbox, &customer).await.problem().0, 404);
    assert_eq!(sandbox.post(&path, "", &[("name", "x")]).await.problem().0, 404);
    let refused = sandbox.charge(&customer, &card, "1000").await;
    assert_eq!(refused.problem(), (400, "invalid_request_error".to_owned(), "resource_missing".to_owned()));
    assert_eq!(refused.json()["error"]["param"], "customer");
}

#[tokio::test]
async fn a_customer_who_sent_money_cannot_be_deleted() {
    let sandbox = Sandbox::new().await;
    let customer = sandbox.customer().await;
    sandbox.send_money(&customer, "1000").await;
    assert_eq!(delete(&sandbox, &customer).await.problem().0, 400);
    assert_eq!(sandbox.cash(&customer).await, 1_000);
}

#[tokio::test]
async fn one_key_makes_one_customer() {
    let sandbox = Sandbox::new().await;
    let form = [("email", "one@konomana.example")];
    let first = sandbox.post("/v1/customers", "customer:a-1", &form).await;
    let second = sandbox.post("/v1/customers", "customer:a-1", &form).await;
    assert_eq!(first.text, second.text);
    let other = sandbox.post("/v1/customers", "customer:a-1", &[("email", "two@konomana.example")]).await;
    assert_eq!(other.problem().1, "idempotency_error");
    let unknown = sandbox.post("/v1/customers", "", &[("nickname", "みのり")]).await;
    assert_eq!(unknown.problem().2, "parameter_unknown");
}

#[tokio::test]
async fn saved_cards_are_listed_newest_first_and_page_by_page() {
    let sandbox = Sandbox::new().await;
    let (customer, other) = (sandbox.customer().await, sandbox.customer().await);
    let first = sandbox.save_card(&customer, "4242424242424242").await;
    let second = sandbox.save_card(&customer, "4000000000000341").await;
    sandbox.save_card(&other, "4242424242424242").await;
    let path = format!("/v1/customers/{customer}/payment_methods");
    let page = sandbox.find(&format!("{path}?type=card&limit=1")).await;
    assert_eq!((id(&page["data"][0]), &page["has_more"]), (second.clone(), &json!(true)));
    assert_eq!(page["data"][0]["card"]["last4"], "0341");
    let rest = sandbox.find(&format!("{path}?type=card&starting_after={second}")).await;
    assert_eq!((id(&rest["data"][0]), &rest["has_more"]), (first, &json!(false)));
    assert_eq!(rest["data"].as_array().unwrap().len(), 1);
    let lost = sandbox.get(&format!("{path}?starting_after=pm_none")).await;
    assert_eq!(lost.problem().2, "resource_missing");
    assert_eq!(sandbox.get("/v1/customers/cus_none/payment_methods").await.problem().0, 404);
    assert_eq!(sandbox.get(&format!("{path}?limit=0")).await.problem().2, "parameter_invalid");
}
