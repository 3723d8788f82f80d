//! Customers, saved cards, and payments with them.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::{
    Answer, Behaviour, Books, Shared, TestProvider, error, number, parse_form, respond, unavailable,
};

/// How long the provider knows an idempotency key.
const KEY_PERIOD: Duration = Duration::hours(24);

/// The prefix of the ids of payments with saved cards.
pub(super) const CHARGE: &str = "pi_card_";

/// How the bank responds to charges of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bank {
    Pays,
    /// Refuses with this `decline_code`.
    Refuses(&'static str),
    /// Requires 3-D Secure.
    WantsProof,
}

/// A card.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    /// `None` if it is detached.
    pub(crate) customer: Option<String>,
    pub(crate) bank: Bank,
    created: OffsetDateTime,
}

/// A page on which a card is entered.
#[derive(Clone, Debug)]
pub(crate) struct SetupPage {
    pub(crate) form: HashMap<String, String>,
    key: String,
    status: &'static str,
    card: Option<usize>,
}

/// A payment with a saved card.
#[derive(Clone, Debug)]
pub(crate) struct Charge {
    /// The idempotency key.
    pub(crate) key: String,
    pub(crate) form: HashMap<String, String>,
    pub(crate) status: &'static str,
    declined: Option<&'static str>,
    created: OffsetDateTime,
}

#[derive(Default)]
pub(super) struct CardBooks {
    cards: Vec<Card>,
    setups: Vec<SetupPage>,
    charges: Vec<Charge>,
}

impl TestProvider {
    /// The cards so far; `pm_0` is the first.
    pub(crate) fn cards(&self) -> Vec<Card> {
        self.books().cards.cards.clone()
    }

    /// The payments with saved cards so far.
    pub(crate) fn charges(&self) -> Vec<Charge> {
        self.books().cards.charges.clone()
    }

    /// The pages for cards so far.
    pub(crate) fn setups(&self) -> Vec<SetupPage> {
        self.books().cards.setups.clone()
    }

    /// The buyer enters a card on a page, and the page closes.
    pub(crate) fn enter_card(&self, setup: usize, bank: Bank) {
        let mut books = self.books();
        let now = books.clock.now();
        let cards = &mut books.cards;
        let customer = Some(cards.setups[setup].form["customer"].clone());
        cards.setups[setup].card = Some(cards.cards.len());
        cards.setups[setup].status = "complete";
        cards.cards.push(Card { customer, bank, created: now });
    }

    /// Sets how the bank responds.
    pub(crate) fn set_bank(&self, card: usize, bank: Bank) {
        self.books().cards.cards[card].bank = bank;
    }

    /// Detaches a card without commerce, like in the provider's dashboard.
    pub(crate) fn detach(&self, card: usize) {
        self.books().cards.cards[card].customer = None;
    }

    /// The buyer completes 3-D Secure, with success or failure.
    pub(crate) fn prove(&self, charge: usize, is_proven: bool) {
        let charge = &mut self.books().cards.charges[charge];
        assert_eq!(charge.status, "requires_action");
        (charge.status, charge.declined) = if is_proven {
            ("succeeded", None)
        } else {
            ("requires_payment_method", Some("payment_intent_authentication_failure"))
        };
    }

    /// Changes the account of a setup intent to another than its customer's.
    pub(crate) fn forge_setup(&self, setup: usize, account: &str) {
        let form = &mut self.books().cards.setups[setup].form;
        form.insert("setup_intent_data[metadata][account]".to_owned(), account.to_owned());
    }
}

impl Books {
    /// Saves the card of a payment on a page.
    pub(super) fn save_card(&mut self, customer: String) -> usize {
        let created = self.clock.now();
        self.cards.cards.push(Card { customer: Some(customer), bank: Bank::Pays, created });
        self.cards.cards.len() - 1
    }
}

fn key(headers: &HeaderMap) -> String {
    headers["idempotency-key"].to_str().unwrap().to_owned()
}

/// Creates a page for a card.
pub(super) fn create_setup(books: &mut Books, key: String, form: HashMap<String, String>) -> Answer {
    let setups = &mut books.cards.setups;
    let known = setups.iter().position(|setup| setup.key == key);
    let number = known.unwrap_or(setups.len());
    if known.is_none() {
        setups.push(SetupPage { form, key, status: "open", card: None });
    }
    respond(books.behaviour, show_setup(number, &setups[number]))
}

/// Shows a page for a card.
pub(super) fn find_setup(books: &Books, id: &str) -> Answer {
    match books.cards.setups.get(number(id)) {
        Some(setup) => respond(books.behaviour, show_setup(number(id), setup)),
        None => error(StatusCode::NOT_FOUND, "resource_missing"),
    }
}

fn show_setup(number: usize, setup: &SetupPage) -> Value {
    json!({
        "id": format!("cs_setup_{number}"),
        "mode": "setup",
        "status": setup.status,
        "payment_status": "no_payment_required",
        "currency": "jpy",
        "url": (setup.status == "open").then(|| format!("https://pay.example/setup/{number}")),
        "setup_intent": format!("seti_{number}"),
    })
}

