//! The rpcs of `commerce.v1.OrderService` that change an order.

use kit::error::FieldError;
use kit_db::idempotency::{self, Attempt, IdempotencyKey, IdempotentRequest};
use proto::commerce as wire;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::order_message::decode_method;
use super::{Commerce, commit};
use crate::buyer::Buyer;
use crate::card;
use crate::error::Error;
use crate::order::change::{self, Ending};
use crate::order::placing::{self, Agreement, START_PERIOD, prepare_payment};
use crate::order::{self, Order, State};
use crate::owned_courses::OwnedCourses;
use crate::payment::{self, Method};
use crate::provider::ProviderError;
use crate::settlement_error::SettlementError;

/// The minimum time between two queries to the provider on the buyer's behalf.
const QUESTION_PERIOD: Duration = Duration::SECOND;

/// Places an order and starts its payment.
pub(super) async fn place(
    commerce: &Commerce,
    account: Uuid,
    request: wire::PlaceOrderRequest,
) -> Result<Order, Error> {
    let key = IdempotencyKey::parse(&request.idempotency_key)?;
    let digest = parse_digest(&request.confirmation_digest)?;
    let method = decode_method(request.method)?;
    let mut buyer = Buyer::from_wire(request.buyer)?;
    // Nothing is appended without a contract, so requests of earlier releases keep their hash.
    let acceptance: &[u8] = if request.accepts_contract { &[1] } else { &[] };
    let body = [&digest[..], &request.method.to_be_bytes(), acceptance].concat();
    let idempotent = IdempotentRequest::new(&commerce.keyed_hash, &format!("order {account}"), key, &body);
    let now = commerce.clock.now();
    let answer =
        idempotency::find_answer::<String>(&mut *commerce.acquire().await?, &idempotent, now).await?;
    let id = if let Some(id) = answer {
        decode_id(&id)?
    } else {
        let owned = OwnedCourses::find(&commerce.lms, &buyer.learner_ids()).await?;
        let agreement = Agreement { digest, method, accepts_contract: request.accepts_contract };
        store_order(commerce, account, &mut buyer, &owned, agreement, &idempotent, now).await?
    };
    // Also for a repeated request: the first one may have stopped before this.
    commerce.settlement.start_payment(id).await?;
    find_order(&mut *commerce.acquire().await?, account, id).await
}

async fn store_order(
    commerce: &Commerce,
    account: Uuid,
    buyer: &mut Buyer,
    owned: &OwnedCourses,
    agreement: Agreement,
    idempotent: &IdempotentRequest,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    let mut transaction = commerce.begin_for(account, buyer).await?;
    let claim = match idempotency::claim::<String>(&mut transaction, idempotent, now).await? {
        Attempt::Answered(id) => return decode_id(&id),
        Attempt::First(claim) => claim,
    };
    let outbox = commerce.settlement.outbox();
    let placed =
        placing::place_order(&mut transaction, outbox, account, buyer, owned, agreement, now).await?;
    claim.store(&mut transaction, &placed.id.to_string()).await?;
    commit(transaction).await?;
    if placed.is_paid {
        commerce.settlement.announce_paid();
    }
    Ok(placed.id)
}

/// Returns an order with an open payment: the existing one or a new one. A payment by another card
/// method than requested is closed first.
pub(super) async fn pay(
    commerce: &Commerce,
    account: Uuid,
    id: Uuid,
    wanted: wire::PaymentMethod,
) -> Result<Order, Error> {
    let order = find_awaiting(commerce, account, id).await?;
    let method = choose_method(commerce, account, order.payment.method, wanted).await?;
    ask_provider(commerce, id).await?;
    let open = payment::find_open(&mut *commerce.acquire().await?, id).await?;
    if open.is_some_and(|open| open.method != method) {
        commerce.settlement.close_open_payment(id, Ending::Cancelled).await?;
    }
    let now = commerce.clock.now();
    let mut transaction = commerce.begin().await?;
    let locked = change::lock_order(&mut transaction, id).await?.ok_or(Error::NotFound)?;
    if locked.state != State::AwaitingPayment || locked.is_ending || locked.due_at <= now {
        return Err(Error::OrderClosed);
    }
    let open = payment::find_open(&mut transaction, id).await?;
    let is_other = open.as_ref().is_some_and(|open| open.method != method && !open.is_started());
    if is_other {
        // The provider does not know it.
        payment::close_open(&mut transaction, id, payment::State::Cancelled, now).await?;
    }
    if open.is_none() || is_other {
        let new = prepare_payment(&mut transaction, account, method, locked.total, locked.due_at).await?;
        payment::add_payment(&mut transaction, id, &new, now).await?;
        change::schedule_check(&mut transaction, id, now + START_PERIOD, now).await?;
    }
    commit(transaction).await?;
    commerce.settlement.start_payment(id).await?;
    find_order(&mut *commerce.acquire().await?, account, id).await
}

