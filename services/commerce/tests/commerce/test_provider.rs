//! A test payment provider with configurable behaviour.

pub(crate) mod card;
pub(crate) mod intent;
mod refund;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use aws_lc_rs::hmac;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use commerce::config::ProviderArgs;
use commerce::provider::Provider;
use kit::clock::Clock;
use kit::test::TestServer;
use serde_json::{Value, json};
use time::OffsetDateTime;

use card::CardBooks;

/// The secret of the webhook endpoint.
const SECRET: &str = "whsec_0123456789";

/// How it responds to calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    Answers,
    /// Refuses every new session.
    Refuses,
    /// Does nothing and returns an error.
    Down,
    /// Performs the call, but the response is lost.
    Mute,
}

/// A Checkout Session.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// The idempotency key.
    pub(crate) key: String,
    /// The form that created it.
    pub(crate) form: HashMap<String, String>,
    status: &'static str,
    is_paid: bool,
    amount: i32,
    declined: Option<&'static str>,
    /// The card that was saved with it.
    card: Option<usize>,
}

use refund::Returns;

struct Books {
    clock: Clock,
    behaviour: Behaviour,
    sessions: Vec<Session>,
    returns: Returns,
    cards: CardBooks,
    intents: Vec<intent::Intent>,
    customers: Vec<intent::Customer>,
    /// Whether the next application of a cash balance is performed without a response.
    loses_application: bool,
    /// Whether it does not respond to new refunds.
    is_mute_on_refunds: bool,
}

type Shared = Arc<Mutex<Books>>;
type Answer = (StatusCode, Json<Value>);

pub(crate) struct TestProvider {
    books: Shared,
    server: TestServer,
}

impl TestProvider {
    pub(crate) async fn start(clock: Clock) -> Self {
        let books = Books {
            clock,
            behaviour: Behaviour::Answers,
            sessions: Vec::new(),
            returns: Returns::default(),
            cards: CardBooks::default(),
            intents: Vec::new(),
            customers: Vec::new(),
            loses_application: false,
            is_mute_on_refunds: false,
        };
        let books = Arc::new(Mutex::new(books));
        let app = Router::new()
            .route("/v1/checkout/sessions", post(create_session).get(find_session_of_intent))
            .route("/v1/checkout/sessions/{id}", get(find_session))
            .route("/v1/checkout/sessions/{id}/expire", post(expire_session))
            .route("/v1/setup_intents/{id}", get(card::find_setup_intent))
            .route("/v1/payment_methods/{id}", get(card::find_card))
            .route("/v1/payment_methods/{id}/detach", post(card::detach_card))
            .merge(refund::routes())
            .merge(intent::routes())
            .with_state(books.clone());
        Self { books, server: TestServer::http(app).await }
    }

    /// A client of this provider.
    pub(crate) fn client(&self) -> Provider {
        let settings = ProviderArgs {
            provider_url: self.server.url(),
            provider_key: "sk_test_0123456789".to_owned(),
            provider_webhook_secret: SECRET.to_owned(),
            provider_limit: std::time::Duration::from_secs(5),
        };
        Provider::new(&settings).unwrap()
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap()
    }

    pub(crate) fn set_behaviour(&self, behaviour: Behaviour) {
        self.books().behaviour = behaviour;
    }

    /// The sessions so far.
    pub(crate) fn sessions(&self) -> Vec<Session> {
        self.books().sessions.clone()
    }

    /// The buyer pays on the page of a session, open or closed.
    pub(crate) fn pay(&self, session: usize) {
        let amount = self.books().sessions[session].amount;
        self.pay_amount(session, amount);
    }

    /// The same with another amount.
    pub(crate) fn pay_amount(&self, session: usize, amount: i32) {
        let mut books = self.books();
        let form = &books.sessions[session].form;
        let is_saved = form.contains_key("payment_intent_data[setup_future_usage]");
        let card = is_saved.then(|| form["customer"].clone()).map(|customer| books.save_card(customer));
        let session = &mut books.sessions[session];
        (session.status, session.is_paid, session.amount, session.card) = ("complete", true, amount, card);
    }

    /// The buyer's bank refuses the card.
    pub(crate) fn decline(&self, session: usize, code: &'static str) {
        self.books().sessions[session].declined = Some(code);
    }

    /// Whether the buyer can pay in a session.
    pub(crate) fn is_open(&self, session: usize) -> bool {
        self.books().sessions[session].status == "open"
    }

    /// The page of a session closes.
    pub(crate) fn close(&self, session: usize) {
        self.books().sessions[session].status = "expired";
    }

    /// Sets the status of a session.
    pub(crate) fn set_session(&self, session: usize, status: &'static str) {
        self.books().sessions[session].status = status;
    }

    /// Sets whether it responds to new refunds.
    pub(crate) fn set_refunds(&self, answers: bool) {
        self.books().is_mute_on_refunds = !answers;
    }
}

