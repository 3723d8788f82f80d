//! A running sandbox with its client and its receiver of events.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kit::shutdown::Shutdown;
use kit::test::{HandClock, TestServer};
use sandbox::config::Settings;
use serde_json::Value;
use time::OffsetDateTime;
use time::macros::datetime;
use tokio::sync::{Mutex, OwnedRwLockWriteGuard, RwLock, mpsc};

/// The time at the start of each test.
pub(crate) const NOW: OffsetDateTime = datetime!(2026-11-25 10:00 UTC);
pub(crate) const KEY: &str = "sk_test_sandbox";
pub(crate) const WEBHOOK_SECRET: &str = "whsec_sandbox";
/// The origin of the pages.
pub(crate) const ORIGIN: &str = "http://sandbox.test";
pub(crate) const VERSION: &str = "2026-07-29.dahlia";
/// The test timeout, far longer than a delivery.
const PATIENCE: Duration = Duration::from_secs(20);

/// The parameters of a session, of 16,500 yen.
pub(crate) const SESSION: &[(&str, &str)] = &[
    ("mode", "payment"),
    ("locale", "ja"),
    ("client_reference_id", "order-1"),
    ("customer_email", "one@konomana.example"),
    ("success_url", "http://site.test/done?session={CHECKOUT_SESSION_ID}"),
    ("cancel_url", "http://site.test/back?a=1&b=2"),
    ("line_items[0][quantity]", "1"),
    ("line_items[0][price_data][currency]", "jpy"),
    ("line_items[0][price_data][unit_amount]", "16500"),
    ("line_items[0][price_data][product_data][name]", "中3数学 <二次方程式>"),
    ("metadata[number]", "KM-261125-7Q4F2"),
    ("payment_method_types[0]", "card"),
];

/// The parameters of a payment by bank transfer, except for customer and amount.
pub(crate) const TRANSFER: &[(&str, &str)] = &[
    ("currency", "jpy"),
    ("confirm", "true"),
    ("payment_method_types[0]", "customer_balance"),
    ("payment_method_data[type]", "customer_balance"),
    ("payment_method_options[customer_balance][funding_type]", "bank_transfer"),
    ("payment_method_options[customer_balance][bank_transfer][type]", "jp_bank_transfer"),
    ("metadata[number]", "KM-261125-7Q4F2"),
];

/// The parameters of a payment of 13,200 yen at a store.
pub(crate) const KONBINI: &[(&str, &str)] = &[
    ("amount", "13200"),
    ("currency", "jpy"),
    ("confirm", "true"),
    ("payment_method_types[0]", "konbini"),
    ("payment_method_data[type]", "konbini"),
    ("payment_method_data[billing_details][name]", "佐倉 みのり"),
    ("payment_method_data[billing_details][email]", "one@konomana.example"),
    ("payment_method_options[konbini][product_description]", "中1英語"),
    ("metadata[number]", "KM-261125-7Q4F2"),
];

pub(crate) struct Sandbox {
    pub(crate) clock: HandClock,
    pub(crate) server: TestServer,
    pub(crate) receiver: Receiver,
    pub(crate) settings: Settings,
    shutdown: Shutdown,
    http: Client<HttpConnector, Full<Bytes>>,
}

/// A response.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub(crate) fn location(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.text);
        self.headers[header::LOCATION].to_str().unwrap()
    }

    /// `type` and `code` of an error.
    pub(crate) fn problem(&self) -> (u16, String, String) {
        let error = &self.json()["error"];
        let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        (self.status.as_u16(), text("type"), text("code"))
    }
}

impl Sandbox {
    /// Starts a sandbox without a state file.
    pub(crate) async fn new() -> Self {
        Self::start(None, HandClock::at(NOW)).await
    }

