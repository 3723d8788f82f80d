//! Refused charges, and their effect on the subscription.

use proto::commerce::{
    OrderEnded, OrderState, PaymentMethod, PaymentState, SubscriptionEnded, SubscriptionRefused,
    SubscriptionRenewed, SubscriptionState,
};
use time::Duration;
use time::macros::datetime;

use super::{MONTHLY, tokyo};
use crate::buying::{Workers, states};
use crate::customer::Customer;
use crate::shop::{Shop, refusal};
use crate::test_provider::card::Bank;

const FAILED: &str = "SELECT 'one' FROM payment WHERE state = 'failed'";

/// A subscription whose first renewal was refused on 20 December at 00:00 in Tokyo.
async fn past_due(bank: Bank) -> (Shop, Customer, String, Workers) {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    shop.provider.set_bank(0, bank);
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    let workers = shop.work();
    shop.until_state("past_due").await;
    (shop, learner, subscription.id, workers)
}

impl Shop {
    /// The order of the unpaid renewal.
    async fn renewal(&self, learner: &Customer) -> proto::commerce::Order {
        learner.order_page(1).await.unwrap().orders.remove(0)
    }
}

#[tokio::test]
async fn a_refused_charge_is_repeated_after_1_3_and_5_days_and_ends_after_7() {
    let (shop, learner, id, _workers) = Box::pin(past_due(Bank::Refuses("insufficient_funds"))).await;
    let due = shop.now();
    let shown = learner.subscription(&id).await.unwrap();
    assert_eq!(shown.decline_code(), "insufficient_funds");
    assert_eq!(tokyo(shown.retry_at), "2026-12-21 00:00");
    assert_eq!(
        (tokyo(shown.ends_at), tokyo(shown.active_until)),
        ("2026-12-27 00:00".to_owned(), "2026-12-27 00:00".to_owned())
    );
    assert_eq!((shown.next_charge_at, shown.can_cancel, shown.can_resume), (None, true, false));
    for (days, failed) in [(1, 2), (3, 3), (5, 4)] {
        shop.go_to(due + Duration::days(days) - Duration::SECOND);
        tokio::time::sleep(std::time::Duration::from_millis(1_300)).await;
        assert_eq!(shop.provider.charges().len(), failed - 1, "not before");
        shop.clock.advance(Duration::SECOND);
        shop.until(FAILED, failed).await;
    }
    let last = learner.subscription(&id).await.unwrap();
    assert_eq!((last.state(), last.retry_at), (SubscriptionState::PastDue, None));
    shop.go_to(due + Duration::days(7));
    shop.until_state("ended").await;
    let ended = learner.subscription(&id).await.unwrap();
    assert_eq!(
        (ended.state(), tokyo(ended.ends_at)),
        (SubscriptionState::Ended, "2026-12-27 00:00".to_owned())
    );
    assert_eq!(shop.renewal(&learner).await.state(), OrderState::Expired);
    let keys: Vec<_> = shop.provider.charges().iter().map(|charge| charge.key[36..].to_owned()).collect();
    assert_eq!(keys, [":2:1", ":2:2", ":2:3", ":2:4"]);
    let mails = shop.events::<SubscriptionRefused>("desk").await;
    let retries: Vec<_> = mails.iter().map(|mail| tokyo(mail.retry_at)).collect();
    assert_eq!(retries, ["2026-12-21 00:00", "2026-12-23 00:00", "2026-12-25 00:00", "-"]);
    assert!(mails.iter().all(|mail| tokyo(mail.ends_at) == "2026-12-27 00:00" && mail.total == 2_980));
    let [ended] = &shop.events::<SubscriptionEnded>("desk").await[..] else { panic!("one mail") };
    assert!(ended.is_unpaid);
    assert!(shop.events::<OrderEnded>("desk").await.is_empty(), "one mail is enough");
    assert_eq!(shop.balances().await, ["provider_cash 2980", "revenue -2710", "tax -270"]);
    // The card can be removed, and the product can be bought again.
    learner.remove_card().await.unwrap();
    learner.add(3001).await.unwrap();
    learner.place().await.unwrap();
}