/// An event about an object, with its signature at `now`.
pub(crate) fn event(id: &str, kind: &str, object: &str, now: OffsetDateTime) -> (Vec<u8>, String) {
    // Here, an object's customer is the object itself.
    let customer = object.starts_with("cus_").then_some(object);
    let object = json!({"id": object, "customer": customer});
    sign(&json!({"id": id, "type": kind, "livemode": false, "data": {"object": object}}), now)
}

/// The same for a charge of a payment intent.
pub(crate) fn charge_event(id: &str, kind: &str, intent: &str, now: OffsetDateTime) -> (Vec<u8>, String) {
    let charge = json!({"id": "ch_1", "object": "charge", "payment_intent": intent});
    sign(&json!({"id": id, "type": kind, "livemode": false, "data": {"object": charge}}), now)
}

fn sign(body: &Value, now: OffsetDateTime) -> (Vec<u8>, String) {
    sign_with(SECRET, body, now)
}

/// The bytes of an event, with its signature at `now` by the secret of an endpoint.
pub(crate) fn sign_with(secret: &str, body: &Value, now: OffsetDateTime) -> (Vec<u8>, String) {
    let body = body.to_string().into_bytes();
    let time = now.unix_timestamp().to_string();
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, &[time.as_bytes(), b".", &body].concat());
    (body, format!("t={time},v1={}", hex::encode(tag)))
}

fn error(status: StatusCode, code: &str) -> Answer {
    (status, Json(json!({"error": {"type": "invalid_request_error", "code": code}})))
}

fn unavailable() -> Answer {
    error(StatusCode::SERVICE_UNAVAILABLE, "api_error")
}

/// The response, or its loss.
fn respond(behaviour: Behaviour, answer: Value) -> Answer {
    if behaviour == Behaviour::Mute { unavailable() } else { (StatusCode::OK, Json(answer)) }
}

fn number(id: &str) -> usize {
    id.rsplit('_').next().unwrap().parse().unwrap()
}

fn parse_form(body: &str) -> HashMap<String, String> {
    form_urlencoded::parse(body.as_bytes()).into_owned().collect()
}

fn show_session(number: usize, session: &Session) -> Value {
    let intent = json!({
        "id": format!("pi_{number}"),
        "payment_method": session.card.map(|card| format!("pm_{card}")),
        "last_payment_error": session.declined.map(|code| json!({"code": "card_declined", "decline_code": code})),
    });
    let has_intent = session.is_paid || session.declined.is_some();
    json!({
        "id": format!("cs_{number}"),
        "client_reference_id": session.form["client_reference_id"],
        "status": session.status,
        "payment_status": if session.is_paid { "paid" } else { "unpaid" },
        "url": (session.status == "open").then(|| format!("https://pay.example/{number}")),
        "payment_intent": has_intent.then_some(intent),
        "amount_total": session.amount,
        "currency": "jpy",
    })
}

async fn create_session(State(books): State<Shared>, headers: HeaderMap, body: String) -> Answer {
    let mut books = books.lock().unwrap();
    match books.behaviour {
        Behaviour::Down => return unavailable(),
        Behaviour::Refuses => return error(StatusCode::BAD_REQUEST, "amount_too_small"),
        Behaviour::Answers | Behaviour::Mute => {}
    }
    let key = headers["idempotency-key"].to_str().unwrap().to_owned();
    let known = books.sessions.iter().position(|session| session.key == key);
    let form = parse_form(&body);
    if form["mode"] == "setup" {
        return card::create_setup(&mut books, key, form);
    }
    let number = known.unwrap_or(books.sessions.len());
    if known.is_none() {
        let amount = form["line_items[0][price_data][unit_amount]"].parse().unwrap();
        books.sessions.push(Session {
            key,
            form,
            status: "open",
            is_paid: false,
            amount,
            declined: None,
            card: None,
        });
    } else if books.sessions[number].form != form {
        return error(StatusCode::BAD_REQUEST, "idempotency_error");
    }
    respond(books.behaviour, show_session(number, &books.sessions[number]))
}

async fn find_session(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    let books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    if id.starts_with("cs_setup_") {
        return card::find_setup(&books, &id);
    }
    match books.sessions.get(number(&id)) {
        Some(session) => respond(books.behaviour, show_session(number(&id), session)),
        None => error(StatusCode::NOT_FOUND, "resource_missing"),
    }
}

async fn find_session_of_intent(
    State(books): State<Shared>,
    Query(query): Query<HashMap<String, String>>,
) -> Answer {
    let books = books.lock().unwrap();
    let number = number(&query["payment_intent"]);
    if books.sessions.len() <= number {
        return respond(books.behaviour, json!({"data": []}));
    }
    respond(books.behaviour, json!({"data": [show_session(number, &books.sessions[number])]}))
}

async fn expire_session(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    let mut books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    let session = &mut books.sessions[number(&id)];
    if session.status != "open" {
        return error(StatusCode::BAD_REQUEST, "resource_already_exists");
    }
    session.status = "expired";
    let answer = show_session(number(&id), session);
    respond(books.behaviour, answer)
}
