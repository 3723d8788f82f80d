//! Carts, orders, receipts and the provider's webhook, with a running commerce and a stand-in for the provider.

use std::time::Duration;

use insta::assert_json_snapshot;
use kit::test::TelemetryCapture;
use maintenance::{Mode, Scope};
use proto::auth::GuardianConsentRequested;
use serde_json::{Value, json};

use crate::support::family::{CONFIRMATION, COURSE, Family, LINE, ORDER, WEBHOOK, event, text};
use crate::support::{Answer, DECLINED_CARD, GOOD_CARD, GUARDIAN, ONE, PASSWORD, TWO, World};

const CART: &str = "/api/commerce/cart/";
const ASK: &str = "/api/commerce/cart/ask/";
const JOIN: &str = "/api/commerce/cart/join/";
/// The account of `TWO`.
const CHILD: &str = "00000000-0000-7000-8000-000000000002";
/// An account without links.
const STRANGER: &str = "00000000-0000-7000-8000-000000000001";

/// Returns the refused field and its code.
pub(crate) fn refused_field(answer: &Answer) -> String {
    assert_eq!(answer.outcome(), "400 INVALID");
    let error = &answer.json()["errors"][0];
    format!("{} {}", text(&error["field"]), text(&error["code"]))
}

/// Returns a response for a snapshot, without what differs between runs.
pub(crate) fn masked(answer: &Answer) -> Value {
    let mut promise = answer.promise();
    mask(&mut promise["body"]);
    promise
}

