//! Refunds, disputes and balance transactions.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use serde_json::{Value, json};

use super::{
    Answer, Behaviour, Books, Shared, TestProvider, error, number, parse_form, respond, unavailable,
};

/// The Unix time of all balance transactions, in the distant past.
const MADE_AT: i64 = 1_700_000_000;
/// Balance transactions per page, regardless of the request.
const PAGE: usize = 2;

/// A refund.
#[derive(Clone, Debug)]
pub(crate) struct Refund {
    /// The payment intent, or the customer for a refund from a cash balance.
    pub(crate) intent: String,
    pub(crate) amount: i32,
    pub(crate) status: &'static str,
    /// The address at which the buyer is asked for an account.
    pub(crate) email: Option<String>,
    key: String,
    own_id: Option<String>,
}

struct Dispute {
    intent: String,
    amount: i32,
    status: &'static str,
}

/// Refunds, disputes and payouts.
#[derive(Default)]
pub(super) struct Returns {
    refunds: Vec<Refund>,
    disputes: Vec<Dispute>,
    /// The status of a new refund.
    status: Option<&'static str>,
    payouts: Vec<i32>,
    /// Sessions that are missing in the list of balance transactions.
    missing: Vec<usize>,
}

impl TestProvider {
    /// The refunds so far.
    pub(crate) fn refunds(&self) -> Vec<Refund> {
        self.books().returns.refunds.clone()
    }

    /// Sets the status of new refunds.
    pub(crate) fn start_refunds_as(&self, status: &'static str) {
        self.books().returns.status = Some(status);
    }

    /// Sets the status of a refund.
    pub(crate) fn set_refund(&self, refund: usize, status: &'static str) {
        self.books().returns.refunds[refund].status = status;
    }

    /// The buyer's bank sends a refund back.
    pub(crate) fn fail_refund(&self, refund: usize) {
        self.set_refund(refund, "failed");
    }

    /// A person refunds money of a session at the provider. Returns the refund's id.
    pub(crate) fn refund_outside(&self, session: usize, amount: i32) -> String {
        let returns = &mut self.books().returns;
        let (intent, key) = (format!("pi_{session}"), String::new());
        returns.refunds.push(Refund { intent, amount, status: "succeeded", email: None, key, own_id: None });
        format!("re_{}", returns.refunds.len() - 1)
    }

    /// The buyer's bank takes back the payment of a session. Returns the dispute's id.
    pub(crate) fn dispute(&self, session: usize, status: &'static str) -> String {
        let mut books = self.books();
        let amount = books.sessions[session].amount;
        books.returns.disputes.push(Dispute { intent: format!("pi_{session}"), amount, status });
        format!("dp_{}", books.returns.disputes.len() - 1)
    }

    /// The bank decides a dispute.
    pub(crate) fn decide_dispute(&self, dispute: usize, status: &'static str) {
        self.books().returns.disputes[dispute].status = status;
    }

    /// The provider forgets the idempotency keys of all refunds.
    pub(crate) fn forget_refund_keys(&self) {
        for refund in &mut self.books().returns.refunds {
            refund.key.clear();
        }
    }

    /// The provider pays money out to the school's bank.
    pub(crate) fn pay_out(&self, amount: i32) {
        self.books().returns.payouts.push(amount);
    }

    /// Removes a payment from the list of balance transactions.
    pub(crate) fn forget_payment(&self, session: usize) {
        self.books().returns.missing.push(session);
    }
}

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/v1/refunds", post(create_refund).get(list_refunds))
        .route("/v1/refunds/{id}", get(find_refund))
        .route("/v1/disputes", get(list_disputes))
        .route("/v1/disputes/{id}", get(find_dispute))
        .route("/v1/balance_transactions", get(list_balance))
}

fn show_refund(number: usize, refund: &Refund) -> Value {
    json!({
        "id": format!("re_{number}"),
        "status": refund.status,
        "amount": refund.amount,
        "currency": "jpy",
        "payment_intent": refund.intent,
        "metadata": refund.own_id.as_ref().map_or_else(|| json!({}), |id| json!({"refund": id})),
    })
}

/// The refunded yen of an intent.
fn returned(books: &Books, intent: &str) -> i32 {
    let refunds = books.returns.refunds.iter();
    refunds
        .filter(|it| it.intent == intent && !matches!(it.status, "failed" | "canceled"))
        .map(|it| it.amount)
        .sum()
}

