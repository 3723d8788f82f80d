//! Renewals over several months.

use proto::commerce::{
    OrderEnded, OrderPaid, OrderState, PaymentMethod, SubscriptionCancelled, SubscriptionEnded,
    SubscriptionNoticed, SubscriptionRenewed, SubscriptionState,
};
use proto::desk::QuestionPlanRevoked;
use time::Duration;
use time::macros::datetime;

use super::{MONTHLY, tokyo};
use crate::shop::{Shop, refusal};
use crate::test_provider::Behaviour;

/// The keys of the charges so far, without the id of the subscription.
fn keys(shop: &Shop) -> Vec<String> {
    let charges = shop.provider.charges();
    charges.iter().map(|charge| charge.key.split_once(':').unwrap().1.to_owned()).collect()
}

/// A subscription whose next charge was announced.
const ANNOUNCED: &str =
    "SELECT 'one' FROM subscription WHERE noticed_period = period AND next_run_at = period_end";

#[tokio::test]
async fn the_31st_is_renewed_at_each_end_of_a_month_once() {
    let shop = Shop::with(&[MONTHLY]).await;
    shop.go_to(datetime!(2027-01-31 3:00 UTC));
    let (learner, subscription) = shop.subscribed().await;
    let _workers = shop.work();
    // A second process.
    let _others = shop.work();
    // 00:00 in Tokyo of 28 February, 31 March, 30 April and 31 May.
    let days = ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"];
    let moments = [
        datetime!(2027-02-27 15:00 UTC),
        datetime!(2027-03-30 15:00 UTC),
        datetime!(2027-04-29 15:00 UTC),
        datetime!(2027-05-30 15:00 UTC),
    ];
    let mut end = subscription.current_period_end;
    for (month, moment) in moments.into_iter().enumerate() {
        assert_eq!(tokyo(end), format!("{} 00:00", days[month]));
        // No notice is published one second before the notice time.
        shop.go_to(moment - Duration::days(7) - Duration::SECOND);
        tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
        assert_eq!(shop.events::<SubscriptionNoticed>("desk").await.len(), month);
        shop.clock.advance(Duration::SECOND);
        let noticed: &'static str = ["1", "2", "3", "4"][month];
        let query = match noticed {
            "1" => "SELECT 'one' FROM subscription WHERE noticed_period = 1",
            "2" => "SELECT 'one' FROM subscription WHERE noticed_period = 2",
            "3" => "SELECT 'one' FROM subscription WHERE noticed_period = 3",
            _ => "SELECT 'one' FROM subscription WHERE noticed_period = 4",
        };
        shop.until(query, 1).await;
        assert_eq!(shop.provider.charges().len(), month);
        shop.go_to(moment);
        shop.until("SELECT id::text FROM orders WHERE renews IS NOT NULL AND state = 'fulfilled'", month + 1)
            .await;
        let renewed = learner.subscription(&subscription.id).await.unwrap();
        assert_eq!((renewed.state(), renewed.current_period_start), (SubscriptionState::Active, end));
        end = renewed.current_period_end;
    }
    assert_eq!(tokyo(end), "2027-06-30 00:00");
    assert_eq!(keys(&shop), ["2:1", "3:1", "4:1", "5:1"]);
    let form = &shop.provider.charges()[0].form;
    assert_eq!((&*form["off_session"], &*form["amount"], &*form["customer"]), ("true", "2980", "cus_0"));

    // A renewal is an order of the account with a receipt.
    let orders = learner.order_page(1).await.unwrap().orders;
    assert_eq!(orders.len(), 5);
    let last = &orders[0];
    assert_eq!((last.state(), last.total, last.tax), (OrderState::Fulfilled, 2_980, 270));
    assert_eq!(last.subscription_id(), subscription.id);
    assert_eq!(last.payment.as_ref().unwrap().method(), PaymentMethod::SavedCard);
    assert_eq!(learner.receipt(&last.id).await.unwrap().total, 2_980);
    let full = learner.order(&last.id).await.unwrap();
    let document = String::from_utf8(full.confirmation.unwrap().document).unwrap();
    for said in [&*orders[4].number, "5回目", "2027年5月31日から2027年6月29日まで"] {
        assert!(document.contains(said), "{said}: {document}");
    }
    let [notice, ..] = &shop.events::<SubscriptionNoticed>("desk").await[..] else { panic!("notices") };
    assert_eq!((notice.price, tokyo(notice.charge_at)), (2_980, "2027-02-28 00:00".to_owned()));
    assert_eq!(shop.events::<SubscriptionNoticed>("desk").await.len(), 4);
    let renewed = shop.events::<SubscriptionRenewed>("desk").await;
    assert_eq!(renewed.len(), 4);
    assert_eq!(renewed[3].order_number, last.number);
    assert_eq!(renewed[3].subscription.as_ref().unwrap().item, "月額 質問し放題（葵 太郎さん）");
    assert_eq!(shop.events::<OrderPaid>("desk").await.len(), 1, "of the first order");
    assert_eq!(shop.balances().await, ["provider_cash 14900", "revenue -13550", "tax -1350"]);
    let shown = learner.subscription(&subscription.id).await.unwrap().orders;
    assert_eq!(shown.len(), 5);
    assert!(shown.iter().all(|order| order.paid_at.is_some()));
}

