//! Payment intents of convenience stores and bank transfers, and the cash balances of customers.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::{
    Answer, Behaviour, Books, Shared, TestProvider, card, error, number, parse_form, respond, unavailable,
};

/// A payment intent.
#[derive(Clone, Debug)]
pub(crate) struct Intent {
    /// The idempotency key.
    pub(crate) key: String,
    /// The form that created it.
    pub(crate) form: HashMap<String, String>,
    pub(crate) status: &'static str,
    amount: i32,
    received: i32,
}

/// A customer with a cash balance.
#[derive(Clone, Debug)]
pub(crate) struct Customer {
    key: String,
    /// The form that created it.
    pub(crate) form: HashMap<String, String>,
    pub(crate) is_deleted: bool,
    is_manual: bool,
    transactions: Vec<Value>,
    pub(crate) balance: i32,
}

impl TestProvider {
    /// The intents so far.
    pub(crate) fn intents(&self) -> Vec<Intent> {
        self.books().intents.clone()
    }

    /// The customers so far.
    pub(crate) fn customers(&self) -> Vec<Customer> {
        self.books().customers.clone()
    }

    /// The buyer pays at a convenience store, in time or not.
    pub(crate) fn pay_in_store(&self, intent: usize) {
        let amount = self.books().intents[intent].amount;
        self.pay_amount_in_store(intent, amount);
    }

    /// The same with another amount.
    pub(crate) fn pay_amount_in_store(&self, intent: usize, amount: i32) {
        let intent = &mut self.books().intents[intent];
        (intent.status, intent.received) = ("succeeded", amount);
    }

    /// The codes of a convenience store expire.
    pub(crate) fn end_codes(&self, intent: usize) {
        self.books().intents[intent].status = "requires_payment_method";
    }

    /// Sets the status of an intent.
    pub(crate) fn set_intent(&self, intent: usize, status: &'static str) {
        self.books().intents[intent].status = status;
    }

    /// A bank transfer arrives in the cash balance of a customer.
    pub(crate) fn transfer(&self, customer: usize, amount: i32, sender: &str, at: OffsetDateTime) {
        let mut books = self.books();
        let customer = &mut books.customers[customer];
        assert!(customer.is_manual, "the provider would match the transfer itself");
        customer.balance += amount;
        let sender = json!({"bank_transfer": {
            "type": "jp_bank_transfer", "jp_bank_transfer": {"sender_name": sender},
        }});
        customer.add("funded", amount, at.unix_timestamp(), &sender);
    }

    /// The next application of a cash balance is performed, and its response is lost.
    pub(crate) fn lose_answer_of_application(&self) {
        self.books().loses_application = true;
    }

    /// Empties the cash balance of a customer.
    pub(crate) fn drain_balance(&self, customer: usize) {
        self.books().customers[customer].balance = 0;
    }

    /// Adds a transaction of an unknown type.
    pub(crate) fn add_unknown_transaction(&self, customer: usize) {
        self.books().customers[customer].add("teleported", 500, 0, &Value::Null);
    }
}

impl Customer {
    fn add(&mut self, kind: &str, amount: i32, created: i64, funded: &Value) {
        let transaction = json!({
            "id": format!("ccsbtxn_{}_{}", self.key.replace(':', "_").replace('-', ""), self.transactions.len()),
            "type": kind, "net_amount": amount, "currency": "jpy", "created": created, "funded": funded,
        });
        // Newest first.
        self.transactions.insert(0, transaction);
    }
}

impl Books {
    /// Takes money from a cash balance, if it is sufficient.
    pub(super) fn take_balance(&mut self, customer: &str, amount: i32) -> bool {
        let customer = &mut self.customers[number(customer)];
        let is_enough = customer.balance >= amount;
        if is_enough {
            customer.balance -= amount;
            customer.add("return_initiated", -amount, 0, &Value::Null);
        }
        is_enough
    }

    /// The yen of a payment intent, of a session or without one.
    pub(super) fn paid(&self, intent: &str) -> i32 {
        place(intent).map_or_else(|| self.sessions[number(intent)].amount, |place| self.intents[place].amount)
    }

    fn show_intent(&self, number: usize) -> Value {
        let intent = &self.intents[number];
        let is_konbini = intent.form["payment_method_types[0]"] == "konbini";
        let action = if is_konbini {
            let codes = |code: &str| json!({"payment_code": code, "confirmation_number": "0901234567"});
            let expires_at: i64 = intent.form["payment_method_options[konbini][expires_at]"].parse().unwrap();
            json!({"type": "konbini_display_details", "konbini_display_details": {
                "expires_at": expires_at,
                "stores": {
                    "familymart": {"payment_code": format!("10000{number}")}, "lawson": codes("20000"),
                    "ministop": null, "seicomart": codes("40000"),
                },
            }})
        } else {
            json!({
                "type": "display_bank_transfer_instructions",
                "display_bank_transfer_instructions": {
                    "amount_remaining": intent.amount, "type": "jp_bank_transfer", "currency": "jpy",
                    "financial_addresses": [{"type": "zengin", "zengin": {
                        "account_holder_name": "カ）コノマナ", "account_number": "1234567", "account_type": "futsu",
                        "bank_code": "0009", "bank_name": "みらい銀行", "branch_code": "950", "branch_name": "さくら支店",
                    }}],
                },
            })
        };
        json!({
            "id": format!("pi_{}", 1_000 + number),
            "status": intent.status,
            "amount": intent.amount,
            "amount_received": intent.received,
            "currency": "jpy",
            "metadata": {"order": intent.form["metadata[order]"]},
            "next_action": if intent.status == "requires_action" { action } else { Value::Null },
        })
    }
}

