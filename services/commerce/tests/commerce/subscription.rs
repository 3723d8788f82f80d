//! Subscriptions and their saved cards.

mod card;
mod consent;
mod erasure;
mod period;
mod plan_grant;
mod refusal;
mod renewal;
mod saved_card;
mod start;
mod state;

use proto::commerce::{
    CancelSubscriptionRequest, Card, CheckCardSetupRequest, GetCardRequest, GetSubscriptionRequest, Order,
    PaymentMethod, PlaceOrderRequest, RemoveCardRequest, ResumeSubscriptionRequest, StartCardSetupRequest,
    Subscription,
};
use time::macros::offset;
use time::{Duration, OffsetDateTime};
use tonic::Status;

use crate::customer::Customer;
use crate::shop::Shop;
use crate::test_provider::card::Bank;

/// A product with a monthly charge.
pub(crate) const MONTHLY: &str = "id: 3001, kind: subscription, name: 月額 質問し放題, price: 2980";

/// Formats a time in Tokyo, e.g. `2026-12-20 00:00`.
fn tokyo(time: Option<prost_types::Timestamp>) -> String {
    let Some(time) = time else { return "-".to_owned() };
    let time = OffsetDateTime::from_unix_timestamp(time.seconds).unwrap().to_offset(offset!(+9));
    format!("{} {:02}:{:02}", time.date(), time.hour(), time.minute())
}

impl Shop {
    fn now(&self) -> OffsetDateTime {
        self.clock.clock().now()
    }

    /// Moves the clock to a time.
    fn go_to(&self, moment: OffsetDateTime) {
        self.clock.advance(moment - self.now());
    }

    /// A learner who has paid for the first month.
    async fn subscribed(&self) -> (Customer, Subscription) {
        let learner = self.learner();
        let order = self.buy_monthly(&learner).await;
        let subscription = learner.subscription(order.subscription_id()).await.unwrap();
        (learner, subscription)
    }

    /// Orders the subscription for the first learner, and pays on the provider's page.
    pub(crate) async fn buy_monthly(&self, customer: &Customer) -> Order {
        customer.add(3001).await.unwrap();
        let order = customer.place().await.unwrap();
        self.provider.pay(self.provider.sessions().len() - 1);
        self.clock.advance(Duration::SECOND);
        customer.check(&order.id).await.unwrap()
    }

    /// Waits until the subscription is in a state.
    async fn until_state(&self, state: &'static str) {
        let query: &'static str = match state {
            "active" => "SELECT 'one' FROM subscription WHERE state = 'active'",
            "past_due" => "SELECT 'one' FROM subscription WHERE state = 'past_due'",
            "cancel_scheduled" => "SELECT 'one' FROM subscription WHERE state = 'cancel_scheduled'",
            _ => "SELECT 'one' FROM subscription WHERE state = 'ended'",
        };
        self.until(query, 1).await;
    }
}

impl Customer {
    async fn subscription(&self, id: &str) -> Result<Subscription, Status> {
        let request = GetSubscriptionRequest { subscription_id: id.to_owned() };
        Ok(self.subscriptions().get_subscription(request).await?.into_inner().subscription.unwrap())
    }

    pub(crate) async fn cancel_subscription(&self, id: &str) -> Result<Subscription, Status> {
        let request = CancelSubscriptionRequest { subscription_id: id.to_owned() };
        Ok(self.subscriptions().cancel_subscription(request).await?.into_inner().subscription.unwrap())
    }

    async fn resume_subscription(&self, id: &str) -> Result<Subscription, Status> {
        let request = ResumeSubscriptionRequest { subscription_id: id.to_owned() };
        Ok(self.subscriptions().resume_subscription(request).await?.into_inner().subscription.unwrap())
    }

    async fn card(&self) -> Option<Card> {
        self.cards().get_card(GetCardRequest {}).await.unwrap().into_inner().card
    }

    pub(crate) async fn start_setup(&self) -> Result<String, Status> {
        let request = StartCardSetupRequest { buyer: Some(self.buyer.clone()) };
        Ok(self.cards().start_card_setup(request).await?.into_inner().page_url)
    }

    async fn check_setup(&self) -> Option<Card> {
        self.cards().check_card_setup(CheckCardSetupRequest {}).await.unwrap().into_inner().card
    }

    async fn remove_card(&self) -> Result<(), Status> {
        self.cards().remove_card(RemoveCardRequest {}).await.map(drop)
    }

    /// Saves a card on the provider's page.
    pub(crate) async fn save_card(&self, shop: &Shop, bank: Bank) -> Card {
        self.start_setup().await.unwrap();
        shop.clock.advance(Duration::SECOND);
        shop.provider.enter_card(shop.provider.setups().len() - 1, bank);
        self.check_setup().await.unwrap()
    }

    /// Orders the cart with the saved card.
    async fn place_by_card(&self) -> Result<Order, Status> {
        let shown = self.confirmation_by(PaymentMethod::SavedCard).await?;
        let request = self.request_of(shown.confirmation.unwrap().digest);
        self.send(PlaceOrderRequest { method: PaymentMethod::SavedCard.into(), ..request }).await
    }
}