#[tokio::test]
async fn a_cancelled_subscription_ends_with_its_period_and_can_be_resumed_until_then() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    let id = &subscription.id;
    let _workers = shop.work();
    // The last second of the day before the charge.
    shop.go_to(datetime!(2026-12-19 14:59:59 UTC));
    shop.until(ANNOUNCED, 1).await;
    let cancelled = learner.cancel_subscription(id).await.unwrap();
    assert_eq!(cancelled.state(), SubscriptionState::CancelScheduled);
    assert_eq!((tokyo(cancelled.ends_at), cancelled.next_charge_at), ("2026-12-20 00:00".to_owned(), None));
    assert!(cancelled.can_resume && !cancelled.can_cancel);
    assert_eq!(learner.cancel_subscription(id).await.unwrap(), cancelled);
    assert_eq!(shop.events::<SubscriptionCancelled>("desk").await.len(), 1);
    let resumed = learner.resume_subscription(id).await.unwrap();
    assert_eq!((resumed.state(), resumed.can_resume), (SubscriptionState::Active, false));
    assert_eq!(learner.resume_subscription(id).await.unwrap(), resumed);
    shop.until(ANNOUNCED, 1).await;
    assert_eq!(shop.events::<SubscriptionNoticed>("desk").await.len(), 1, "once a period");
    shop.clock.advance(Duration::SECOND);
    shop.until("SELECT 'one' FROM subscription WHERE period = 2", 1).await;

    shop.go_to(datetime!(2027-01-10 3:00 UTC));
    learner.cancel_subscription(id).await.unwrap();
    shop.go_to(datetime!(2027-01-19 15:00 UTC));
    // Also before a process has ended it.
    assert_eq!(refusal(learner.resume_subscription(id).await), "Conflict SUBSCRIPTION_ENDED");
    shop.until_state("ended").await;
    let ended = learner.subscription(id).await.unwrap();
    assert_eq!((ended.state(), ended.card, ended.can_cancel), (SubscriptionState::Ended, None, false));
    assert_eq!(refusal(learner.cancel_subscription(id).await), "Conflict SUBSCRIPTION_ENDED");
    assert_eq!(shop.provider.charges().len(), 1);
    let [mail] = &shop.events::<SubscriptionEnded>("desk").await[..] else { panic!("one mail") };
    assert!(!mail.is_unpaid);
    let [revoked] = &shop.events::<QuestionPlanRevoked>("desk").await[..] else { panic!("one revocation") };
    assert_eq!(revoked.subscription_id, *id);
    assert!(shop.events::<OrderEnded>("desk").await.is_empty());
    // It can be ordered again.
    learner.add(3001).await.unwrap();
    assert_eq!(learner.place().await.unwrap().total, 2_980);
}

#[tokio::test]
async fn a_lost_answer_is_one_charge() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    shop.provider.set_behaviour(Behaviour::Mute);
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    let workers = shop.work();
    shop.until("SELECT 'one' FROM payment WHERE state = 'unknown'", 1).await;
    // An unknown charge is not past due.
    assert_eq!(learner.subscription(&subscription.id).await.unwrap().state(), SubscriptionState::Active);
    assert_eq!(shop.provider.charges().len(), 1);
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::minutes(2));
    shop.until("SELECT 'one' FROM subscription WHERE period = 2", 1).await;
    assert_eq!(keys(&shop), ["2:1"]);
    drop(workers);
}

