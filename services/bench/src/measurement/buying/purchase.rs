//! A buyer, with the requests of a browser.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::{Value, json};
use tooling::failure::{Doing as _, Outcome, fail};
use uuid::Uuid;

use crate::measurement::connection::Connection;

/// The form of the provider's page with a test card whose payments succeed.
const CARD: &str = "number=4242+4242+4242+4242&expiry=12%2F34&cvc=123";
/// Interval between checks whether the course can be used, where its time is measured.
pub(super) const LOOK: Duration = Duration::from_millis(5);
/// The same under full load, where the checks themselves would take the time of purchases.
pub(super) const RARE_LOOK: Duration = Duration::from_millis(100);
/// Limit from the submitted card to the usable course.
const LIMIT: Duration = Duration::from_secs(30);
/// Pause before a request that the busy server refused is sent again: the edge's `Retry-After`.
const BUSY: Duration = Duration::from_secs(1);

/// A course on sale.
#[derive(Clone, Copy)]
pub(super) struct Product {
    pub(super) id: i64,
    /// One of its lessons.
    pub(super) lesson: i64,
}

/// The times of a purchase.
pub(super) struct Purchase {
    /// From the cart to the usable course.
    pub(super) whole: Duration,
    /// From the submitted card to the usable course. The provider sends the webhook shortly after the card.
    pub(super) since_card: Duration,
}

/// A learner who buys.
pub(super) struct Buyer {
    token: String,
    edge: Connection,
    /// The provider's page.
    provider: Option<(SocketAddr, Connection)>,
    products: Vec<Product>,
}

impl Buyer {
    pub(super) fn new(edge: SocketAddr, token: &str, products: Vec<Product>) -> Self {
        Self { token: token.to_owned(), edge: Connection::new(edge), provider: None, products }
    }

    pub(super) fn has_products(&self) -> bool {
        !self.products.is_empty()
    }

    /// Buys the next course by card, and waits until its lesson can be opened. Checks that at this interval.
    pub(super) async fn buy(&mut self, interval: Duration) -> Outcome<Purchase> {
        let Some(product) = self.products.pop() else { return fail("the buyer owns every course") };
        let begun = Instant::now();
        let line = json!({ "product": product.id, "learner": null });
        self.call("POST", "/api/commerce/cart/line/", Some(line)).await?;
        let confirmation = self.call("GET", "/api/commerce/confirmation/", None).await?;
        let order = json!({ "confirmation": confirmation["digest"], "method": "card" });
        let order = self.call("POST", "/api/commerce/order/", Some(order)).await?;
        let sent = self.pay(&order).await?;
        self.wait_for_lesson(product.lesson, sent, interval).await?;
        Ok(Purchase { whole: begun.elapsed(), since_card: sent.elapsed() })
    }

    /// Puts a product and a coupon in the cart.
    pub(super) async fn fill_cart(&mut self, product: i64, coupon: i64) -> Outcome {
        let line = json!({ "product": product, "learner": null });
        self.call("POST", "/api/commerce/cart/line/", Some(line)).await?;
        self.call("PUT", &format!("/api/commerce/cart/coupon/{coupon}/"), None).await?;
        Ok(())
    }

    /// Orders what can still be bought of the cart. Asks again after an outdated confirmation, and after a refusal of
    /// the busy server. Returns `None` if nothing can be bought.
    pub(super) async fn order_cart(&mut self) -> Outcome<Option<Value>> {
        loop {
            let (mut status, mut answer) = self.send("GET", "/api/commerce/confirmation/", None).await?;
            if status == 200 {
                let order = json!({ "confirmation": answer["digest"], "method": "card" });
                (status, answer) = self.send("POST", "/api/commerce/order/", Some(order)).await?;
            }
            match (status, answer["code"].as_str()) {
                (201, _) => return Ok(Some(answer)),
                (_, Some("CART_EMPTY")) => return Ok(None),
                (_, Some("CONFIRMATION_CHANGED")) => {}
                (429 | 503, _) => tokio::time::sleep(BUSY).await,
                _ => return fail(format!("an order answers {status}: {answer}")),
            }
        }
    }

    /// Pays an order by card, and waits until all of it is granted.
    pub(super) async fn pay_and_wait(&mut self, order: &Value) -> Outcome {
        let sent = self.pay(order).await?;
        let path = format!("/api/commerce/order/{}/", order["id"].as_str().unwrap_or_default());
        loop {
            let order = self.call("GET", &path, None).await?;
            match order["state"].as_str() {
                Some("fulfilled") => return Ok(()),
                Some("awaiting_payment" | "paid") if sent.elapsed() < LIMIT => tokio::time::sleep(LOOK).await,
                _ => return fail(format!("a paid order is not granted: {order}")),
            }
        }
    }

