//! The stand-in beside localstripe, an independent one: the same calls with cards have the same
//! results. `LOCALSTRIPE` is its program; `cargo dev test rust` installs it.
//!
//! localstripe differs from the provider, and from the stand-in, in what is not compared here: it
//! has no checkout sessions, idempotency keys, versions, `description`, `return_url`, disputes, fees
//! or payments by bank and at stores. 3-D Secure is always an action of the provider's own script.
//! Every error is an `invalid_request_error`, and none has the code `resource_missing`. It names no
//! decline code. A card that was never saved is declined when it is attached.

use std::process::Stdio;

use form_urlencoded::Serializer;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::support::{Answer, Sandbox, id};

const GOOD: &str = "4242424242424242";
const CHALLENGE: &str = "4000002500003155";
const DECLINED_ONCE_SAVED: &str = "4000000000000341";

#[tokio::test]
async fn cards_are_saved_charged_and_refunded_as_by_localstripe() {
    let own = run_card_calls(&Api::Sandbox(Sandbox::new().await)).await;
    let other = run_card_calls(&Api::LocalStripe(LocalStripe::start().await)).await;
    for (own, other) in own.iter().zip(&other) {
        assert_eq!(own, other);
    }
    assert_eq!(own.len(), other.len());
}

/// Calls with cards. Returns what is compared of each answer.
async fn run_card_calls(api: &Api) -> Vec<Seen> {
    let mut log = Log::default();
    let person = [("email", "one@konomana.example"), ("name", "サクラ ミノリ"), ("metadata[account]", "a-1")];
    let answer = api.post("/v1/customers", &person).await;
    let customer = log.add_new("customer", &answer, &["/object", "/email", "/name", "/metadata"]);

    let card = api.save_card(&customer, GOOD).await;
    log.name(&card, "card");
    let saved =
        ["/object", "/type", "/customer", "/card/brand", "/card/last4", "/card/exp_month", "/card/exp_year"];
    log.add("saved card", &api.get(&format!("/v1/payment_methods/{card}")).await, &saved);

    let paid = [
        "/object",
        "/amount",
        "/currency",
        "/status",
        "/customer",
        "/payment_method",
        "/metadata",
        "/next_action",
        "/last_payment_error",
    ];
    let answer = api.charge(&customer, &card).await;
    let intent = log.add_new("payment", &answer, &paid);
    let path = format!("/v1/payment_intents/{intent}");
    log.add("payment, later", &api.get(&path).await, &paid);
    log.add(
        "cancellation of what is paid",
        &api.post(&format!("{path}/cancel"), &[]).await,
        &["/error/type"],
    );

    let refunded = ["/object", "/amount", "/currency", "/status", "/payment_intent", "/metadata"];
    let part = [("payment_intent", intent.as_str()), ("amount", "500"), ("metadata[refund]", "r-1")];
    let refund = log.add_new("refund", &api.post("/v1/refunds", &part).await, &refunded);
    log.add("refund, later", &api.get(&format!("/v1/refunds/{refund}")).await, &refunded);
    let refunds = api.get(&format!("/v1/refunds?payment_intent={intent}&limit=10")).await;
    log.add("refunds", &refunds, &["/object", "/has_more", "/data/0/id", "/data/1"]);

    let declined = api.save_card(&customer, DECLINED_ONCE_SAVED).await;
    log.add("declined payment", &api.charge(&customer, &declined).await, &["/error/code"]);

    let challenge = api.save_card(&customer, CHALLENGE).await;
    log.add(
        "card with 3-D Secure",
        &api.get(&format!("/v1/payment_methods/{challenge}")).await,
        &["/card/last4"],
    );

    let detached = api.post(&format!("/v1/payment_methods/{card}/detach"), &[]).await;
    log.add("detached card", &detached, &["/object", "/customer", "/card/last4"]);
    for path in ["/v1/payment_intents/pi_none", "/v1/refunds/re_none", "/v1/customers/cus_none"] {
        log.add(path, &api.get(path).await, &["/error/type"]);
    }
    let deleted = api.send(Method::DELETE, &format!("/v1/customers/{customer}"), &[]).await;
    log.add("deleted customer", &deleted, &["/object", "/id", "/deleted"]);
    log.seen
}

/// What is compared of an answer: the call, the status, and some fields.
#[derive(Debug, PartialEq)]
struct Seen {
    call: String,
    status: StatusCode,
    fields: Vec<(String, Value)>,
}