    pub(crate) async fn start(state: Option<PathBuf>, clock: HandClock) -> Self {
        let receiver = Receiver::start().await;
        let settings = Settings {
            url: ORIGIN.to_owned(),
            key: KEY.to_owned(),
            webhook_secret: WEBHOOK_SECRET.to_owned(),
            webhook_url: format!("{}/hook/", receiver.server.url()),
            state,
            slow: Duration::from_millis(300),
        };
        let shutdown = Shutdown::default();
        let router = sandbox::start(&settings, clock.clock(), shutdown.clone()).unwrap();
        let server = TestServer::http(router).await;
        let http = Client::builder(TokioExecutor::new()).build_http();
        Self { clock, server, receiver, settings, shutdown, http }
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        form: &[(&str, &str)],
    ) -> Answer {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.server.url()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(Bytes::from(body))).unwrap();
        let (head, body) = self.http.request(request).await.unwrap().into_parts();
        let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        Answer { status: head.status, headers: head.headers, text }
    }

    /// Calls the API, with `key` as idempotency key unless it is empty.
    pub(crate) async fn call(&self, method: Method, path: &str, key: &str, form: &[(&str, &str)]) -> Answer {
        let authorization = format!("Bearer {KEY}");
        let mut headers = vec![("authorization", authorization.as_str()), ("stripe-version", VERSION)];
        if !key.is_empty() {
            headers.push(("idempotency-key", key));
        }
        self.send(method, path, &headers, form).await
    }

    pub(crate) async fn post(&self, path: &str, key: &str, form: &[(&str, &str)]) -> Answer {
        self.call(Method::POST, path, key, form).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path, "", &[]).await
    }

    /// Gets a page like a browser.
    pub(crate) async fn page(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], &[]).await
    }

    /// Submits a form like a browser.
    pub(crate) async fn submit(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        self.send(Method::POST, path, &[], form).await
    }

    /// Switches a fault of `webhooks` or `answers`.
    pub(crate) async fn switch(&self, of: &str, fault: &str) {
        let answer = self.submit(&format!("/tool/{of}"), &[("fault", fault)]).await;
        assert_eq!(answer.location(), "/");
    }

    /// Creates a session and returns its id.
    pub(crate) async fn create(&self) -> String {
        let answer = self.post("/v1/checkout/sessions", "", SESSION).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// Pays a session on its page.
    pub(crate) async fn pay(&self, session: &str, number: &str) -> Answer {
        self.submit(&format!("/pay/{session}"), &[("number", number), ("expiry", "12/34"), ("cvc", "123")])
            .await
    }

    /// A session with its payment intent.
    pub(crate) async fn session(&self, id: &str) -> Value {
        let answer = self.get(&format!("/v1/checkout/sessions/{id}?expand[0]=payment_intent")).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        answer.json()
    }
}

impl Sandbox {
    /// Calls the API and returns the created object.
    pub(crate) async fn make(&self, path: &str, form: &[(&str, &str)]) -> Value {
        let answer = self.post(path, "", form).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
        answer.json()
    }

    /// Gets an existing object.
    pub(crate) async fn find(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
        answer.json()
    }

    /// Creates a customer and returns its id.
    pub(crate) async fn customer(&self) -> String {
        let form =
            [("email", "one@konomana.example"), ("name", "サクラ ミノリ"), ("metadata[account]", "a-1")];
        id(&self.make("/v1/customers", &form).await)
    }

    /// A customer whose transfers the merchant reconciles.
    pub(crate) async fn manual_customer(&self) -> String {
        let customer = self.customer().await;
        let path = format!("/v1/customers/{customer}/cash_balance");
        self.make(&path, &[("settings[reconciliation_mode]", "manual")]).await;
        customer
    }

    /// Creates a payment by bank transfer.
    pub(crate) async fn transfer_intent(&self, customer: &str, amount: &str) -> Value {
        let form = [TRANSFER, &[("customer", customer), ("amount", amount)]].concat();
        self.make("/v1/payment_intents", &form).await
    }

    /// Creates a payment at a store.
    pub(crate) async fn konbini_intent(&self) -> Value {
        self.make("/v1/payment_intents", KONBINI).await
    }

    /// Receives a bank transfer of a customer.
    pub(crate) async fn send_money(&self, customer: &str, amount: &str) {
        let page = format!("/tool/customers/{customer}");
        let sent = self.submit(&format!("{page}/transfer"), &[("amount", amount)]).await;
        assert_eq!(sent.location(), page);
    }

    /// The cash balance of a customer in yen.
    pub(crate) async fn cash(&self, customer: &str) -> Value {
        self.find(&format!("/v1/customers/{customer}/cash_balance")).await["available"]["jpy"].clone()
    }

    pub(crate) async fn intent(&self, id: &str) -> Value {
        self.find(&format!("/v1/payment_intents/{id}")).await
    }

    /// Saves a card on the page and returns its id.
    pub(crate) async fn save_card(&self, customer: &str, number: &str) -> String {
        let session = self.make("/v1/checkout/sessions", &setup(customer)).await;
        let answer = self.pay(&id(&session), number).await;
        if answer.location().ends_with("/authenticate") {
            let done = self.submit(answer.location(), &[("result", "success")]).await;
            assert!(done.location().starts_with("http://site.test/saved"), "{}", done.text);
        }
        let path = format!("/v1/checkout/sessions/{}?expand[0]=setup_intent", id(&session));
        let session = self.find(&path).await;
        session["setup_intent"]["payment_method"].as_str().expect("the card is saved").to_owned()
    }

