//! The saved card of an account.

use time::Duration;

use super::MONTHLY;
use crate::shop::{Shop, refusal};
use crate::test_provider::Behaviour;
use crate::test_provider::card::Bank;

#[tokio::test]
async fn a_card_is_entered_on_the_providers_page_and_found_when_its_owner_is_back() {
    let shop = Shop::with(&[MONTHLY]).await;
    let learner = shop.learner();
    assert_eq!(learner.card().await, None);
    assert_eq!(learner.check_setup().await, None);
    let page = learner.start_setup().await.unwrap();
    assert_eq!(page, "https://pay.example/setup/0");
    let form = &shop.provider.setups()[0].form;
    assert_eq!((&*form["mode"], &*form["currency"], &*form["customer"]), ("setup", "jpy", "cus_0"));
    assert_eq!(form["success_url"], "https://konomana.example/mypage/settings/card?setup=done");
    assert_eq!(form["cancel_url"], "https://konomana.example/mypage/settings/card?setup=cancelled");
    assert_eq!(form["setup_intent_data[metadata][account]"], learner.id.to_string());
    assert_eq!(learner.check_setup().await, None, "nothing was entered");
    shop.provider.enter_card(0, Bank::Pays);
    let card = learner.check_setup().await.unwrap();
    assert_eq!((&*card.brand, &*card.last4, card.exp_month, card.exp_year), ("visa", "4242", 12, 2027));
    assert!(!card.is_expired && !card.is_needed);
    assert_eq!(learner.check_setup().await, Some(card.clone()));
    assert_eq!(shop.learner().card().await, None);
    // The last day of its last month in Tokyo, and the next.
    shop.go_to(time::macros::datetime!(2027-12-31 14:59 UTC));
    assert!(!learner.card().await.unwrap().is_expired);
    shop.clock.advance(Duration::MINUTE);
    assert!(learner.card().await.unwrap().is_expired);
}

#[tokio::test]
async fn an_event_or_the_clock_finds_a_card_whose_owner_does_not_come_back() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (told, asked) = (shop.learner(), shop.learner());
    told.start_setup().await.unwrap();
    shop.provider.enter_card(0, Bank::Pays);
    let _workers = shop.work();
    shop.receive("evt_1", "setup_intent.succeeded", "seti_0").await.unwrap();
    shop.receive("evt_2", "checkout.session.completed", "cs_setup_0").await.unwrap();
    shop.until("SELECT payment_method FROM card", 1).await;
    assert!(told.card().await.is_some());
    asked.start_setup().await.unwrap();
    shop.provider.enter_card(1, Bank::Pays);
    shop.clock.advance(Duration::minutes(3));
    shop.until("SELECT payment_method FROM card WHERE account_id IS NOT NULL", 2).await;
    shop.until("SELECT session FROM card_setup", 0).await;
    assert!(asked.card().await.is_some());
}

#[tokio::test]
async fn the_newest_card_replaces_the_older_in_any_order_of_events() {
    let shop = Shop::with(&[MONTHLY]).await;
    let learner = shop.learner();
    let _workers = shop.work();
    for setup in 0..2 {
        learner.start_setup().await.unwrap();
        shop.clock.advance(Duration::SECOND);
        shop.provider.enter_card(setup, Bank::Pays);
    }
    // The event of the newer card arrives before that of the older one, and twice.
    for (id, setup) in [("evt_1", "seti_1"), ("evt_2", "seti_0"), ("evt_3", "seti_1")] {
        shop.receive(id, "setup_intent.succeeded", setup).await.unwrap();
    }
    shop.until("SELECT id FROM provider_event WHERE processed_at IS NOT NULL", 3).await;
    assert_eq!(learner.card().await.unwrap().last4, "4243");
    shop.until("SELECT payment_method FROM card", 1).await;
    let attached: Vec<_> = shop.provider.cards().iter().map(|card| card.customer.is_some()).collect();
    assert_eq!(attached, [false, true]);
}

#[tokio::test]
async fn a_card_of_another_account_or_another_system_is_left_alone() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, other) = (shop.learner(), shop.learner());
    other.save_card(&shop, Bank::Pays).await;
    learner.start_setup().await.unwrap();
    // A setup intent of one account's customer that names another account.
    shop.provider.forge_setup(1, &other.id.to_string());
    shop.provider.enter_card(1, Bank::Pays);
    let _workers = shop.work();
    shop.receive("evt_1", "setup_intent.succeeded", "seti_1").await.unwrap();
    shop.receive("evt_2", "setup_intent.succeeded", "seti_9").await.unwrap();
    shop.receive("evt_3", "checkout.session.completed", "cs_setup_9").await.unwrap();
    shop.until("SELECT id FROM provider_event WHERE processed_at IS NOT NULL", 3).await;
    assert_eq!(learner.check_setup().await, None);
    assert_eq!(other.card().await.unwrap().last4, "4242");
}

#[tokio::test]
async fn a_card_is_removed_unless_a_subscription_needs_it() {
    let shop = Shop::with(&[MONTHLY]).await;
    let _workers = shop.work();
    let (learner, subscription) = shop.subscribed().await;
    assert!(learner.card().await.unwrap().is_needed);
    assert_eq!(refusal(learner.remove_card().await), "Conflict CARD_NEEDED");
    learner.cancel_subscription(&subscription.id).await.unwrap();
    shop.provider.set_behaviour(Behaviour::Down);
    learner.remove_card().await.unwrap();
    learner.remove_card().await.unwrap();
    assert_eq!(learner.card().await, None);
    assert!(shop.provider.cards()[0].customer.is_some());
    // It is detached as soon as the provider answers.
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::minutes(1));
    shop.until("SELECT payment_method FROM card", 0).await;
    assert_eq!(shop.provider.cards()[0].customer, None);
}

#[tokio::test]
async fn without_an_answer_no_page_is_opened_and_no_card_is_lost() {
    let shop = Shop::with(&[MONTHLY]).await;
    let learner = shop.learner();
    let card = learner.save_card(&shop, Bank::Pays).await;
    shop.provider.set_behaviour(Behaviour::Down);
    assert_eq!(learner.start_setup().await.unwrap_err().code(), tonic::Code::Unavailable);
    assert_eq!(learner.check_setup().await, Some(card));
}