fn mask(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Object(fields) => {
            let is_term = fields.contains_key("title") && fields.contains_key("text");
            for (name, value) in fields {
                let differs = match name.as_str() {
                    "id" => value.as_str().is_some_and(|id| id != CHILD),
                    "number" | "order_number" | "receipt_number" | "digest" | "page_url" => value.is_string(),
                    // Commerce tests its terms.
                    "text" => is_term,
                    _ => false,
                };
                if differs {
                    *value = "…".into();
                } else {
                    mask(value);
                }
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn a_guardian_fills_a_cart_only_for_a_linked_child() {
    let alone = World::new().await;
    let edge = alone.edge().await;
    let (guardian, _) = edge.login(GUARDIAN).await;
    assert_json_snapshot!(
        "cart_of_a_guardian_without_children",
        masked(&edge.get(CART, Some(&guardian)).await)
    );
    let line = json!({ "product": COURSE });
    assert_eq!(edge.with("POST", LINE, &guardian, &line).await.outcome(), "409 NO_LEARNER");

    let family = Family::new().await;
    let forged = family.post(LINE, &json!({"product": COURSE, "learner": STRANGER})).await;
    assert_json_snapshot!("cart_line_for_a_stranger", masked(&forged));
    let added = family.post(LINE, &json!({"product": COURSE, "learner": CHILD})).await;
    assert_json_snapshot!("cart", masked(&added));
    assert_eq!(family.get(CART).await.body, added.body);
    assert_eq!(family.post(LINE, &line).await.body, added.body, "it is already in the cart");
    assert_eq!(family.post(LINE, &json!({"product": 999})).await.outcome(), "404 NOT_FOUND");
    // A product whose sale has ended, then a subscription.
    assert_eq!(
        family.post(LINE, &json!({"product": 1202})).await.json()["lines"][1]["problem"],
        "not_on_sale"
    );
    let mixed = family.post(LINE, &json!({"product": 3201})).await.json();
    assert_eq!((&mixed["lines"][2]["problem"], &mixed["total"]), (&Value::Null, &json!(16_180)));

    let path = format!("{LINE}{}/", text(&added.json()["lines"][0]["id"]));
    let assign = async |learner: &str| {
        family.edge.with("PUT", &path, &family.guardian, &json!({ "learner": learner })).await
    };
    assert_eq!(refused_field(&assign(STRANGER).await), "learner UNKNOWN_CHOICE");
    assert_eq!(assign(CHILD).await.outcome(), "200");
    let theirs = family.edge.call("DELETE", &path, Some(&family.child)).await;
    assert_eq!(theirs.outcome(), "404 NOT_FOUND");
    let removed = family.edge.call("DELETE", &path, Some(&family.guardian)).await;
    assert_eq!(removed.json()["lines"].as_array().unwrap().len(), 2);
    assert_eq!(family.edge.call("DELETE", &path, Some(&family.guardian)).await.outcome(), "404 NOT_FOUND");
}

#[tokio::test]
async fn a_learner_buys_for_themselves_but_a_minor_needs_consent() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (minor, _) = edge.login(ONE).await;
    let cart = edge.with("POST", LINE, &minor, &json!({"product": COURSE, "learner": null})).await.json();
    assert_eq!(
        cart["learners"],
        json!([
            {"id": STRANGER, "name": "井上 拓海", "lacks_consent": true, "is_consent_asked": false}
        ])
    );
    assert_eq!(cart["total"], 0);
    assert_eq!(edge.get(CONFIRMATION, Some(&minor)).await.outcome(), "409 CART_EMPTY");
    let guardian = json!({"name": "井上 恵子", "relation": "母", "email": "mother@konomana.example"});
    let asked = edge.with("POST", "/api/accounts/guardian/consent/", &minor, &guardian).await;
    assert_eq!(asked.outcome(), "202");
    let learner = &edge.get(CART, Some(&minor)).await.json()["learners"][0];
    assert_eq!((&learner["lacks_consent"], &learner["is_consent_asked"]), (&json!(true), &json!(true)));
}

#[tokio::test]
async fn consent_by_the_link_in_the_email_unblocks_the_same_cart() {
    let world = World::new().await;
    let edge = world.edge().await;
    // The birth date is unknown: consent is needed.
    let (minor, _) = edge.login(TWO).await;
    let cart = edge.with("POST", LINE, &minor, &json!({ "product": COURSE })).await.json();
    assert_eq!((&cart["lines"][0]["problem"], &cart["total"]), (&json!("consent_missing"), &json!(0)));
    let guardian = json!({"name": "長谷川 恵", "relation": "母", "email": "mother@konomana.example"});
    let asked = edge.with("POST", "/api/accounts/guardian/consent/", &minor, &guardian).await;
    assert_eq!(asked.outcome(), "202");
    assert_eq!(edge.get(CONFIRMATION, Some(&minor)).await.outcome(), "409 CART_EMPTY");
    let token = world.last::<GuardianConsentRequested>().await.token;
    let consent = json!({"token": token, "guardian_name": "長谷川 恵", "is_adult": true});
    let given = edge.post("/api/accounts/guardian/consent/confirm/", &consent).await;
    assert_eq!(given.outcome(), "204");
    let after = edge.get(CART, Some(&minor)).await.json();
    assert_eq!(after["lines"][0]["id"], cart["lines"][0]["id"]);
    assert_eq!((&after["lines"][0]["problem"], &after["total"]), (&Value::Null, &json!(13_200)));
    assert_eq!(edge.get(CONFIRMATION, Some(&minor)).await.outcome(), "200");
}

#[tokio::test]
async fn a_child_asks_only_the_linked_guardian_to_pay() {
    let family = Family::new().await;
    let ask = async || family.edge.with("POST", ASK, &family.child, &json!({})).await;
    assert_json_snapshot!("ask_guardians_with_an_empty_cart", masked(&ask().await));
    let added = family.edge.with("POST", LINE, &family.child, &json!({ "product": COURSE })).await;
    assert_eq!(added.outcome(), "200");
    assert_eq!(added.json()["asked_at"], Value::Null);
    let other = family.edge.with("POST", ASK, &family.child, &json!({"guardian": STRANGER})).await;
    assert_eq!(other.outcome(), "400 INVALID", "no body names a guardian");
    assert_json_snapshot!("ask_guardians", masked(&ask().await));
    assert_eq!(ask().await.outcome(), "429 RATE_LIMITED");
    assert!(family.edge.get(CART, Some(&family.child)).await.json()["asked_at"].is_string());

    let line = family.get(CART).await.json()["lines"][0].clone();
    assert_eq!(line["asked_by"], json!({"id": CHILD, "name": "長谷川 陽菜"}));
    let as_guardian = family.post(ASK, &json!({})).await;
    assert_eq!(as_guardian.outcome(), "403 FORBIDDEN");

    // The guardian pays: the child's own line can't be bought again.
    let digest = text(&family.get(CONFIRMATION).await.json()["digest"]);
    let placed = family.place("a-key-of-a-browser", &digest).await.json();
    family.world.shop.pay(&text(&placed["payment"]["page_url"]), GOOD_CARD).await;
    let check = format!("{ORDER}{}/check/", text(&placed["id"]));
    assert_eq!(family.post(&check, &json!({})).await.json()["state"], "paid");
    let cart = family.edge.get(CART, Some(&family.child)).await.json();
    assert_eq!((&cart["lines"][0]["problem"], &cart["total"]), (&json!("owned"), &json!(0)));
}

#[tokio::test]
async fn a_guardian_whose_link_ended_is_not_asked() {
    let family = Family::new().await;
    let added = family.edge.with("POST", LINE, &family.child, &json!({ "product": COURSE })).await;
    assert_eq!(added.outcome(), "200");
    let links = family.edge.get("/api/accounts/guardian/links/", Some(&family.child)).await.json();
    let link = format!("/api/accounts/guardian/links/{}/", text(&links["results"][0]["id"]));
    assert_eq!(family.edge.call("DELETE", &link, Some(&family.child)).await.outcome(), "204");
    let asked = family.edge.with("POST", ASK, &family.child, &json!({})).await;
    assert_json_snapshot!("ask_guardians_without_one", masked(&asked));
    assert!(family.get(CART).await.json()["lines"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn the_cart_of_a_visitor_is_joined_with_that_of_the_account() {
    let family = Family::new().await;
    let joined = family.post(JOIN, &json!({"products": [COURSE, 999, COURSE]})).await;
    assert_eq!(joined.outcome(), "200");
    let again = family.post(JOIN, &json!({"products": [COURSE]})).await;
    assert_eq!(again.body, joined.body);
    assert_eq!(joined.json()["lines"].as_array().unwrap().len(), 1);
    assert_eq!(joined.json()["lines"][0]["learner"], json!({"id": CHILD, "name": "長谷川 陽菜"}));
    let many: Vec<i64> = (1..=21).collect();
    for (body, wanted) in [
        (json!({ "products": many }), "products TOO_LONG"),
        (json!({"products": ["1201"]}), "products INVALID_FORMAT"),
        (json!({}), "products REQUIRED"),
        (json!({"products": [], "learner": CHILD}), "learner UNKNOWN_FIELD"),
    ] {
        assert_eq!(refused_field(&family.post(JOIN, &body).await), wanted);
    }
}

#[tokio::test]
async fn an_order_is_placed_once_paid_and_has_a_receipt() {
    let family = Family::new().await;
    let empty = family.get(CONFIRMATION).await;
    assert_json_snapshot!("confirmation_of_an_empty_cart", masked(&empty));
    let digest = family.confirm().await;
    assert_json_snapshot!("confirmation", masked(&family.get(CONFIRMATION).await));

    let body = json!({"confirmation": digest, "method": "card"});
    assert_eq!(refused_field(&family.post(ORDER, &body).await), "idempotency_key REQUIRED");
    assert_eq!(refused_field(&family.place("short", &digest).await), "idempotency_key INVALID_FORMAT");
    assert_eq!(refused_field(&family.place("a-key-of-a-browser", "ab").await), "confirmation INVALID_FORMAT");
    let other = "0".repeat(64);
    assert_json_snapshot!(
        "order_of_another_confirmation",
        masked(&family.place("a-key-of-a-browser", &other).await)
    );

    let placed = family.place("a-key-of-a-browser", &digest).await;
    assert_json_snapshot!("order_placed", masked(&placed));
    assert_eq!(family.place("a-key-of-a-browser", &digest).await.body, placed.body);
    assert_eq!(family.place("a-key-of-another-tab", &digest).await.body, placed.body);
    assert_eq!(family.place("a-key-of-a-browser", &other).await.outcome(), "422 IDEMPOTENCY_KEY_REUSED");
    assert_eq!(family.place("a-third-key", &other).await.outcome(), "409 ORDER_OPEN");
    let cart = family.get(CART).await;
    assert_json_snapshot!("cart_with_an_open_order", masked(&cart));
    let line = format!("{LINE}{}/", text(&cart.json()["lines"][0]["id"]));
    assert_eq!(family.edge.call("DELETE", &line, Some(&family.guardian)).await.outcome(), "409 ORDER_OPEN");

    let path = format!("{ORDER}{}/", text(&placed.json()["id"]));
    assert_eq!(family.get(&format!("{path}receipt/")).await.outcome(), "404 NOT_FOUND");
    let page = text(&placed.json()["payment"]["page_url"]);
    assert_eq!(
        family.world.shop.pay(&page, GOOD_CARD).await,
        format!("http://konomana.test/payment/complete/credit?order={}", text(&placed.json()["id"]))
    );
    let check = format!("{path}check/");
    assert_json_snapshot!("order_paid", masked(&family.post(&check, &json!({})).await));
    assert!(family.get(CART).await.json()["lines"].as_array().unwrap().is_empty());
    assert_json_snapshot!("order_list", masked(&family.get(ORDER).await));
    assert_eq!(family.get(&format!("{ORDER}?page=2")).await.outcome(), "404 NOT_FOUND");
    assert_eq!(family.get(&format!("{ORDER}?page=0")).await.outcome(), "400 INVALID_PAGE");
    assert_eq!(family.post(&format!("{path}pay/"), &json!({})).await.outcome(), "409 ORDER_CLOSED");
    let cancelled = family.post(&format!("{path}cancel/"), &json!({})).await;
    assert_eq!(cancelled.json()["state"], "paid");

    let receipt = format!("{path}receipt/");
    assert_eq!(family.get(&format!("{receipt}pdf/")).await.outcome(), "404 NOT_FOUND", "it is not issued");
    assert_json_snapshot!("receipt", masked(&family.get(&receipt).await));
    let issued = family.post(&receipt, &json!({"addressee": " 井上商店 "})).await;
    assert_json_snapshot!("receipt_that_is_issued", masked(&issued));
    let pdf = family.get(&format!("{receipt}pdf/")).await;
    assert_eq!(pdf.outcome(), "200");
    let saved_as = format!("attachment; filename=\"receipt-{}.pdf\"", text(&issued.json()["number"]));
    for (name, value) in [
        ("content-type", "application/pdf"),
        ("content-disposition", &saved_as),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(pdf.header(name), Some(value));
    }
    assert!(pdf.body.starts_with(b"%PDF-"), "{:?}", &pdf.body[..20]);
    let again = family.post(&receipt, &json!({"addressee": "井上 恵子"})).await.json();
    assert_eq!((&again["addressee"], &again["issues"]), (&json!("井上 恵子"), &json!(2)));
    let long = family.post(&receipt, &json!({"addressee": "あ".repeat(61)})).await;
    assert_eq!(refused_field(&long), "addressee TOO_LONG");
}

#[tokio::test]
async fn the_confirmation_is_for_a_method_and_names_the_others() {
    let family = Family::new().await;
    let card = family.confirm().await;
    for method in ["card", "konbini", "bank_transfer"] {
        let answer = family.get(&format!("{CONFIRMATION}?method={method}")).await.json();
        assert_eq!(
            (&answer["method"], &answer["document"]["method"], &answer["methods"]),
            (&json!(method), &json!(method), &json!(["card", "konbini", "bank_transfer"]))
        );
        assert_eq!(answer["digest"] == card.as_str(), method == "card");
    }
    for method in ["cash", "coupon", "saved_card"] {
        let answer = family.get(&format!("{CONFIRMATION}?method={method}")).await;
        assert_eq!(refused_field(&answer), "method UNKNOWN_CHOICE", "{method}");
    }
    // The confirmation of one method is not accepted for another.
    let place = async |method: &str| {
        let headers = [
            ("authorization", &*family.guardian),
            ("content-type", "application/json"),
            ("idempotency-key", "a-key-of-a-browser"),
        ];
        let body = json!({"confirmation": card, "method": method}).to_string();
        family.edge.send("POST", ORDER, &headers, &body).await
    };
    assert_eq!(place("konbini").await.outcome(), "409 CONFIRMATION_CHANGED");
    assert_eq!(refused_field(&place("cash").await), "method UNKNOWN_CHOICE");
    assert_eq!(refused_field(&place("coupon").await), "method UNKNOWN_CHOICE");
}

#[tokio::test]
async fn a_contract_is_placed_only_with_its_acceptance() {
    let family = Family::new().await;
    let contract = "UPDATE product SET price = 66000, is_continuous_service = true WHERE id = 1201";
    sqlx::raw_sql(contract)
        .execute(&mut *family.world.shop.database.pool.acquire().await.unwrap())
        .await
        .unwrap();
    assert_eq!(family.post(LINE, &json!({"product": COURSE, "learner": CHILD})).await.outcome(), "200");
    let shown = family.get(CONFIRMATION).await.json();
    assert_eq!(shown["document"]["contract"][1]["title"], "クーリング・オフ");
    let place = async |acceptance: Value| {
        let headers = [
            ("authorization", &*family.guardian),
            ("content-type", "application/json"),
            ("idempotency-key", "a-key-of-a-browser"),
        ];
        let body = json!({"confirmation": shown["digest"], "method": "card", "accepts_contract": acceptance});
        family.edge.send("POST", ORDER, &headers, &body.to_string()).await
    };
    assert_eq!(
        refused_field(&family.place("a-key-of-a-browser", &text(&shown["digest"])).await),
        "accepts_contract REQUIRED"
    );
    assert_eq!(refused_field(&place(json!(false)).await), "accepts_contract REQUIRED");
    assert_eq!(refused_field(&place(json!("yes")).await), "accepts_contract INVALID_FORMAT");
    let placed = place(json!(true)).await;
    assert_eq!(placed.outcome(), "201");
    assert_eq!(placed.json()["confirmation"]["document"], shown["document"]);
}

#[tokio::test]
async fn an_order_is_accessible_only_to_its_buyer() {
    let family = Family::new().await;
    let (path, page) = family.order().await;
    family.world.shop.pay(&page, GOOD_CARD).await;
    assert_eq!(family.post(&format!("{path}check/"), &json!({})).await.json()["state"], "paid");
    // The learner whom the order is for has no access either.
    for (method, rest, body) in [
        ("GET", "", ""),
        ("POST", "check/", "{}"),
        ("POST", "pay/", "{}"),
        ("POST", "cancel/", "{}"),
        ("GET", "receipt/", ""),
        ("GET", "refund/", ""),
        ("GET", "refund/00000000-0000-4000-8000-000000000000/invoice/", ""),
        ("GET", "refund/00000000-0000-4000-8000-000000000000/invoice/pdf/", ""),
        ("POST", "refund/00000000-0000-4000-8000-000000000000/retry/", ""),
        ("POST", "receipt/", r#"{"addressee":"長谷川 陽菜"}"#),
        ("GET", "receipt/pdf/", ""),
    ] {
        let headers = [("authorization", &*family.child), ("content-type", "application/json")];
        let answer = family.edge.send(method, &format!("{path}{rest}"), &headers, body).await;
        assert_eq!(answer.outcome(), "404 NOT_FOUND", "{method} {rest}");
    }
    assert_eq!(family.edge.get(ORDER, Some(&family.child)).await.json()["count"], 0);
    // The response stored for an idempotency key belongs to its account.
    let headers = [
        ("authorization", &*family.child),
        ("content-type", "application/json"),
        ("idempotency-key", "a-key-of-a-browser"),
    ];
    let body = json!({"confirmation": "0".repeat(64), "method": "card"}).to_string();
    assert_eq!(family.edge.send("POST", ORDER, &headers, &body).await.outcome(), "409 CART_EMPTY");
}

#[tokio::test]
async fn a_cancelled_order_frees_the_cart_and_a_declined_card_can_be_replaced() {
    let family = Family::new().await;
    let (path, page) = family.order().await;
    family.world.shop.pay(&page, DECLINED_CARD).await;
    let order = family.post(&format!("{path}check/"), &json!({})).await.json();
    assert_eq!(
        (&order["state"], &order["payment"]["decline_code"]),
        (&json!("awaiting_payment"), &json!("card_declined"))
    );
    let again = family.post(&format!("{path}pay/"), &json!({})).await.json();
    assert!(again["payment"]["page_url"].is_string(), "{again}");

    let cancelled = family.post(&format!("{path}cancel/"), &json!({})).await;
    assert_json_snapshot!("order_cancelled", masked(&cancelled));
    assert_eq!(family.post(&format!("{path}pay/"), &json!({})).await.outcome(), "409 ORDER_CLOSED");
    let cart = family.get(CART).await.json();
    assert_eq!((&cart["open_order"], &cart["lines"][0]["is_ordered"]), (&json!(null), &json!(false)));
}

#[tokio::test]
async fn an_order_is_placed_even_while_the_provider_does_not_answer() {
    let family = Family::new().await;
    let digest = family.confirm().await;
    family.world.shop.break_provider().await;
    let order = family.place("a-key-of-a-browser", &digest).await;
    assert_eq!(order.outcome(), "201");
    assert_eq!(
        order.json()["payment"],
        json!({
            "method": "card", "state": "unknown", "page_url": null, "decline_code": null, "konbini": null,
            "bank_transfer": null,
        })
    );
}

#[tokio::test]
async fn an_event_of_the_provider_pays_an_order_and_a_forged_one_does_nothing() {
    let family = Family::new().await;
    let (path, page) = family.order().await;
    family.world.shop.pay(&page, GOOD_CARD).await;
    let body = event("evt_1", &page);
    let signature = family.world.shop.sign(&body);
    let send = async |signature: &str, body: &str| {
        family.edge.send("POST", WEBHOOK, &[("stripe-signature", signature)], body).await.outcome()
    };
    assert_eq!(send(&signature.replace("v1=", "v1=00"), &body).await, "400 SIGNATURE_INVALID");
    assert_eq!(send("", &body).await, "400 SIGNATURE_INVALID");
    assert_eq!(send(&signature, &body.replace("evt_1", "evt_2")).await, "400 SIGNATURE_INVALID");
    family.world.clock.advance(time::Duration::seconds(301));
    assert_eq!(send(&signature, &body).await, "400 SIGNATURE_INVALID");
    family.world.shop.dispatch();
    assert_eq!(family.get(&path).await.json()["state"], "awaiting_payment");

    let taken = family.send_event("evt_1", &page).await;
    assert_json_snapshot!("provider_webhook", masked(&taken));
    assert_eq!(family.send_event("evt_1", &page).await.outcome(), "204", "again");
    let settled = async { while family.get(&path).await.json()["state"] != "fulfilled" {} };
    tokio::time::timeout(Duration::from_secs(10), settled).await.expect("the course is granted");
    let owned = family.edge.get("/api/lms/inventory/", Some(&family.child)).await.json();
    let courses: Vec<_> =
        owned["results"].as_array().unwrap().iter().map(|item| &item["course"]["id"]).collect();
    assert!(courses.contains(&&json!(201)), "{owned}");
    let cart = family.post(LINE, &json!({ "product": COURSE })).await.json();
    assert_eq!(cart["lines"][0]["problem"], "owned");
}

#[tokio::test]
async fn maintenance_of_commerce_closes_buying_and_read_only_mode_shows_carts_and_orders() {
    let family = Family::new().await;
    let (path, page) = family.order().await;
    let statuses = async || {
        [
            family.get(CART).await.status.as_u16(),
            family.get(&path).await.status.as_u16(),
            family.post(LINE, &json!({ "product": COURSE })).await.status.as_u16(),
            family.post(&format!("{path}cancel/"), &json!({})).await.status.as_u16(),
            // The provider sends the event again later.
            family.send_event("evt_1", &page).await.status.as_u16(),
        ]
    };
    for (mode, wanted) in [(Mode::ReadOnly, [200, 200, 503, 503, 503]), (Mode::Full, [503; 5])] {
        let window = crate::maintenance::window(Scope::Commerce, mode);
        family.world.declare(&family.edge, vec![window]).await;
        assert_eq!(statuses().await, wanted, "{mode:?}");
    }
    family.world.declare(&family.edge, Vec::new()).await;
    assert_eq!(statuses().await, [200, 200, 200, 200, 204]);
}

#[tokio::test]
async fn logs_and_spans_name_neither_people_nor_keys() {
    let family = Family::new().await;
    let telemetry = TelemetryCapture::start("debug,h2=off,hyper=off,tower=off");
    let (path, page) = family.order().await;
    family.world.shop.pay(&page, GOOD_CARD).await;
    family.post(&format!("{path}check/"), &json!({})).await;
    family.post(&format!("{path}receipt/"), &json!({"addressee": "株式会社はなまる"})).await;
    assert_eq!(family.send_event("evt_1", &page).await.outcome(), "204");
    let forged = [("stripe-signature", "t=1,v1=c0ffee")];
    family.edge.send("POST", WEBHOOK, &forged, "{}").await;
    let output = format!("{:?}{:?}", telemetry.lines(), telemetry.spans());
    assert!(output.contains("/api/commerce/order/{id}/check/"), "the request is logged: {output}");
    for secret in [
        "guardian@",
        "井上",
        "長谷川",
        "はなまる",
        "a-key-of-a-browser",
        "c0ffee",
        "sk_test",
        "whsec_",
        "/pay/cs_",
    ] {
        assert!(!output.contains(secret), "{secret}: {output}");
    }
}

#[tokio::test]
async fn an_export_has_the_cart_and_the_orders_of_the_caller() {
    let family = Family::new().await;
    let export = async |token: &str| {
        let password = json!({ "password": PASSWORD });
        let export = family.edge.with("POST", "/api/accounts/export/", token, &password).await;
        assert_eq!(export.outcome(), "200");
        export.json()
    };
    let nothing = export(&family.guardian).await;
    assert_eq!((&nothing["cart"], &nothing["orders"]), (&json!([]), &json!([])));
    assert_eq!(nothing["coupons"], json!([]));

    let (path, page) = family.order().await;
    family.world.shop.pay(&page, DECLINED_CARD).await;
    family.world.shop.pay(&page, GOOD_CARD).await;
    family.post(&format!("{path}check/"), &json!({})).await;
    family.post(&format!("{path}receipt/"), &json!({"addressee": "株式会社あおい"})).await;
    family.post(LINE, &json!({ "product": 1202 })).await;
    assert_eq!(family.post("/api/commerce/coupon/", &json!({"code": "fuyu15"})).await.outcome(), "201");
    let of_guardian = export(&family.guardian).await;
    let [exported] = &of_guardian["orders"].as_array().unwrap()[..] else { panic!("one order") };
    assert_eq!(exported["order"], family.get(&path).await.json());
    assert_eq!(exported["order"]["lines"][0]["learner"]["id"], CHILD);
    assert_eq!(exported["buyer_email"], GUARDIAN);
    assert_eq!(exported["receipt"]["addressee"], "株式会社あおい");
    let payment = &exported["payments"][0];
    assert_eq!((&payment["method"], &payment["state"]), (&json!("card"), &json!("succeeded")));
    assert_eq!(payment["amount"], exported["order"]["total"]);
    let [line] = &of_guardian["cart"].as_array().unwrap()[..] else { panic!("one line") };
    assert_eq!((&line["product_id"], &line["learner_id"]), (&json!(1202), &json!(CHILD)));

    let coupon = json!({
        "id": 2, "code": "FUYU15", "name": "冬の学習応援", "claimed_at": "2026-11-20T10:00:00Z", "applied_at": null,
    });
    assert_eq!(of_guardian["coupons"], json!([coupon]));

    let of_child = export(&family.child).await;
    assert_eq!((&of_child["cart"], &of_child["orders"]), (&json!([]), &json!([])));
    assert!(!of_child.to_string().contains("株式会社あおい"));
}