#[derive(Default)]
struct Log {
    seen: Vec<Seen>,
    /// Ids and their names, which are the same on both sides.
    names: Vec<(String, String)>,
}

impl Log {
    fn name(&mut self, id: &str, name: &str) {
        self.names.push((id.to_owned(), name.to_owned()));
    }

    /// Remembers these fields of the answer. A missing field is null.
    fn add(&mut self, call: &str, answer: &Answer, pointers: &[&str]) {
        let body = answer.json();
        let fields = pointers.iter().map(|pointer| {
            let mut value = body.pointer(pointer).cloned().unwrap_or_default();
            if let Some((_, name)) = self.names.iter().find(|(id, _)| value == **id) {
                value = json!(name);
            }
            ((*pointer).to_owned(), value)
        });
        let fields = fields.collect();
        self.seen.push(Seen { call: call.to_owned(), status: answer.status, fields });
    }

    /// Remembers the answer and names the created object. Returns its id.
    fn add_new(&mut self, call: &str, answer: &Answer, pointers: &[&str]) -> String {
        self.add(call, answer, pointers);
        let id = id(&answer.json());
        self.name(&id, call);
        id
    }
}

enum Api {
    Sandbox(Sandbox),
    LocalStripe(LocalStripe),
}

impl Api {
    async fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        self.send(Method::POST, path, form).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[]).await
    }

    async fn send(&self, method: Method, path: &str, form: &[(&str, &str)]) -> Answer {
        match self {
            Self::Sandbox(sandbox) => sandbox.call(method, path, "", form).await,
            Self::LocalStripe(other) => other.send(method, path, form).await,
        }
    }

    /// Saves a card and returns its id.
    async fn save_card(&self, customer: &str, number: &str) -> String {
        match self {
            Self::Sandbox(sandbox) => sandbox.save_card(customer, number).await,
            Self::LocalStripe(other) => {
                let card = [
                    ("type", "card"),
                    ("card[number]", number),
                    ("card[exp_month]", "12"),
                    ("card[exp_year]", "2034"),
                    ("card[cvc]", "123"),
                ];
                let card = id(&other.send(Method::POST, "/v1/payment_methods", &card).await.json());
                let attach = format!("/v1/payment_methods/{card}/attach");
                let attached = other.send(Method::POST, &attach, &[("customer", customer)]).await;
                assert_eq!(attached.status, StatusCode::OK, "{}", attached.text);
                card
            }
        }
    }

    /// Pays 16,500 yen with a saved card off session.
    async fn charge(&self, customer: &str, card: &str) -> Answer {
        let form = [
            ("amount", "16500"),
            ("currency", "jpy"),
            ("customer", customer),
            ("payment_method", card),
            ("payment_method_types[0]", "card"),
            ("off_session", "true"),
            ("confirm", "true"),
            ("metadata[order]", "order-1"),
        ];
        self.post("/v1/payment_intents", &form).await
    }
}

/// A running localstripe. It ends with the test.
struct LocalStripe {
    _process: Child,
    url: String,
    http: Client<HttpConnector, Full<axum::body::Bytes>>,
}

impl LocalStripe {
    async fn start() -> Self {
        #[expect(clippy::disallowed_methods, reason = "a test has no config.rs")]
        let program = std::env::var_os("LOCALSTRIPE").expect("LOCALSTRIPE names the program");
        let mut process = Command::new(program)
            .args(["--from-scratch", "--port", "0"])
            .env("PYTHONUNBUFFERED", "1")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        // ======== Running on http://[::]:40123 ========
        let port = loop {
            let line = lines.next_line().await.unwrap().expect("it says where it listens");
            let port = line.split_once("http://[::]:").map(|(_, rest)| rest.split(' ').next().unwrap());
            if let Some(port) = port {
                break port.to_owned();
            }
        };
        let http = Client::builder(TokioExecutor::new()).build_http();
        Self { _process: process, url: format!("http://127.0.0.1:{port}"), http }
    }

    async fn send(&self, method: Method, path: &str, form: &[(&str, &str)]) -> Answer {
        let body = Serializer::new(String::new()).extend_pairs(form).finish();
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url))
            .header("authorization", "Bearer sk_test_localstripe")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Full::from(body))
            .unwrap();
        let (head, body) = self.http.request(request).await.unwrap().into_parts();
        let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        Answer { status: head.status, headers: head.headers, text }
    }
}
