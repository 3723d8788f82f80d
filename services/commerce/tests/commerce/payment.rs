//! Payments from the order to their end, with the sandbox as the provider: over real sockets, its
//! payment page and its webhook events.

mod client;
mod ending;
mod outage;
mod page;
mod reconciliation;
mod sequence;
mod signature;
mod transfer;
mod webhook;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use axum::routing::post;
use commerce::Commerce;
use commerce::config::{Issuer, ProviderArgs};
use commerce::provider::Provider;
use commerce::settlement::Settlement;
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kit::caller::Service;
use kit::client::Channel;
use kit::encryption::{KeyedHash, Secret};
use kit::shutdown::Shutdown;
use kit::test::{TestServer, anyone};
use proto::commerce::provider_service_client::ProviderServiceClient;
use proto::commerce::{Order, OrderPaid, OrderState, PaymentState, ReceiveEventRequest};
use proto::lms::EntitlementGranted;

use crate::buying::{COURSE, OTHER, Workers, states};
use crate::customer::Customer;
use crate::shop::{SECRET, Shop, outbox, pdf_writer};

const KEY: &str = "sk_test_flow";
const WEBHOOK_SECRET: &str = "whsec_flow";
const SITE: &str = "https://konomana.example";
/// Time limit of commerce's calls, and the delay of a slow response.
const LIMIT: Duration = Duration::from_millis(500);
const SLOW: Duration = Duration::from_secs(2);
/// The test timeout, far longer than any step.
const PATIENCE: Duration = Duration::from_secs(20);

const GOOD: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";
const SECURE: &str = "4000002500003155";

/// A shop whose provider is the sandbox.
struct PayingShop {
    shop: Shop,
    learner: Customer,
    sandbox: TestServer,
    webhook: Webhook,
    http: Client<HttpConnector, Full<Bytes>>,
    /// `None` if the test runs the queues itself.
    workers: Option<Workers>,
    shutdown: Shutdown,
}

impl PayingShop {
    /// A shop whose learner has a course of 16,500 yen in the cart.
    async fn new() -> Self {
        let mut shop = Box::pin(Self::idle(&[COURSE, OTHER], &[])).await;
        shop.workers = Some(shop.shop.work());
        shop.learner.add(1101).await.unwrap();
        shop
    }

    /// A shop with these products and coupons whose queues only run on request.
    async fn idle(products: &[&str], coupons: &[&str]) -> Self {
        let mut shop = Shop::with_coupons(products, coupons).await;
        let (webhook, sandbox, shutdown) = start_sandbox(&mut shop).await;
        let learner = shop.learner();
        let http = Client::builder(TokioExecutor::new()).build_http();
        Self { shop, learner, sandbox, webhook, http, workers: None, shutdown }
    }

    /// Empties the shop and starts a new sandbox. The content stays.
    async fn start_over(&mut self) {
        self.shutdown.begin();
        self.shop.start_over().await;
        (self.webhook, self.sandbox, self.shutdown) = start_sandbox(&mut self.shop).await;
        // The new sandbox may have the port of an old one, to which the old client keeps connections.
        self.http = Client::builder(TokioExecutor::new()).build_http();
        self.learner = self.shop.learner();
    }

    /// A shop with an order that awaits payment.
    async fn with_order() -> (Self, Order) {
        let shop = Self::new().await;
        let order = shop.learner.place().await.unwrap();
        assert_eq!(states(&order), (OrderState::AwaitingPayment, PaymentState::RequiresAction));
        (shop, order)
    }

