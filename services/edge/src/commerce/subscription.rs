//! Subscriptions: products that are paid by the month.

use axum::extract::State;
use axum::response::Response;
use proto::commerce as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::card::Card;
use super::{LineLearner, incomplete};
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Empty, Key, Query};
use crate::page::{List, Page};
use crate::session::Relative;
use crate::timestamp::parse_optional_timestamp;

/// A subscription.
#[derive(Serialize, ToSchema)]
pub(crate) struct Subscription {
    #[schema(format = Uuid)]
    id: String,
    product_id: i64,
    /// The product's name when it was ordered.
    #[schema(example = "月額 質問し放題")]
    name: String,
    /// Yen a month, tax included.
    #[schema(minimum = 1, example = 2980)]
    price: i32,
    state: SubscriptionState,
    /// Null: never paid.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    started_at: Option<OffsetDateTime>,
    /// The period that is paid; null: never paid.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    current_period_start: Option<OffsetDateTime>,
    /// The first moment after it.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    current_period_end: Option<OffsetDateTime>,
    /// When the card is charged next; null: it is not charged any more, or a charge is due and not paid.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    next_charge_at: Option<OffsetDateTime>,
    /// The last moment to cancel before the next charge; null without one.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    cancel_until: Option<OffsetDateTime>,
    /// When it ends or has ended; null: it goes on.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    ends_at: Option<OffsetDateTime>,
    /// When a charge that was refused is repeated; null: it is not.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    retry_at: Option<OffsetDateTime>,
    /// Why the last charge was refused, while it is past due: the provider's code, or `card_missing`.
    #[schema(required, example = "insufficient_funds")]
    decline_code: Option<String>,
    /// The card that is charged; null: there is none.
    #[schema(required)]
    card: Option<Card>,
    learner: LineLearner,
    /// Newest first, at most 24.
    orders: Vec<SubscriptionOrder>,
    can_cancel: bool,
    can_resume: bool,
}

/// State of a subscription.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum SubscriptionState {
    /// Its first order awaits its payment.
    Incomplete,
    Active,
    /// A renewal is due and not paid. Access goes on until `ends_at`.
    PastDue,
    /// It ends with the period.
    CancelScheduled,
    Ended,
}

/// An order of a subscription.
#[derive(Serialize, ToSchema)]
struct SubscriptionOrder {
    #[schema(format = Uuid)]
    id: String,
    #[schema(example = "KM-261125-7Q4F2")]
    number: String,
    /// Yen, tax included.
    #[schema(minimum = 0, example = 2980)]
    total: i32,
    /// Null: not paid.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    paid_at: Option<OffsetDateTime>,
}

impl Subscription {
    pub(crate) fn new(subscription: wire::Subscription) -> Result<Self, Error> {
        Ok(Self {
            state: SubscriptionState::new(subscription.state())?,
            id: subscription.id,
            product_id: subscription.product_id,
            name: subscription.name,
            price: subscription.price,
            started_at: parse_optional_timestamp(subscription.started_at)?,
            current_period_start: parse_optional_timestamp(subscription.current_period_start)?,
            current_period_end: parse_optional_timestamp(subscription.current_period_end)?,
            next_charge_at: parse_optional_timestamp(subscription.next_charge_at)?,
            cancel_until: parse_optional_timestamp(subscription.cancel_until)?,
            ends_at: parse_optional_timestamp(subscription.ends_at)?,
            retry_at: parse_optional_timestamp(subscription.retry_at)?,
            decline_code: subscription.decline_code,
            card: subscription.card.map(Card::new),
            learner: LineLearner { id: subscription.learner_id, name: subscription.learner_name },
            orders: subscription.orders.into_iter().map(SubscriptionOrder::new).collect::<Result<_, _>>()?,
            can_cancel: subscription.can_cancel,
            can_resume: subscription.can_resume,
        })
    }

    fn answer(subscription: Option<wire::Subscription>) -> Result<Response, Error> {
        Ok(json(&Self::new(subscription.ok_or_else(|| incomplete("subscription"))?)?))
    }
}

impl SubscriptionState {
    fn new(state: wire::SubscriptionState) -> Result<Self, Error> {
        match state {
            wire::SubscriptionState::Unspecified => Err(incomplete("state")),
            wire::SubscriptionState::Incomplete => Ok(Self::Incomplete),
            wire::SubscriptionState::Active => Ok(Self::Active),
            wire::SubscriptionState::PastDue => Ok(Self::PastDue),
            wire::SubscriptionState::CancelScheduled => Ok(Self::CancelScheduled),
            wire::SubscriptionState::Ended => Ok(Self::Ended),
        }
    }
}

impl SubscriptionOrder {
    fn new(order: wire::SubscriptionOrder) -> Result<Self, Error> {
        Ok(Self {
            id: order.id,
            number: order.number,
            total: order.total,
            paid_at: parse_optional_timestamp(order.paid_at)?,
        })
    }
}

/// Lists the caller's subscriptions, newest first, without those that were never paid.
#[utoipa::path(
    get,
    path = "/api/commerce/subscription/",
    operation_id = "subscription_list",
    tag = "commerce",
    params(("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)),
    responses((status = 200, description = "A page of subscriptions.", body = Page<Subscription>))
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    relative: Relative,
    query: Query,
) -> Result<Response, Error> {
    let page = query.page()?;
    let request = wire::ListSubscriptionsRequest { page };
    let list = edge.subscriptions(&relative).list_subscriptions(request).await?.into_inner();
    let listing = List { path: "/api/commerce/subscription/", filters: &[], page, count: list.count };
    Ok(json(&Page::new(&edge, &listing, list.subscriptions, Subscription::new)?))
}

/// Returns a subscription. 404 for a subscription of another account.
#[utoipa::path(
    get,
    path = "/api/commerce/subscription/{id}/",
    operation_id = "subscription",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the subscription.")),
    responses((status = 200, description = "The subscription.", body = Subscription))
)]
pub(crate) async fn subscription(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = wire::GetSubscriptionRequest { subscription_id: id.to_string() };
    let found = edge.subscriptions(&relative).get_subscription(request).await?.into_inner();
    Subscription::answer(found.subscription)
}

/// Cancels a subscription: it ends with the period that is paid, or at once if a renewal is due and not paid.
///
/// 409 `SUBSCRIPTION_ENDED` for one that has ended or was never paid. Idempotent.
#[utoipa::path(
    post,
    path = "/api/commerce/subscription/{id}/cancel/",
    operation_id = "cancel_subscription",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the subscription.")),
    responses((status = 200, description = "The subscription.", body = Subscription))
)]
pub(crate) async fn cancel(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
    _: Empty,
) -> Result<Response, Error> {
    let request = wire::CancelSubscriptionRequest { subscription_id: id.to_string() };
    let cancelled = edge.subscriptions(&relative).cancel_subscription(request).await?.into_inner();
    Subscription::answer(cancelled.subscription)
}

/// Takes a cancellation back before the subscription ends.
///
/// 409 `SUBSCRIPTION_ENDED` for one that has ended or was never paid. Idempotent.
#[utoipa::path(
    post,
    path = "/api/commerce/subscription/{id}/resume/",
    operation_id = "resume_subscription",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the subscription.")),
    responses((status = 200, description = "The subscription.", body = Subscription))
)]
pub(crate) async fn resume(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
    _: Empty,
) -> Result<Response, Error> {
    let request = wire::ResumeSubscriptionRequest { subscription_id: id.to_string() };
    let resumed = edge.subscriptions(&relative).resume_subscription(request).await?.into_inner();
    Subscription::answer(resumed.subscription)
}