pub(super) async fn find_setup_intent(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    let books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    let Some(setup) = books.cards.setups.get(number(&id)) else {
        return error(StatusCode::NOT_FOUND, "resource_missing");
    };
    let intent = json!({
        "id": id,
        "status": if setup.card.is_some() { "succeeded" } else { "requires_payment_method" },
        "usage": "off_session",
        "customer": setup.form["customer"],
        "payment_method": setup.card.map(|card| format!("pm_{card}")),
        "metadata": {"account": setup.form["setup_intent_data[metadata][account]"]},
    });
    respond(books.behaviour, intent)
}

pub(super) async fn find_card(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    let books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    match books.cards.cards.get(number(&id)) {
        Some(card) => respond(books.behaviour, show_card(number(&id), card)),
        None => error(StatusCode::NOT_FOUND, "resource_missing"),
    }
}

pub(super) async fn detach_card(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    let mut books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    let behaviour = books.behaviour;
    let card = &mut books.cards.cards[number(&id)];
    if card.customer.take().is_none() {
        return error(StatusCode::BAD_REQUEST, "payment_method_not_attached");
    }
    respond(behaviour, show_card(number(&id), card))
}

fn show_card(number: usize, card: &Card) -> Value {
    json!({
        "id": format!("pm_{number}"),
        "customer": card.customer,
        "created": card.created.unix_timestamp(),
        "card": {"brand": "visa", "last4": format!("{:04}", 4242 + number), "exp_month": 12, "exp_year": 2027},
    })
}

pub(super) fn create_charge(State(books): State<Shared>, headers: &HeaderMap, body: &str) -> Answer {
    let mut books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    let (now, behaviour) = (books.clock.now(), books.behaviour);
    let (key, form) = (key(headers), parse_form(body));
    let CardBooks { cards, charges, .. } = &mut books.cards;
    let is_known = |charge: &Charge| charge.key == key && now < charge.created + KEY_PERIOD;
    let known = charges.iter().position(is_known);
    let number = known.unwrap_or(charges.len());
    if known.is_none() {
        let card = &cards[self::number(&form["payment_method"])];
        if card.customer.as_deref() != Some(&*form["customer"]) {
            return error(StatusCode::BAD_REQUEST, "payment_method_unexpected_state");
        }
        let is_off_session = form.get("off_session").is_some_and(|off| off == "true");
        let (status, declined) = match card.bank {
            Bank::Pays => ("succeeded", None),
            Bank::Refuses(code) => ("requires_payment_method", Some(code)),
            Bank::WantsProof if is_off_session => {
                ("requires_payment_method", Some("authentication_required"))
            }
            Bank::WantsProof => ("requires_action", None),
        };
        charges.push(Charge { key, form, status, declined, created: now });
    } else if charges[number].form != form {
        return error(StatusCode::BAD_REQUEST, "idempotency_error");
    }
    if behaviour == Behaviour::Mute {
        return unavailable();
    }
    let charge = &charges[number];
    if let Some(code) = charge.declined {
        let problem = json!({
            "type": "card_error", "code": "card_declined", "decline_code": code,
            "payment_intent": show_charge(number, charge),
        });
        return (StatusCode::PAYMENT_REQUIRED, Json(json!({ "error": problem })));
    }
    respond(behaviour, show_charge(number, charge))
}

fn show_charge(number: usize, charge: &Charge) -> Value {
    let next_action = (charge.status == "requires_action").then(|| {
        json!({"type": "redirect_to_url", "redirect_to_url": {"url": format!("https://pay.example/3ds/{number}")}})
    });
    json!({
        "id": format!("{CHARGE}{number}"),
        "status": charge.status,
        "amount": charge.form["amount"].parse::<i32>().unwrap(),
        "currency": "jpy",
        "created": charge.created.unix_timestamp(),
        "next_action": next_action,
        "last_payment_error": charge.declined.map(|code| json!({"code": "card_declined", "decline_code": code})),
        "metadata": {"payment": charge.form["metadata[payment]"], "order": charge.form["metadata[order]"]},
    })
}

pub(super) async fn list_charges(
    State(books): State<Shared>,
    Query(query): Query<HashMap<String, String>>,
) -> Answer {
    let books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    let since: i64 = query["created[gte]"].parse().unwrap();
    let charges = books.cards.charges.iter().enumerate().rev();
    let charges = charges.filter(|(_, charge)| {
        charge.form["customer"] == query["customer"] && charge.created.unix_timestamp() >= since
    });
    let data: Vec<_> = charges.map(|(number, charge)| show_charge(number, charge)).collect();
    respond(books.behaviour, json!({ "data": data }))
}

pub(super) fn find_charge(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    let books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    respond(books.behaviour, show_charge(number(&id), &books.cards.charges[number(&id)]))
}

pub(super) fn cancel_charge(State(books): State<Shared>, Path(id): Path<String>) -> Answer {
    let mut books = books.lock().unwrap();
    if books.behaviour == Behaviour::Down {
        return unavailable();
    }
    let behaviour = books.behaviour;
    let charge = &mut books.cards.charges[number(&id)];
    if matches!(charge.status, "succeeded" | "canceled") {
        return error(StatusCode::BAD_REQUEST, "payment_intent_unexpected_state");
    }
    charge.status = "canceled";
    respond(behaviour, show_charge(number(&id), charge))
}
