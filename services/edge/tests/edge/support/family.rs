//! A guardian who buys for a linked learner.

use serde_json::{Value, json};

use super::{Answer, Edge, GUARDIAN, TWO, World};

pub(crate) const LINE: &str = "/api/commerce/cart/line/";
pub(crate) const CONFIRMATION: &str = "/api/commerce/confirmation/";
pub(crate) const ORDER: &str = "/api/commerce/order/";
pub(crate) const WEBHOOK: &str = "/api/commerce/webhook/";
/// A course that `TWO` does not own, on sale.
pub(crate) const COURSE: i64 = 1201;

/// A guardian who is linked with `TWO`.
pub(crate) struct Family {
    pub(crate) world: World,
    pub(crate) edge: Edge,
    /// Access tokens.
    pub(crate) guardian: String,
    pub(crate) child: String,
}

impl Family {
    pub(crate) async fn new() -> Self {
        let world = World::new().await;
        let edge = world.edge().await;
        let (guardian, _) = edge.login(GUARDIAN).await;
        let (child, _) = edge.login(TWO).await;
        let code =
            edge.call("POST", "/api/accounts/guardian/code/", Some(&child)).await.json()["code"].clone();
        let linked =
            edge.with("POST", "/api/accounts/guardian/link/", &guardian, &json!({ "code": code })).await;
        assert_eq!(linked.outcome(), "201");
        Self { world, edge, guardian, child }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.edge.get(path, Some(&self.guardian)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.edge.with("POST", path, &self.guardian, body).await
    }

    /// Places an order with this key and confirmation.
    pub(crate) async fn place(&self, key: &str, digest: &str) -> Answer {
        let headers = [
            ("authorization", &*self.guardian),
            ("content-type", "application/json"),
            ("idempotency-key", key),
        ];
        let body = json!({"confirmation": digest, "method": "card"}).to_string();
        self.edge.send("POST", ORDER, &headers, &body).await
    }

    /// Puts the course into the cart and returns the digest of the confirmation.
    pub(crate) async fn confirm(&self) -> String {
        assert_eq!(self.post(LINE, &json!({ "product": COURSE })).await.outcome(), "200");
        text(&self.get(CONFIRMATION).await.json()["digest"])
    }

    /// Places an order for the course. Returns its path and its payment page.
    pub(crate) async fn order(&self) -> (String, String) {
        let digest = self.confirm().await;
        let order = self.place("a-key-of-a-browser", &digest).await;
        assert_eq!(order.outcome(), "201");
        let order = order.json();
        (format!("{ORDER}{}/", text(&order["id"])), text(&order["payment"]["page_url"]))
    }

    /// Sends an event about a payment page, signed by the provider, at the clock's time.
    pub(crate) async fn send_event(&self, id: &str, page: &str) -> Answer {
        let body = event(id, page);
        let signature = self.world.shop.sign(&body);
        self.edge.send("POST", WEBHOOK, &[("stripe-signature", &signature)], &body).await
    }
}

/// Returns a JSON string.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// An event about the Checkout Session of a payment page.
pub(crate) fn event(id: &str, page: &str) -> String {
    let session = page.rsplit('/').next().unwrap();
    json!({
        "id": id, "object": "event", "type": "checkout.session.completed", "livemode": false,
        "data": {"object": {"id": session, "object": "checkout.session"}}
    })
    .to_string()
}
