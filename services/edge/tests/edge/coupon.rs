//! Coupons: claimed, put on a cart, used for an order, and accessible only to their account.

use insta::assert_json_snapshot;
use serde_json::json;

use crate::buying::{masked, refused_field};
use crate::support::family::{CONFIRMATION, COURSE, Family, LINE, ORDER, text};
use crate::support::{Answer, GOOD_CARD};

const COUPON: &str = "/api/commerce/coupon/";
const CART: &str = "/api/commerce/cart/";

impl Family {
    async fn claim(&self, code: &str) -> Answer {
        self.post(COUPON, &json!({ "code": code })).await
    }

    /// Puts a coupon on the guardian's cart, or takes it off.
    async fn on_cart(&self, method: &str, coupon: &str) -> Answer {
        let path = format!("/api/commerce/cart/coupon/{coupon}/");
        self.edge.call(method, &path, Some(&self.guardian)).await
    }

    async fn place_free(&self, digest: &str) -> Answer {
        let headers = [
            ("authorization", &*self.guardian),
            ("content-type", "application/json"),
            ("idempotency-key", "a-key-of-a-browser"),
        ];
        let body = json!({"confirmation": digest, "method": "coupon"}).to_string();
        self.edge.send("POST", ORDER, &headers, &body).await
    }
}

#[tokio::test]
async fn a_coupon_is_claimed_by_its_code_and_belongs_to_its_account() {
    let family = Family::new().await;
    assert_json_snapshot!("coupon_list_of_public_coupons", masked(&family.get(COUPON).await));
    let claimed = family.claim(" ｆｕｙｕ１５ ").await;
    assert_eq!(claimed.outcome(), "201");
    let again = family.claim("FUYU15").await;
    assert_eq!((again.outcome(), &again.body), ("200".to_owned(), &claimed.body));
    let path = format!("{COUPON}2/");
    assert_eq!(family.get(&path).await.body, claimed.body);
    assert_json_snapshot!("coupon", masked(&family.get(&path).await));
    for (code, wanted) in [
        (json!("FUYU16"), "code UNKNOWN_COUPON"),
        (json!("NATSU20"), "code COUPON_EXPIRED"),
        (json!(" "), "code REQUIRED"),
        (json!("A".repeat(33)), "code TOO_LONG"),
        (json!("FUYU\u{0}"), "code INVALID_FORMAT"),
        (json!(15), "code INVALID_FORMAT"),
    ] {
        assert_eq!(refused_field(&family.post(COUPON, &json!({ "code": code })).await), wanted, "{code}");
    }
    let forged = family.post(COUPON, &json!({"code": "FUYU15", "account": "1"})).await;
    assert_eq!(refused_field(&forged), "account UNKNOWN_FIELD");

    // The child has other coupons. Invalid ids are not found.
    assert_eq!(family.edge.get(&path, Some(&family.child)).await.outcome(), "404 NOT_FOUND");
    let put = family.edge.call("PUT", "/api/commerce/cart/coupon/2/", Some(&family.child)).await;
    assert_eq!(put.outcome(), "404 NOT_FOUND");
    for id in ["0", "-1", "99", "9223372036854775808", "FUYU15", "1%00"] {
        assert_eq!(family.get(&format!("{COUPON}{id}/")).await.outcome(), "404 NOT_FOUND", "{id}");
        assert_eq!(family.on_cart("PUT", id).await.outcome(), "404 NOT_FOUND", "{id}");
    }
}

#[tokio::test]
async fn coupon_codes_cannot_be_guessed() {
    let family = Family::new().await;
    for n in 0..10 {
        assert_eq!(family.claim(&format!("GUESS{n}")).await.outcome(), "400 INVALID");
    }
    let limited = family.claim("FUYU15").await;
    assert_eq!(
        (limited.outcome(), limited.header("retry-after")),
        ("429 RATE_LIMITED".to_owned(), Some("60"))
    );
    family.world.clock.advance(time::Duration::MINUTE);
    assert_eq!(family.claim("FUYU15").await.outcome(), "201");
}