/// The index of the intent with this id. Ids of these intents start after those of sessions.
fn place(id: &str) -> Option<usize> {
    number(id).checked_sub(1_000)
}

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/v1/customers", post(create_customer))
        .route("/v1/customers/{id}", axum::routing::delete(delete_customer))
        .route("/v1/customers/{id}/cash_balance", get(find_balance).post(set_balance))
        .route("/v1/customers/{id}/cash_balance_transactions", get(list_transactions))
        .route("/v1/payment_intents", post(create_intent).get(card::list_charges))
        .route("/v1/payment_intents/{id}", get(find_intent))
        .route("/v1/payment_intents/{id}/cancel", post(cancel_intent))
        .route("/v1/payment_intents/{id}/apply_customer_balance", post(apply_balance))
}

fn key(headers: &HeaderMap) -> String {
    headers["idempotency-key"].to_str().unwrap().to_owned()
}

async fn create_customer(State(books): State<Shared>, headers: HeaderMap, body: String) -> Answer {
    let mut books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    let key = key(&headers);
    let known = books.customers.iter().position(|customer| customer.key == key);
    let number = known.unwrap_or(books.customers.len());
    if known.is_none() {
        books.customers.push(Customer {
            key,
            form: parse_form(&body),
            is_deleted: false,
            is_manual: false,
            transactions: Vec::new(),
            balance: 0,
        });
    }
    respond(books.behaviour, json!({"id": format!("cus_{number}")}))
}

async fn delete_customer(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    let mut books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    books.customers[number(&id)].is_deleted = true;
    respond(books.behaviour, json!({"id": id, "deleted": true}))
}

async fn find_balance(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    let books = books.lock().unwrap();
    respond(books.behaviour, json!({"available": {"jpy": books.customers[number(&id)].balance}}))
}

async fn set_balance(State(books): State<Shared>, Path(id): Path<String>, body: String) -> Answer {
    let mut books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    let is_manual = parse_form(&body)["settings[reconciliation_mode]"] == "manual";
    books.customers[number(&id)].is_manual = is_manual;
    respond(books.behaviour, json!({"available": null}))
}

async fn list_transactions(
    State(books): State<Shared>,
    Path(id): Path<String>,
    axum::extract::Query(query): axum::extract::Query<HashMap<String, String>>,
) -> Answer {
    let books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    let all = &books.customers[number(&id)].transactions;
    let after = query.get("starting_after");
    let first = after.map_or(0, |after| all.iter().position(|it| it["id"] == **after).unwrap() + 1);
    // Pages of two entries, to test paging.
    let page: Vec<_> = all.iter().skip(first).take(2).collect();
    let has_more = first + page.len() < all.len();
    respond(books.behaviour, json!({"data": page, "has_more": has_more}))
}

async fn create_intent(State(books): State<Shared>, headers: HeaderMap, body: String) -> Answer {
    if parse_form(&body)["payment_method_types[0]"] == "card" {
        return card::create_charge(State(books), &headers, &body);
    }
    let mut books = books.lock().unwrap();
    match books.behaviour {
        Behaviour::Down => return unavailable(),
        Behaviour::Refuses => return error(StatusCode::BAD_REQUEST, "amount_too_small"),
        Behaviour::Answers | Behaviour::Mute => {}
    }
    let (key, form) = (key(&headers), parse_form(&body));
    let known = books.intents.iter().position(|intent| intent.key == key);
    let number = known.unwrap_or(books.intents.len());
    if known.is_none() {
        let amount = form["amount"].parse().unwrap();
        // A cash balance that covers the intent pays it at once.
        let customer = form.get("customer").cloned();
        let is_paid = customer.is_some_and(|customer| books.take_balance(&customer, amount));
        let (status, received) = if is_paid { ("succeeded", amount) } else { ("requires_action", 0) };
        books.intents.push(Intent { key, form, status, amount, received });
    } else if books.intents[number].form != form {
        return error(StatusCode::BAD_REQUEST, "idempotency_error");
    }
    respond(books.behaviour, books.show_intent(number))
}

async fn find_intent(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    if id.starts_with(card::CHARGE) {
        return card::find_charge(State(books), Path(id));
    }
    let books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    match place(&id).filter(|&place| place < books.intents.len()) {
        Some(place) => respond(books.behaviour, books.show_intent(place)),
        None => error(StatusCode::NOT_FOUND, "resource_missing"),
    }
}

async fn cancel_intent(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    if id.starts_with(card::CHARGE) {
        return card::cancel_charge(State(books), Path(id));
    }
    let mut books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    let place = place(&id).unwrap();
    if ["succeeded", "canceled"].contains(&books.intents[place].status) {
        return error(StatusCode::BAD_REQUEST, "payment_intent_unexpected_state");
    }
    books.intents[place].status = "canceled";
    respond(books.behaviour, books.show_intent(place))
}

async fn apply_balance(State(books): State<Shared>, Path(id): Path<String>, body: String) -> Answer {
    let mut books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    let place = place(&id).unwrap();
    let amount: i32 = parse_form(&body)["amount"].parse().unwrap();
    let customer = books.intents[place].form["customer"].clone();
    if books.intents[place].status != "requires_action" || !books.take_balance(&customer, amount) {
        return error(StatusCode::BAD_REQUEST, "payment_intent_unexpected_state");
    }
    let intent = &mut books.intents[place];
    (intent.status, intent.received) = ("succeeded", amount);
    if std::mem::take(&mut books.loses_application) {
        return unavailable();
    }
    respond(books.behaviour, books.show_intent(place))
}