#[tokio::test]
async fn a_retry_that_is_paid_goes_on_from_the_day_that_was_due() {
    let (shop, learner, id, _workers) = Box::pin(past_due(Bank::Refuses("insufficient_funds"))).await;
    shop.provider.set_bank(0, Bank::Pays);
    shop.clock.advance(Duration::days(1));
    shop.until_state("active").await;
    let active = learner.subscription(&id).await.unwrap();
    assert_eq!(tokyo(active.current_period_start), "2026-12-20 00:00");
    assert_eq!(tokyo(active.current_period_end), "2027-01-20 00:00");
    assert_eq!((active.decline_code, active.retry_at, active.ends_at), (None, None, None));
    assert_eq!(shop.events::<SubscriptionRenewed>("desk").await.len(), 1);
    // No retry follows.
    shop.clock.advance(Duration::days(10));
    tokio::time::sleep(std::time::Duration::from_millis(1_300)).await;
    assert_eq!(shop.provider.charges().len(), 2);
    assert_eq!(shop.balances().await, ["provider_cash 5960", "revenue -5420", "tax -540"]);
}

#[tokio::test]
async fn a_card_that_wants_3d_secure_is_charged_when_its_owner_is_there() {
    let (shop, learner, id, _workers) = Box::pin(past_due(Bank::WantsProof)).await;
    let [mail] = &shop.events::<SubscriptionRefused>("desk").await[..] else { panic!("one mail") };
    assert_eq!(mail.decline_code, "authentication_required");
    // The link in the email leads to the order.
    let order = learner.pay(&mail.order_id).await.unwrap();
    assert_eq!(states(&order), (OrderState::AwaitingPayment, PaymentState::RequiresAction));
    assert_eq!(order.payment.unwrap().page_url(), "https://pay.example/3ds/1");
    let charges = shop.provider.charges();
    assert!(
        charges[1].form["return_url"]
            .ends_with(&format!("/payment/complete/subscribe?order={}", mail.order_id))
    );
    assert!(!charges[1].form.contains_key("off_session"));
    // 3-D Secure fails without another email, and is tried again.
    shop.provider.prove(1, false);
    shop.clock.advance(Duration::seconds(2));
    let failed = learner.check(&mail.order_id).await.unwrap();
    assert_eq!(states(&failed), (OrderState::AwaitingPayment, PaymentState::Failed));
    assert_eq!(failed.payment.unwrap().decline_code(), "payment_intent_authentication_failure");
    learner.pay(&mail.order_id).await.unwrap();
    shop.provider.prove(2, true);
    shop.receive("evt_1", "payment_intent.succeeded", "pi_card_2").await.unwrap();
    shop.until_state("active").await;
    assert_eq!(tokyo(learner.subscription(&id).await.unwrap().current_period_end), "2027-01-20 00:00");
    assert_eq!(shop.events::<SubscriptionRefused>("desk").await.len(), 1);
    assert_eq!(shop.balances().await, ["provider_cash 5960", "revenue -5420", "tax -540"]);
}

#[tokio::test]
async fn another_card_is_charged_at_once() {
    let (shop, learner, id, _workers) = Box::pin(past_due(Bank::Refuses("expired_card"))).await;
    shop.clock.advance(Duration::hours(2));
    learner.save_card(&shop, Bank::Pays).await;
    shop.until_state("active").await;
    let charges = shop.provider.charges();
    assert_eq!(
        charges.iter().map(|charge| &*charge.form["payment_method"]).collect::<Vec<_>>(),
        ["pm_0", "pm_1"]
    );
    assert_eq!(learner.subscription(&id).await.unwrap().card.unwrap().last4, "4243");
    // The old card is detached.
    shop.until("SELECT payment_method FROM card", 1).await;
    assert_eq!(shop.provider.cards()[0].customer, None);
}

#[tokio::test]
async fn without_a_card_there_is_nothing_to_charge_until_one_is_saved() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    // Detached at the provider's dashboard.
    shop.provider.detach(0);
    shop.receive("evt_1", "payment_method.detached", "pm_0").await.unwrap();
    let _workers = shop.work();
    shop.until("SELECT payment_method FROM card", 0).await;
    assert_eq!(learner.subscription(&subscription.id).await.unwrap().card, None);
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    shop.until_state("past_due").await;
    let [mail] = &shop.events::<SubscriptionRefused>("desk").await[..] else { panic!("one mail") };
    assert_eq!(mail.decline_code, "card_missing");
    assert!(shop.provider.charges().is_empty());
    // It is paid on the provider's page, which saves the card.
    let order = learner.pay(&mail.order_id).await.unwrap();
    assert_eq!(order.payment.as_ref().unwrap().method(), PaymentMethod::Card);
    shop.provider.pay(1);
    shop.clock.advance(Duration::seconds(2));
    learner.check(&order.id).await.unwrap();
    assert_eq!(learner.subscription(&subscription.id).await.unwrap().state(), SubscriptionState::Active);
    assert_eq!(learner.card().await.unwrap().last4, "4243");
}