async fn create_refund(State(books): State<Shared>, headers: HeaderMap, body: String) -> Answer {
    let mut books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down || books.is_mute_on_refunds {
        return unavailable();
    }
    let form = parse_form(&body);
    let key = headers["idempotency-key"].to_str().unwrap().to_owned();
    let known = books.returns.refunds.iter().position(|refund| refund.key == key);
    let place = known.unwrap_or(books.returns.refunds.len());
    if known.is_none() {
        let amount = form["amount"].parse::<i32>().unwrap();
        let intent = if form.get("origin").is_some_and(|origin| origin == "customer_balance") {
            let customer = form["customer"].clone();
            if !books.take_balance(&customer, amount) {
                return error(StatusCode::BAD_REQUEST, "balance_insufficient");
            }
            customer
        } else {
            let intent = form["payment_intent"].clone();
            let paid = books.paid(&intent);
            if returned(&books, &intent) == paid {
                return error(StatusCode::BAD_REQUEST, "charge_already_refunded");
            }
            let disputes = books.returns.disputes.iter();
            if disputes.filter(|it| it.intent == intent).any(|it| it.status != "won") {
                return error(StatusCode::BAD_REQUEST, "refund_disputed_payment");
            }
            if returned(&books, &intent) + amount > paid {
                return error(StatusCode::BAD_REQUEST, "parameter_invalid_integer");
            }
            intent
        };
        let (own_id, email) =
            (form.get("metadata[refund]").cloned(), form.get("instructions_email").cloned());
        let status = books.returns.status.unwrap_or("succeeded");
        books.returns.refunds.push(Refund { intent, amount, status, email, key, own_id });
    }
    respond(books.behaviour, show_refund(place, &books.returns.refunds[place]))
}

async fn find_refund(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    let books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    respond(books.behaviour, show_refund(number(&id), &books.returns.refunds[number(&id)]))
}

async fn list_refunds(State(books): State<Shared>, Query(query): Query<HashMap<String, String>>) -> Answer {
    let books = books.lock().unwrap();
    let refunds = books.returns.refunds.iter().enumerate().rev();
    // The list by time is empty: refunds are only visible by their events.
    let of_intent = refunds.filter(|(_, refund)| Some(&refund.intent) == query.get("payment_intent"));
    let data: Vec<_> = of_intent.map(|(place, refund)| show_refund(place, refund)).collect();
    respond(books.behaviour, json!({ "data": data, "has_more": false }))
}

/// The list by time is empty: disputes are only visible by their events.
async fn list_disputes(State(books): State<Shared>, Query(query): Query<HashMap<String, String>>) -> Answer {
    let books = books.lock().unwrap();
    let disputes = books.returns.disputes.iter().enumerate().rev();
    let of_intent = disputes.filter(|(_, dispute)| Some(&dispute.intent) == query.get("payment_intent"));
    let data: Vec<_> = of_intent.map(|(place, dispute)| show_dispute(place, dispute)).collect();
    respond(books.behaviour, json!({ "data": data, "has_more": false }))
}

fn show_dispute(number: usize, dispute: &Dispute) -> Value {
    json!({
        "id": format!("dp_{number}"),
        "amount": dispute.amount,
        "currency": "jpy",
        "payment_intent": dispute.intent,
        "status": dispute.status,
    })
}

async fn find_dispute(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    let books = books.lock().unwrap();
    let Some(dispute) = books.returns.disputes.get(number(&id)) else {
        return error(StatusCode::NOT_FOUND, "resource_missing");
    };
    respond(books.behaviour, show_dispute(number(&id), dispute))
}

/// The balance transactions, newest first: type, yen and fee.
fn list_moves(books: &Books) -> Vec<(String, &'static str, i32, i32)> {
    let mut moves = Vec::new();
    let sessions = books.sessions.iter().enumerate();
    for (place, session) in
        sessions.filter(|(place, it)| it.is_paid && !books.returns.missing.contains(place))
    {
        moves.push((format!("txn_c{place}"), "charge", session.amount, session.amount * 36 / 1_000));
    }
    for (place, refund) in books.returns.refunds.iter().enumerate() {
        moves.push((format!("txn_r{place}"), "refund", -refund.amount, 0));
        if refund.status == "failed" {
            moves.push((format!("txn_f{place}"), "refund_failure", refund.amount, 0));
        }
    }
    for (place, dispute) in books.returns.disputes.iter().enumerate() {
        moves.push((format!("txn_d{place}"), "adjustment", -dispute.amount, 1_500));
        if dispute.status == "won" {
            moves.push((format!("txn_w{place}"), "adjustment", dispute.amount, -1_500));
        }
    }
    for (place, amount) in books.returns.payouts.iter().enumerate() {
        moves.push((format!("txn_p{place}"), "payout", -amount, 0));
    }
    moves.reverse();
    moves
}

async fn list_balance(State(books): State<Shared>, Query(query): Query<HashMap<String, String>>) -> Answer {
    let books = books.lock().unwrap();
    let mut moves = list_moves(&books);
    if query["created[gte]"].parse::<i64>().unwrap() > MADE_AT {
        moves.clear();
    }
    let begin = query
        .get("starting_after")
        .map_or(0, |last| moves.iter().position(|(id, ..)| id == last).unwrap() + 1);
    let page = moves[begin..].iter().take(PAGE).map(|(id, kind, amount, fee)| {
        json!({
            "id": id, "type": kind, "amount": amount, "fee": fee, "net": amount - fee, "currency": "jpy",
            "created": MADE_AT, "source": null,
        })
    });
    let page: Vec<_> = page.collect();
    let has_more = begin + page.len() < moves.len();
    respond(books.behaviour, json!({ "data": page, "has_more": has_more }))
}