    /// Sends a request to the sandbox, as a browser or as a client of its API.
    async fn send(&self, method: Method, path: &str, form: &[(&str, &str)]) -> Page {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.sandbox.url()))
            .header(header::AUTHORIZATION, format!("Bearer {KEY}"))
            .header("stripe-version", commerce::provider::API_VERSION)
            .body(Full::new(Bytes::from(body)))
            .unwrap();
        let (head, body) = self.http.request(request).await.unwrap().into_parts();
        let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        let location = head.headers.get(header::LOCATION).map(|value| value.to_str().unwrap().to_owned());
        Page { text, location }
    }

    /// Enters a card on the payment page of a session. Returns the redirect target.
    async fn pay(&self, session: &str, number: &str) -> Page {
        let form = [("number", number), ("expiry", "12/34"), ("cvc", "123")];
        self.send(Method::POST, &format!("/pay/{session}"), &form).await
    }

    /// Switches a fault of `webhooks` or `answers`.
    async fn switch(&self, of: &str, fault: &str) {
        let page = self.send(Method::POST, &format!("/tool/{of}"), &[("fault", fault)]).await;
        assert_eq!(page.location.as_deref(), Some("/"), "{}", page.text);
    }

    /// The ids of all sessions in the sandbox, newest first.
    async fn sessions(&self) -> Vec<String> {
        let list = self.send(Method::GET, "/v1/checkout/sessions?limit=100", &[]).await;
        let list: serde_json::Value = serde_json::from_str(&list.text).unwrap();
        let ids = list["data"].as_array().unwrap().iter();
        ids.map(|session| session["id"].as_str().unwrap().to_owned()).collect()
    }

    /// Waits until an order and its last payment have these states.
    async fn until(&self, id: &str, wanted: (OrderState, PaymentState)) -> Order {
        let mut last = None;
        let waiting = async {
            loop {
                let order = self.learner.order(id).await.unwrap();
                if states(&order) == wanted {
                    return order;
                }
                last = Some(states(&order));
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let found = tokio::time::timeout(PATIENCE, waiting).await;
        found.unwrap_or_else(|_| panic!("{last:?} never was {wanted:?}"))
    }

    /// Waits until the sandbox has made this many deliveries in all, and commerce has processed all
    /// stored events.
    async fn until_delivered(&self, deliveries: usize) {
        let waiting = async {
            while self.webhook.deliveries() < deliveries {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.unwrap();
        self.shop.until("SELECT id FROM provider_event WHERE processed_at IS NULL", 0).await;
    }

    /// Asserts that the order was paid exactly once: one grant, one mail, and a ledger without open
    /// balances.
    async fn assert_paid_once(&self, order: &Order) {
        let grants = self.shop.events::<EntitlementGranted>("lms").await;
        let sources: Vec<_> = grants.into_iter().map(|grant| grant.source.unwrap().id).collect();
        assert_eq!(sources, [format!("{}:1", order.id)]);
        assert_eq!(self.shop.events::<OrderPaid>("desk").await.len(), 1);
        assert_eq!(self.shop.balances().await, ["provider_cash 16500", "revenue -15000", "tax -1500"]);
        assert_eq!(self.shop.journals().await, ["order_placed", "payment_received"]);
        assert_eq!(self.shop.texts("SELECT 'one' FROM refund").await.len(), 0);
        assert!(self.learner.cart().await.lines.is_empty());
    }
}

/// Starts a sandbox, and lets the shop's commerce use it.
async fn start_sandbox(shop: &mut Shop) -> (Webhook, TestServer, Shutdown) {
    let webhook = Webhook::start().await;
    let shutdown = Shutdown::default();
    let settings = sandbox::config::Settings {
        url: "http://sandbox.test".to_owned(),
        key: KEY.to_owned(),
        webhook_secret: WEBHOOK_SECRET.to_owned(),
        webhook_url: format!("{}/api/commerce/webhook/", webhook.server.url()),
        state: None,
        slow: SLOW,
    };
    let router = sandbox::start(&settings, shop.clock.clock(), shutdown.clone()).unwrap();
    let sandbox = TestServer::http(router).await;
    let clock = shop.clock.clock();
    let pool = shop.database.pool.clone();
    let provider = provider(&sandbox.url());
    shop.settlement = Settlement::new(pool.clone(), provider, outbox(), clock.clone(), SITE);
    let services = commerce::services(Commerce {
        pool,
        clock,
        lms: shop.lms.channel(),
        issuer: Issuer { name: String::new(), number: String::new() },
        pdf_writer: pdf_writer(),
        settlement: shop.settlement.clone(),
        keyed_hash: KeyedHash::new(SECRET.parse::<Secret>().unwrap().key("commerce", "hash")),
    });
    shop.server = TestServer::service(Service::Commerce, commerce::CALLERS, services).await;
    webhook.forward_to(shop.server.channel_as(anyone()));
    (webhook, sandbox, shutdown)
}

impl Drop for PayingShop {
    fn drop(&mut self) {
        self.shutdown.begin();
    }
}

/// A response of the sandbox.
struct Page {
    text: String,
    location: Option<String>,
}

/// The client of a provider at `url`.
fn provider(url: &str) -> Provider {
    let settings = ProviderArgs {
        provider_url: url.to_owned(),
        provider_key: KEY.to_owned(),
        provider_webhook_secret: WEBHOOK_SECRET.to_owned(),
        provider_limit: LIMIT,
    };
    Provider::new(&settings).unwrap()
}

/// The session of the payment page.
fn session_of(order: &Order) -> String {
    let page = order.payment.as_ref().unwrap().page_url.as_deref().unwrap();
    page.strip_prefix("http://sandbox.test/pay/").unwrap().to_owned()
}

/// Receives webhook events and forwards them to commerce, like the edge.
struct Webhook {
    server: TestServer,
    state: Arc<WebhookState>,
}

#[derive(Default)]
struct WebhookState {
    commerce: OnceLock<Channel>,
    deliveries: AtomicUsize,
}

impl Webhook {
    async fn start() -> Self {
        let state = Arc::<WebhookState>::default();
        let router = Router::new().route("/api/commerce/webhook/", post(forward)).with_state(state.clone());
        Self { server: TestServer::http(router).await, state }
    }

    fn forward_to(&self, commerce: Channel) {
        assert!(self.state.commerce.set(commerce).is_ok());
    }

    /// The number of deliveries that commerce accepted.
    fn deliveries(&self) -> usize {
        self.state.deliveries.load(Ordering::SeqCst)
    }
}

async fn forward(State(state): State<Arc<WebhookState>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let signature = headers["stripe-signature"].to_str().unwrap().to_owned();
    let mut commerce = ProviderServiceClient::new(state.commerce.get().unwrap().clone());
    let taken = commerce.receive_event(ReceiveEventRequest { body: body.to_vec(), signature }).await;
    if taken.is_err() {
        return StatusCode::BAD_REQUEST;
    }
    state.deliveries.fetch_add(1, Ordering::SeqCst);
    StatusCode::OK
}