    /// Pays with a saved card off session.
    pub(crate) async fn charge(&self, customer: &str, card: &str, amount: &str) -> Answer {
        let form = [
            ("amount", amount),
            ("currency", "jpy"),
            ("customer", customer),
            ("payment_method", card),
            ("off_session", "true"),
            ("confirm", "true"),
            ("description", "KM-261125-7Q4F2"),
            ("metadata[order]", "order-1"),
        ];
        self.post("/v1/payment_intents", "", &form).await
    }

    /// Pays 10,000 yen with a valid card and returns the intent.
    pub(crate) async fn paid_intent(&self) -> String {
        let customer = self.customer().await;
        let card = self.save_card(&customer, "4242424242424242").await;
        id(&self.charge(&customer, &card, "10000").await.json())
    }
}

/// The id of an object.
pub(crate) fn id(object: &Value) -> String {
    object["id"].as_str().expect("it has an id").to_owned()
}

/// The parameters of a session that saves a card.
pub(crate) fn setup(customer: &str) -> Vec<(&str, &str)> {
    vec![
        ("mode", "setup"),
        ("customer", customer),
        ("currency", "jpy"),
        ("locale", "ja"),
        ("payment_method_types[0]", "card"),
        ("success_url", "http://site.test/saved?session={CHECKOUT_SESSION_ID}"),
        ("cancel_url", "http://site.test/settings"),
        ("setup_intent_data[metadata][account]", "a-1"),
    ]
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.shutdown.begin();
    }
}

/// A receiver of webhook events.
pub(crate) struct Receiver {
    server: TestServer,
    arrivals: mpsc::UnboundedReceiver<Arrival>,
    statuses: mpsc::UnboundedSender<StatusCode>,
    /// Locked for writing while responses are held.
    gate: Arc<RwLock<()>>,
}

/// A received webhook event.
pub(crate) struct Arrival {
    pub(crate) signature: String,
    pub(crate) body: Bytes,
}

impl Arrival {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn r#type(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }

    /// The id of the payment of a session or a payment intent.
    pub(crate) fn payment(&self) -> String {
        let object = &self.json()["data"]["object"];
        object["payment_intent"].as_str().unwrap_or_else(|| object["id"].as_str().unwrap()).to_owned()
    }
}

#[derive(Clone)]
struct Script {
    sender: mpsc::UnboundedSender<Arrival>,
    statuses: Arc<Mutex<mpsc::UnboundedReceiver<StatusCode>>>,
    gate: Arc<RwLock<()>>,
}

impl Receiver {
    async fn start() -> Self {
        let (sender, arrivals) = mpsc::unbounded_channel();
        let (statuses, script) = mpsc::unbounded_channel();
        let gate = Arc::new(RwLock::new(()));
        let script = Script { sender, statuses: Arc::new(Mutex::new(script)), gate: gate.clone() };
        let take = |State(script): State<Script>, headers: HeaderMap, body: Bytes| async move {
            let signature = headers["stripe-signature"].to_str().unwrap().to_owned();
            script.sender.send(Arrival { signature, body }).unwrap();
            let _open = script.gate.read().await;
            script.statuses.lock().await.try_recv().unwrap_or(StatusCode::OK)
        };
        let router = Router::new().route("/hook/", post(take)).with_state(script);
        Self { server: TestServer::http(router).await, arrivals, statuses, gate }
    }

    /// Holds the responses until the guard is dropped.
    pub(crate) async fn hold(&self) -> OwnedRwLockWriteGuard<()> {
        self.gate.clone().write_owned().await
    }

    /// Responds to the next event with `status`, and to later ones with 200.
    pub(crate) fn answer(&self, status: StatusCode) {
        self.statuses.send(status).unwrap();
    }

    /// Waits for the next event.
    pub(crate) async fn next(&mut self) -> Arrival {
        tokio::time::timeout(PATIENCE, self.arrivals.recv()).await.expect("an event comes").unwrap()
    }

    /// Waits for events of these types, in this order.
    pub(crate) async fn expect(&mut self, types: &[&str]) {
        let mut found = Vec::new();
        for _ in types {
            found.push(self.next().await.r#type());
        }
        assert_eq!(found, types);
    }

    /// Whether no unexpected event has arrived.
    pub(crate) fn is_empty(&self) -> bool {
        self.arrivals.is_empty()
    }
}
