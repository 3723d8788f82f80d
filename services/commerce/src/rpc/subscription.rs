//! `commerce.v1.SubscriptionService`.

use kit::page::Page;
use kit::timestamp::to_timestamp;
use proto::commerce as wire;
use proto::commerce::subscription_service_server::SubscriptionService;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Commerce, account, card, parse_id};
use crate::error::Error;
use crate::subscription::{self, Subscription, SubscriptionOrder};
use crate::subscription_rules::State;

#[tonic::async_trait]
impl SubscriptionService for Commerce {
    async fn list_subscriptions(
        &self,
        request: Request<wire::ListSubscriptionsRequest>,
    ) -> Result<Response<wire::ListSubscriptionsResponse>, Status> {
        let account = account(&request)?;
        let page = Page::parse(request.into_inner().page, subscription::PAGE_SIZE)?;
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let card = card::find_card(&mut connection, account, now).await.map_err(Error::from)?;
        let (rows, subscriptions) =
            subscription::list_page(&mut connection, account, page).await.map_err(Error::from)?;
        let subscriptions = subscriptions.into_iter().map(|it| encode(it, card.clone(), now));
        Ok(Response::new(wire::ListSubscriptionsResponse {
            count: page.encode_count(rows).ok_or(Error::NotFound)?,
            subscriptions: subscriptions.collect(),
        }))
    }

    async fn get_subscription(
        &self,
        request: Request<wire::GetSubscriptionRequest>,
    ) -> Result<Response<wire::GetSubscriptionResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().subscription_id)?;
        let subscription = Some(self.find_subscription(account, id).await?);
        Ok(Response::new(wire::GetSubscriptionResponse { subscription }))
    }

    async fn cancel_subscription(
        &self,
        request: Request<wire::CancelSubscriptionRequest>,
    ) -> Result<Response<wire::CancelSubscriptionResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().subscription_id)?;
        self.find_subscription(account, id).await?;
        if !self.settlement.cancel_subscription(id).await.map_err(Error::from)? {
            return Err(Error::SubscriptionEnded.into());
        }
        let subscription = Some(self.find_subscription(account, id).await?);
        Ok(Response::new(wire::CancelSubscriptionResponse { subscription }))
    }

    async fn resume_subscription(
        &self,
        request: Request<wire::ResumeSubscriptionRequest>,
    ) -> Result<Response<wire::ResumeSubscriptionResponse>, Status> {
        let account = account(&request)?;
        let id = parse_id(&request.into_inner().subscription_id)?;
        self.find_subscription(account, id).await?;
        if !self.settlement.resume_subscription(id).await.map_err(Error::from)? {
            return Err(Error::SubscriptionEnded.into());
        }
        let subscription = Some(self.find_subscription(account, id).await?);
        Ok(Response::new(wire::ResumeSubscriptionResponse { subscription }))
    }
}

impl Commerce {
    async fn find_subscription(&self, account: Uuid, id: Uuid) -> Result<wire::Subscription, Error> {
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let found = subscription::find(&mut connection, account, id).await?.ok_or(Error::NotFound)?;
        let card = card::find_card(&mut connection, account, now).await?;
        Ok(encode(found, card, now))
    }
}

/// Encodes a subscription with its card.
pub(super) fn encode(
    subscription: Subscription,
    card: Option<wire::Card>,
    now: OffsetDateTime,
) -> wire::Subscription {
    let state = match subscription.state {
        State::Incomplete => wire::SubscriptionState::Incomplete,
        State::Active => wire::SubscriptionState::Active,
        State::PastDue => wire::SubscriptionState::PastDue,
        State::CancelScheduled => wire::SubscriptionState::CancelScheduled,
        State::Ended => wire::SubscriptionState::Ended,
    };
    wire::Subscription {
        id: subscription.id.to_string(),
        product_id: subscription.product,
        state: state.into(),
        started_at: subscription.started_at.map(to_timestamp),
        current_period_start: subscription.period_start.map(to_timestamp),
        current_period_end: subscription.period_end.map(to_timestamp),
        next_charge_at: subscription.next_charge_at().map(to_timestamp),
        cancel_until: subscription.cancel_until().map(to_timestamp),
        ends_at: subscription.ends_at().map(to_timestamp),
        retry_at: subscription.retry_at(now).map(to_timestamp),
        card: card.filter(|_| subscription.state != State::Ended),
        learner_id: subscription.learner.to_string(),
        can_cancel: subscription.state.can_cancel(),
        can_resume: subscription.can_resume(),
        active_until: subscription.active_until().map(to_timestamp),
        orders: subscription.orders.into_iter().map(encode_order).collect(),
        name: subscription.name,
        price: subscription.price,
        decline_code: subscription.decline_code,
        learner_name: subscription.learner_name,
    }
}

fn encode_order(order: SubscriptionOrder) -> wire::SubscriptionOrder {
    wire::SubscriptionOrder {
        id: order.id.to_string(),
        number: order.number,
        total: order.total,
        paid_at: order.paid_at.map(to_timestamp),
    }
}