#[tokio::test]
async fn an_unbooked_charge_is_found_after_its_key_has_expired() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    shop.provider.set_behaviour(Behaviour::Mute);
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    let workers = shop.work();
    shop.until("SELECT 'one' FROM payment WHERE state = 'unknown'", 1).await;
    // All processes stop after the charge and before it is booked, and start again two days later.
    drop(workers);
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    shop.clock.advance(Duration::days(2));
    shop.provider.set_behaviour(Behaviour::Answers);
    let _workers = shop.work();
    shop.until("SELECT 'one' FROM subscription WHERE period = 2", 1).await;
    assert_eq!(keys(&shop), ["2:1"]);
    assert_eq!(shop.balances().await, ["provider_cash 5960", "revenue -5420", "tax -540"]);
    assert_eq!(
        tokyo(learner.subscription(&subscription.id).await.unwrap().current_period_end),
        "2027-01-20 00:00"
    );
}

#[tokio::test]
async fn an_event_books_a_charge_whose_answer_was_lost() {
    let shop = Shop::with(&[MONTHLY]).await;
    shop.subscribed().await;
    shop.provider.set_behaviour(Behaviour::Mute);
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    let _workers = shop.work();
    shop.until("SELECT 'one' FROM payment WHERE state = 'unknown'", 1).await;
    shop.texts("UPDATE orders SET next_check_at = next_check_at + interval '1 day' WHERE renews IS NOT NULL")
        .await;
    shop.provider.set_behaviour(Behaviour::Answers);
    // The event arrives twice, followed by an older one.
    for (id, kind) in [
        ("evt_1", "payment_intent.succeeded"),
        ("evt_2", "payment_intent.succeeded"),
        ("evt_3", "payment_intent.requires_action"),
    ] {
        shop.receive(id, kind, "pi_card_0").await.unwrap();
    }
    shop.until("SELECT id FROM provider_event WHERE processed_at IS NOT NULL", 3).await;
    shop.until("SELECT 'one' FROM subscription WHERE period = 2 AND state = 'active'", 1).await;
    assert_eq!(shop.balances().await, ["provider_cash 5960", "revenue -5420", "tax -540"]);
}

#[tokio::test]
async fn a_provider_without_answers_only_delays_a_renewal() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    shop.provider.set_behaviour(Behaviour::Down);
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    let _workers = shop.work();
    shop.until("SELECT 'one' FROM payment WHERE state = 'unknown'", 1).await;
    let waiting = learner.subscription(&subscription.id).await.unwrap();
    assert_eq!(waiting.state(), SubscriptionState::Active);
    assert_eq!(tokyo(waiting.active_until), "2026-12-27 00:00", "access goes on");
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::hours(3));
    shop.until("SELECT 'one' FROM subscription WHERE period = 2", 1).await;
    assert_eq!(keys(&shop), ["2:1"]);
    // The next charge is a month after the last one was due, not after it was paid.
    assert_eq!(
        tokyo(learner.subscription(&subscription.id).await.unwrap().next_charge_at),
        "2027-01-20 00:00"
    );
}

#[tokio::test]
async fn a_cancellation_while_a_renewal_is_on_its_way_waits_for_it() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    shop.provider.set_behaviour(Behaviour::Mute);
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    let _workers = shop.work();
    shop.until("SELECT 'one' FROM payment WHERE state = 'unknown'", 1).await;
    let cancelled = learner.cancel_subscription(&subscription.id).await.unwrap();
    assert_eq!(cancelled.state(), SubscriptionState::CancelScheduled);
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::minutes(2));
    shop.until("SELECT 'one' FROM subscription WHERE period = 2", 1).await;
    let paid = learner.subscription(&subscription.id).await.unwrap();
    assert_eq!(
        (paid.state(), tokyo(paid.ends_at)),
        (SubscriptionState::CancelScheduled, "2027-01-20 00:00".to_owned())
    );
    shop.go_to(datetime!(2027-01-19 15:00 UTC));
    shop.until_state("ended").await;
    assert_eq!(shop.provider.charges().len(), 1);
}
