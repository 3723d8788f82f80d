//! The fields of the provider's responses that commerce uses.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{ProviderError, Session, SessionStatus};

/// The currency of all amounts. It has no smaller unit.
pub(super) const CURRENCY: &str = "jpy";

/// The reason that replaces the hidden ones.
const DECLINED: &str = "card_declined";
/// Reasons that the provider asks to hide from the buyer, and the one without a meaning.
const HIDDEN_REASONS: [&str; 7] = [
    "fraudulent",
    "generic_decline",
    "lost_card",
    "merchant_blacklist",
    "pickup_card",
    "restricted_card",
    "stolen_card",
];

/// Parses a Checkout Session with its payment intent.
pub(super) fn parse_session(body: &[u8]) -> Result<Session, ProviderError> {
    read_session(parse(body)?)
}

/// Parses the first of a list of Checkout Sessions.
pub(super) fn parse_first_session(body: &[u8]) -> Result<Session, ProviderError> {
    let list: List<WireSession> = parse(body)?;
    list.data.into_iter().next().map_or(Err(ProviderError::NotFound), read_session)
}

/// Parses the id of an object.
pub(super) fn parse_id(body: &[u8]) -> Result<String, ProviderError> {
    let object: WireObject = parse(body)?;
    Ok(object.id)
}

/// Returns the code of an error, or its type, or an empty text.
pub(super) fn parse_problem(body: &[u8]) -> String {
    let problem = serde_json::from_slice::<Problem>(body).map(|problem| problem.error).unwrap_or_default();
    problem.code.or(problem.r#type).unwrap_or_default()
}

/// Parses the refusal of a saved card. Returns `None` for other errors.
pub(super) fn parse_decline(body: &[u8]) -> Option<ProviderError> {
    let problem = serde_json::from_slice::<Problem>(body).ok()?.error;
    if problem.r#type.as_deref() != Some("card_error") {
        return None;
    }
    let intent = problem.payment_intent.map(|intent| intent.id);
    let reason = find_reason(PaymentError { code: problem.code, decline_code: problem.decline_code });
    Some(ProviderError::Declined { reason, intent })
}

fn read_session(session: WireSession) -> Result<Session, ProviderError> {
    if session.mode.is_some_and(|mode| mode != "payment") {
        // A session without a payment.
        return Err(ProviderError::NotFound);
    }
    check_currency(session.currency.as_deref().unwrap_or_default())?;
    let amount = session.amount_total.ok_or_else(|| unreadable("a session without amount_total"))?;
    let (intent, problem, card) = match session.payment_intent {
        None => (None, None, None),
        Some(Expandable::Id(id)) => (Some(id), None, None),
        Some(Expandable::Object(intent)) => {
            (Some(intent.id), intent.last_payment_error, intent.payment_method)
        }
    };
    let is_known = matches!(session.payment_status.as_str(), "paid" | "unpaid" | "no_payment_required");
    let status = match session.status.as_deref() {
        _ if !is_known => SessionStatus::Other,
        Some("open") => SessionStatus::Open,
        Some("complete") => SessionStatus::Complete,
        Some("expired") => SessionStatus::Expired,
        _ => SessionStatus::Other,
    };
    Ok(Session {
        id: session.id,
        reference: session.client_reference_id,
        status,
        is_paid: session.payment_status == "paid",
        page_url: session.url,
        intent,
        amount,
        decline_code: problem.map(find_reason),
        card,
    })
}

/// The reason to show to the buyer.
pub(super) fn find_reason(problem: PaymentError) -> String {
    let reason = problem.decline_code.or(problem.code);
    reason.filter(|reason| !HIDDEN_REASONS.contains(&reason.as_str())).unwrap_or_else(|| DECLINED.to_owned())
}

pub(super) fn check_currency(currency: &str) -> Result<(), ProviderError> {
    if currency == CURRENCY { Ok(()) } else { Err(unreadable(&format!("currency '{currency}'"))) }
}

pub(super) fn parse<Answer: DeserializeOwned>(body: &[u8]) -> Result<Answer, ProviderError> {
    serde_json::from_slice(body).map_err(|error| unreadable(&error.to_string()))
}

pub(super) fn unreadable(what: &str) -> ProviderError {
    ProviderError::Unreachable(format!("the answer cannot be read: {what}"))
}

#[derive(Deserialize)]
struct WireObject {
    id: String,
}

#[derive(Deserialize)]
pub(super) struct List<Item> {
    pub(super) data: Vec<Item>,
    /// Whether there are more pages.
    #[serde(default)]
    pub(super) has_more: bool,
}

#[derive(Deserialize)]
struct WireSession {
    id: String,
    mode: Option<String>,
    client_reference_id: Option<String>,
    status: Option<String>,
    payment_status: String,
    url: Option<String>,
    payment_intent: Option<Expandable>,
    amount_total: Option<i32>,
    currency: Option<String>,
}

/// An object, or its id where the request did not expand it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Expandable {
    Id(String),
    Object(WireIntent),
}

#[derive(Deserialize)]
struct WireIntent {
    id: String,
    last_payment_error: Option<PaymentError>,
    payment_method: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct PaymentError {
    code: Option<String>,
    decline_code: Option<String>,
}

#[derive(Deserialize)]
struct Problem {
    error: ProblemFields,
}

#[derive(Default, Deserialize)]
struct ProblemFields {
    code: Option<String>,
    r#type: Option<String>,
    decline_code: Option<String>,
    payment_intent: Option<WireObject>,
}