#[tokio::test]
async fn an_open_page_and_a_retry_are_one_payment() {
    let (shop, learner, id, _workers) = Box::pin(past_due(Bank::Refuses("insufficient_funds"))).await;
    shop.provider.set_bank(0, Bank::Pays);
    shop.clock.advance(Duration::days(1) - Duration::minutes(10));
    let order = shop.renewal(&learner).await;
    let open = learner.pay_by(&order.id, PaymentMethod::Card).await.unwrap();
    assert_eq!(open.payment.unwrap().method(), PaymentMethod::Card);
    // The retry is due while the buyer is on the page.
    shop.clock.advance(Duration::minutes(10));
    tokio::time::sleep(std::time::Duration::from_millis(1_300)).await;
    assert_eq!(shop.provider.charges().len(), 1);
    shop.provider.pay(1);
    shop.clock.advance(Duration::hours(2));
    shop.until_state("active").await;
    shop.clock.advance(Duration::days(2));
    tokio::time::sleep(std::time::Duration::from_millis(1_300)).await;
    assert_eq!(shop.provider.charges().len(), 1);
    assert_eq!(shop.texts("SELECT 'one' FROM refund").await.len(), 0);
    assert_eq!(learner.subscription(&id).await.unwrap().orders.len(), 2);
    assert_eq!(shop.balances().await, ["provider_cash 5960", "revenue -5420", "tax -540"]);
}

#[tokio::test]
async fn a_page_that_was_left_does_not_stop_the_retry() {
    let (shop, learner, _, _workers) = Box::pin(past_due(Bank::WantsProof)).await;
    let order = shop.renewal(&learner).await;
    learner.pay(&order.id).await.unwrap();
    shop.provider.set_bank(0, Bank::Pays);
    shop.clock.advance(Duration::days(1));
    shop.until_state("active").await;
    let statuses: Vec<_> = shop.provider.charges().iter().map(|charge| charge.status).collect();
    assert_eq!(statuses, ["requires_payment_method", "canceled", "succeeded"]);
}

#[tokio::test]
async fn a_past_due_subscription_that_is_cancelled_ends_at_once() {
    let (shop, learner, id, _workers) = Box::pin(past_due(Bank::Refuses("lost_card"))).await;
    let shown = learner.subscription(&id).await.unwrap();
    assert_eq!(shown.decline_code(), "card_declined", "the reason is hidden from a thief");
    let order = shop.renewal(&learner).await;
    let cancelled = learner.cancel_subscription(&id).await.unwrap();
    assert_eq!(cancelled.state(), SubscriptionState::Ended);
    assert_eq!(learner.order(&order.id).await.unwrap().state(), OrderState::Cancelled);
    assert_eq!(refusal(learner.pay(&order.id).await), "Conflict ORDER_CLOSED");
    let [mail] = &shop.events::<SubscriptionEnded>("desk").await[..] else { panic!("one mail") };
    assert!(!mail.is_unpaid);
    shop.clock.advance(Duration::days(8));
    tokio::time::sleep(std::time::Duration::from_millis(1_300)).await;
    assert_eq!(shop.provider.charges().len(), 1);
}

#[tokio::test]
async fn a_proof_that_comes_with_the_cancellation_pays_the_last_month() {
    let (shop, learner, id, _workers) = Box::pin(past_due(Bank::WantsProof)).await;
    let order = shop.renewal(&learner).await;
    learner.pay(&order.id).await.unwrap();
    shop.provider.prove(1, true);
    let cancelled = learner.cancel_subscription(&id).await.unwrap();
    assert_eq!(cancelled.state(), SubscriptionState::CancelScheduled);
    assert_eq!(tokyo(cancelled.ends_at), "2027-01-20 00:00");
    assert!(learner.order(&order.id).await.unwrap().paid_at.is_some());
}

#[tokio::test]
async fn a_renewal_beside_an_open_order_of_the_cart() {
    let shop = Shop::with(&[MONTHLY, crate::buying::COURSE]).await;
    let (learner, _) = shop.subscribed().await;
    shop.provider.set_bank(0, Bank::Refuses("insufficient_funds"));
    shop.go_to(datetime!(2026-12-19 14:59 UTC));
    learner.add(1101).await.unwrap();
    let order = learner.place().await.unwrap();
    let _workers = shop.work();
    shop.clock.advance(Duration::MINUTE);
    shop.until_state("past_due").await;
    let cart = learner.cart().await;
    assert_eq!(cart.open_order.unwrap().id, order.id);
    // The same with the roles swapped.
    learner.cancel(&order.id).await.unwrap();
    learner.place().await.unwrap();
}
