//! Erased accounts, and the export.

use proto::commerce::{ExportPurchasesRequest, OrderState, SubscriptionEnded, SubscriptionState};
use time::Duration;
use time::macros::datetime;

use super::MONTHLY;
use crate::shop::Shop;
use crate::test_provider::card::Bank;

#[tokio::test]
async fn the_subscriptions_of_an_erased_buyer_end_and_the_card_is_deleted() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, _) = shop.subscribed().await;
    let _workers = shop.work();
    shop.erase(&learner.id.to_string()).await;
    shop.until_state("ended").await;
    shop.until("SELECT payment_method FROM card", 0).await;
    assert_eq!(shop.provider.cards()[0].customer, None);
    // No email address is left.
    assert!(shop.events::<SubscriptionEnded>("desk").await.is_empty());
    let left = shop.texts("SELECT row_to_json(subscription)::text FROM subscription").await.concat();
    for gone in ["aoi@example.jp", "葵 太郎", &learner.id.to_string()] {
        assert!(!left.contains(gone), "{gone}: {left}");
    }
    shop.go_to(datetime!(2027-03-01 0:00 UTC));
    tokio::time::sleep(std::time::Duration::from_millis(1_300)).await;
    assert!(shop.provider.charges().is_empty());
}

#[tokio::test]
async fn a_renewal_that_is_not_paid_ends_with_the_account() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, _) = shop.subscribed().await;
    shop.provider.set_bank(0, Bank::Refuses("insufficient_funds"));
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    let _workers = shop.work();
    shop.until_state("past_due").await;
    shop.erase(&learner.id.to_string()).await;
    shop.until("SELECT id::text FROM orders WHERE renews IS NOT NULL AND state = 'cancelled'", 1).await;
    shop.until_state("ended").await;
    shop.clock.advance(Duration::days(2));
    assert_eq!(shop.provider.charges().len(), 1);
    assert_eq!(shop.balances().await, ["provider_cash 2980", "revenue -2710", "tax -270"]);
}

#[tokio::test]
async fn the_subscription_of_an_erased_child_ends_and_the_guardian_is_emailed() {
    let shop = Shop::with(&[MONTHLY]).await;
    let guardian = shop.guardian(1);
    let order = shop.buy_monthly(&guardian).await;
    let _workers = shop.work();
    shop.erase(guardian.learner(0)).await;
    shop.until_state("ended").await;
    let ended = guardian.subscription(order.subscription_id()).await.unwrap();
    assert_eq!((ended.state(), &*ended.learner_name), (SubscriptionState::Ended, ""));
    let [mail] = &shop.events::<SubscriptionEnded>("desk").await[..] else { panic!("one mail") };
    let name = mail.subscription.as_ref().unwrap();
    assert_eq!((&*name.to, &*name.item, mail.is_unpaid), ("hanako@example.jp", "月額 質問し放題", false));
    assert!(guardian.card().await.is_some());
    guardian.remove_card().await.unwrap();
}

#[tokio::test]
async fn a_card_that_is_entered_while_its_account_is_erased_is_not_saved() {
    let shop = Shop::with(&[MONTHLY]).await;
    let learner = shop.learner();
    learner.start_setup().await.unwrap();
    shop.provider.enter_card(0, Bank::Pays);
    shop.erase(&learner.id.to_string()).await;
    let _workers = shop.work();
    shop.receive("evt_1", "setup_intent.succeeded", "seti_0").await.unwrap();
    shop.until("SELECT id FROM provider_event WHERE processed_at IS NOT NULL", 1).await;
    assert_eq!(shop.texts("SELECT payment_method FROM card").await.len(), 0);
    assert_eq!(shop.texts("SELECT session FROM card_setup").await.len(), 0);
}

#[tokio::test]
async fn the_export_has_the_card_and_the_subscriptions() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    let mut parts = learner.orders().export_purchases(ExportPurchasesRequest {}).await.unwrap().into_inner();
    let first = parts.message().await.unwrap().unwrap();
    assert_eq!(first.card.unwrap().last4, "4242");
    let [exported] = &first.subscriptions[..] else { panic!("one subscription") };
    assert_eq!(exported.id, subscription.id);
    let second = parts.message().await.unwrap().unwrap();
    assert!(second.card.is_none() && second.subscriptions.is_empty());
    let order = second.orders[0].order.clone().unwrap();
    assert_eq!((order.state(), order.subscription_id()), (OrderState::Paid, &*subscription.id));
}