    /// Submits the card on the provider's page. Returns the time of the submission.
    async fn pay(&mut self, order: &Value) -> Outcome<Instant> {
        let Some((address, path)) = order["payment"]["page_url"].as_str().and_then(split_url) else {
            return fail(format!("an order without a page to pay it: {order}"));
        };
        self.ask_provider(address, "GET", path, "").await?;
        let sent = Instant::now();
        self.ask_provider(address, "POST", path, CARD).await?;
        Ok(sent)
    }

    /// Polls until the lesson can be opened.
    async fn wait_for_lesson(&mut self, lesson: i64, since: Instant, interval: Duration) -> Outcome {
        let path = format!("/api/lms/lesson/{lesson}/");
        let request = self.request("GET", &path, None);
        loop {
            let (status, body) = self.edge.fetch(&request).await?;
            match status {
                200 => return Ok(()),
                403 | 404 if since.elapsed() < LIMIT => tokio::time::sleep(interval).await,
                _ => {
                    let text = String::from_utf8_lossy(&body);
                    return fail(format!(
                        "{path} answers {status}, {} s after the card was sent: {text}",
                        since.elapsed().as_secs()
                    ));
                }
            }
        }
    }

    /// Calls the API. The response must be a success.
    async fn call(&mut self, method: &str, path: &str, body: Option<Value>) -> Outcome<Value> {
        let (status, answer) = self.send(method, path, body).await?;
        if !(200..300).contains(&status) {
            return fail(format!("{method} {path} answers {status}: {answer}"));
        }
        Ok(answer)
    }

    /// Calls the API. Returns the status and the body.
    async fn send(&mut self, method: &str, path: &str, body: Option<Value>) -> Outcome<(u16, Value)> {
        let (status, answer) = self.edge.fetch(&self.request(method, path, body)).await?;
        let answer = serde_json::from_slice(&answer);
        Ok((status, answer.doing(|| format!("reading the answer {status} of {path}"))?))
    }

    /// Builds a request to the API. One with a body has an idempotency key.
    fn request(&self, method: &str, path: &str, body: Option<Value>) -> Bytes {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {}\r\n",
            self.token
        );
        let rest = body.map_or_else(
            || "\r\n".to_owned(),
            |body| {
                let (key, body) = (Uuid::new_v4(), body.to_string());
                format!(
                    "idempotency-key: {key}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                    body.len()
                )
            },
        );
        (head + &rest).into()
    }

    /// Opens the provider's page, or sends its form. A payment redirects to the site.
    async fn ask_provider(&mut self, address: SocketAddr, method: &str, path: &str, form: &str) -> Outcome {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/x-www-form-urlencoded\r\n\
             content-length: {}\r\n\r\n{form}",
            form.len()
        );
        let (_, connection) = match &mut self.provider {
            Some(provider) if provider.0 == address => provider,
            provider => provider.insert((address, Connection::new(address))),
        };
        let (status, body) = connection.fetch(request.as_bytes()).await?;
        let expected = if form.is_empty() { 200 } else { 303 };
        if status != expected {
            let text = String::from_utf8_lossy(&body);
            return fail(format!("{method} {path} at the provider answers {status}: {text}"));
        }
        Ok(())
    }
}

/// Splits a URL of the provider's page, `http://ADDRESS/PATH`.
fn split_url(url: &str) -> Option<(SocketAddr, &str)> {
    let rest = url.strip_prefix("http://")?;
    let (address, path) = rest.split_at(rest.find('/')?);
    Some((address.parse().ok()?, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_the_provider_is_in_the_url_of_its_page() {
        let address = SocketAddr::from(([127, 0, 0, 1], 7700));
        assert_eq!(split_url("http://127.0.0.1:7700/pay/cs_1"), Some((address, "/pay/cs_1")));
        assert_eq!(split_url("https://pay.example/1"), None);
    }

    #[test]
    fn a_request_with_a_body_has_its_length_and_a_key() {
        let buyer = Buyer::new(SocketAddr::from(([127, 0, 0, 1], 1)), "t", Vec::new());
        let request = String::from_utf8(buyer.request("POST", "/x/", Some(json!({"name": "花"}))).into());
        let request = request.expect("it is text");
        let (head, body) = request.split_once("\r\n\r\n").expect("it has a body");
        assert!(
            head.starts_with("POST /x/ HTTP/1.1\r\n") && head.contains("\r\nidempotency-key: "),
            "{head}"
        );
        assert!(head.ends_with(&format!("content-length: {}", body.len())), "{head}");
        assert_eq!(body, r#"{"name":"花"}"#);
    }
}