/// The method of the next attempt: the requested one, or else that of the last attempt. The two
/// card methods are interchangeable.
async fn choose_method(
    commerce: &Commerce,
    account: Uuid,
    last: Method,
    wanted: wire::PaymentMethod,
) -> Result<Method, Error> {
    let method = match wanted {
        wire::PaymentMethod::Unspecified => last,
        wanted => decode_method(wanted.into())?,
    };
    let is_by_card = |method| matches!(method, Method::Card | Method::SavedCard);
    if method != last && !(is_by_card(method) && is_by_card(last)) {
        return Err(FieldError::new("method", "UNKNOWN_CHOICE").into());
    }
    if method == Method::SavedCard && card::find(&mut *commerce.acquire().await?, account).await?.is_none() {
        return match wanted {
            wire::PaymentMethod::Unspecified => Ok(Method::Card),
            _ => Err(FieldError::new("method", "UNKNOWN_CHOICE").into()),
        };
    }
    Ok(method)
}

/// Queries the provider about an order that awaits payment.
pub(super) async fn check(commerce: &Commerce, account: Uuid, id: Uuid) -> Result<Order, Error> {
    let order = find_order(&mut *commerce.acquire().await?, account, id).await?;
    if order.state != State::AwaitingPayment {
        return Ok(order);
    }
    let now = commerce.clock.now();
    if change::claim_question(&mut *commerce.acquire().await?, id, QUESTION_PERIOD, now).await? {
        ask_provider(commerce, id).await?;
    }
    find_order(&mut *commerce.acquire().await?, account, id).await
}

/// Cancels an order, unless it was paid.
pub(super) async fn cancel(commerce: &Commerce, account: Uuid, id: Uuid) -> Result<Order, Error> {
    let order = find_order(&mut *commerce.acquire().await?, account, id).await?;
    if order.state != State::AwaitingPayment {
        return Ok(order);
    }
    // Without its renewal, the subscription ends.
    commerce.settlement.end_order(id, Ending::Cancelled).await?;
    find_order(&mut *commerce.acquire().await?, account, id).await
}

/// Queries the provider about an order. Without an answer, the order does not change and is checked
/// again later.
async fn ask_provider(commerce: &Commerce, id: Uuid) -> Result<(), Error> {
    match commerce.settlement.check_order(id).await {
        Err(
            SettlementError::Provider(ProviderError::Unreachable(_))
            | SettlementError::NotClosed
            | SettlementError::UnknownState(_),
        ) => Ok(()),
        result => Ok(result?),
    }
}

async fn find_order(connection: &mut PgConnection, account: Uuid, id: Uuid) -> Result<Order, Error> {
    order::find_order(connection, account, id).await?.ok_or(Error::NotFound)
}

async fn find_awaiting(commerce: &Commerce, account: Uuid, id: Uuid) -> Result<Order, Error> {
    let order = find_order(&mut *commerce.acquire().await?, account, id).await?;
    if order.state == State::AwaitingPayment { Ok(order) } else { Err(Error::OrderClosed) }
}

fn parse_digest(text: &str) -> Result<[u8; 32], Error> {
    let code = if text.is_empty() { "REQUIRED" } else { "INVALID_FORMAT" };
    let mut digest = [0; 32];
    hex::decode_to_slice(text, &mut digest).map_err(|_| FieldError::new("confirmation_digest", code))?;
    Ok(digest)
}

/// Decodes the id in a stored answer.
fn decode_id(text: &str) -> Result<Uuid, Error> {
    text.parse().map_err(|error: uuid::Error| Error::Database(sqlx::Error::Decode(error.into())))
}