#[tokio::test]
async fn coupons_reduce_the_cart_the_order_and_its_receipt() {
    let family = Family::new().await;
    family.post(LINE, &json!({ "product": COURSE })).await;
    family.claim("FUYU15").await;
    assert_eq!(family.on_cart("PUT", "1").await.outcome(), "200");
    let cart = family.on_cart("PUT", "2").await;
    assert_json_snapshot!("cart_with_coupons", masked(&cart));
    assert_eq!(family.get(CART).await.body, cart.body);
    assert_json_snapshot!("coupon_list_with_the_best_combination", masked(&family.get(COUPON).await));
    let off = family.on_cart("DELETE", "1").await.json();
    assert_eq!((&off["discount"], &off["total"]), (&json!(1_980), &json!(11_220)));
    assert_eq!(family.on_cart("DELETE", "1").await.outcome(), "200", "it is not there");
    family.on_cart("PUT", "1").await;

    let confirmation = family.get(CONFIRMATION).await;
    assert_json_snapshot!("confirmation_with_coupons", masked(&confirmation));
    let digest = text(&confirmation.json()["digest"]);
    let placed = family.place("a-key-of-a-browser", &digest).await;
    assert_eq!(placed.outcome(), "201");
    let path = format!("{ORDER}{}/", text(&placed.json()["id"]));
    let used = family.get(&format!("{COUPON}2/")).await.json();
    assert_eq!((&used["state"], &used["problem"]), (&json!("used"), &json!("USED")));
    assert_eq!((&used["used_order_id"], &used["used_at"]), (&placed.json()["id"], &json!(null)));
    // The amount and the coupons come from the server.
    for body in [json!({"confirmation": digest, "method": "card", "discount": 13_200}), json!({"total": 1})] {
        assert_eq!(family.post(ORDER, &body).await.outcome(), "400 INVALID");
    }

    family.world.shop.pay(&text(&placed.json()["payment"]["page_url"]), GOOD_CARD).await;
    let paid = family.post(&format!("{path}check/"), &json!({})).await;
    assert_json_snapshot!("order_with_coupons", masked(&paid));
    assert_json_snapshot!("receipt_with_coupons", masked(&family.get(&format!("{path}receipt/")).await));
    assert_eq!(family.edge.get(&path, Some(&family.child)).await.outcome(), "404 NOT_FOUND");
    let used = family.get(&format!("{COUPON}2/")).await.json();
    assert_eq!(used["used_at"], json!("2026-11-20T10:00:00Z"));
}

#[tokio::test]
async fn an_order_of_0_yen_is_paid_at_once_and_the_course_can_be_used() {
    let family = Family::new().await;
    family.post(LINE, &json!({ "product": COURSE })).await;
    family.claim("MURYOU100").await;
    family.on_cart("PUT", "4").await;
    let confirmation = family.get(CONFIRMATION).await.json();
    assert_eq!(
        (&confirmation["document"]["total"], &confirmation["document"]["method"]),
        (&json!(0), &json!("coupon"))
    );
    let digest = text(&confirmation["digest"]);
    assert_eq!(refused_field(&family.place("a-key-of-a-browser", &digest).await), "method UNKNOWN_CHOICE");
    family.world.shop.dispatch();
    let placed = family.place_free(&digest).await;
    assert_json_snapshot!("order_of_0_yen", masked(&placed));
    assert_eq!(family.place_free(&digest).await.json()["id"], placed.json()["id"]);
    let path = format!("{ORDER}{}/", text(&placed.json()["id"]));
    let settled = async { while family.get(&path).await.json()["state"] != "fulfilled" {} };
    tokio::time::timeout(std::time::Duration::from_secs(10), settled).await.expect("the course is granted");
    let owned = family.edge.get("/api/lms/inventory/", Some(&family.child)).await.json();
    let mut courses = owned["results"].as_array().unwrap().iter().map(|item| &item["course"]["id"]);
    assert!(courses.any(|course| course == 201), "{owned}");
    let receipt = family.get(&format!("{path}receipt/")).await.json();
    assert_eq!(
        (&receipt["total"], &receipt["tax"], &receipt["method"]),
        (&json!(0), &json!(0), &json!("coupon"))
    );
    let issued = family.post(&format!("{path}receipt/"), &json!({"addressee": "井上 恵子"})).await;
    assert_eq!(issued.json()["issues"], 1);
}
