//! Buying a subscription, and the terms on its page.

use proto::commerce::{
    LineProblem, ListSubscriptionsRequest, OrderPaid, OrderState, PaymentMethod, SubscriptionState,
};
use proto::desk::QuestionPlanGranted;
use proto::lms::EntitlementGranted;
use serde_json::Value;
use time::Duration;

use super::{MONTHLY, tokyo};
use crate::buying::COURSE;
use crate::customer::{Customer, lines};
use crate::shop::{Shop, refusal};

impl Customer {
    async fn term(&self, title: &str) -> String {
        let document: Value = serde_json::from_slice(&self.confirmation().await.unwrap().document).unwrap();
        let term = document["terms"].as_array().unwrap().iter().find(|term| term["title"] == title);
        term.map_or_else(String::new, |term| term["text"].as_str().unwrap().to_owned())
    }
}

#[tokio::test]
async fn a_subscription_starts_when_its_order_is_paid_and_saves_the_card() {
    let shop = Shop::with(&[MONTHLY]).await;
    let learner = shop.learner();
    learner.add(3001).await.unwrap();
    let order = learner.place().await.unwrap();
    let form = &shop.provider.sessions()[0].form;
    assert_eq!(form["customer"], "cus_0");
    assert_eq!(form["payment_intent_data[setup_future_usage]"], "off_session");
    assert!(!form.contains_key("customer_email"));
    assert!(form["success_url"].ends_with(&format!("/payment/complete/subscribe?order={}", order.id)));
    let id = order.subscription_id().to_owned();
    let waiting = learner.subscription(&id).await.unwrap();
    assert_eq!(
        (waiting.state(), waiting.started_at, waiting.can_cancel),
        (SubscriptionState::Incomplete, None, false)
    );
    assert_eq!(refusal(learner.cancel_subscription(&id).await), "Conflict SUBSCRIPTION_ENDED");

    shop.provider.pay(0);
    shop.clock.advance(Duration::MINUTE);
    assert_eq!(learner.check(&order.id).await.unwrap().state(), OrderState::Paid);
    let active = learner.subscription(&id).await.unwrap();
    assert_eq!(active.state(), SubscriptionState::Active);
    assert_eq!((active.price, &*active.name, &*active.learner_name), (2_980, "月額 質問し放題", "葵 太郎"));
    assert_eq!(tokyo(active.started_at), "2026-11-20 12:01");
    assert_eq!(tokyo(active.current_period_end), "2026-12-20 00:00");
    assert_eq!(tokyo(active.next_charge_at), "2026-12-20 00:00");
    assert_eq!(tokyo(active.cancel_until), "2026-12-19 23:59");
    assert_eq!(tokyo(active.active_until), "2026-12-20 00:00");
    assert_eq!(
        (active.ends_at, active.retry_at, active.can_cancel, active.can_resume),
        (None, None, true, false)
    );
    assert_eq!(active.orders.iter().map(|it| it.number.clone()).collect::<Vec<_>>(), [order.number]);
    let card = active.card.unwrap();
    assert_eq!((&*card.brand, &*card.last4, card.is_needed, card.is_expired), ("visa", "4242", true, false));
    // No course is granted, and the ledger is that of any order.
    assert!(shop.events::<EntitlementGranted>("lms").await.is_empty());
    assert_eq!(shop.events::<OrderPaid>("desk").await.len(), 1);
    let [granted] = &shop.events::<QuestionPlanGranted>("desk").await[..] else { panic!("one grant") };
    assert_eq!(granted.subscription_id, active.id);
    assert_eq!(shop.balances().await, ["provider_cash 2980", "revenue -2710", "tax -270"]);
}

#[tokio::test]
async fn an_order_that_ends_unpaid_starts_nothing_and_can_be_placed_again() {
    let shop = Shop::with(&[MONTHLY]).await;
    let learner = shop.learner();
    learner.add(3001).await.unwrap();
    let order = learner.place().await.unwrap();
    learner.cancel(&order.id).await.unwrap();
    let ended = learner.subscription(order.subscription_id()).await.unwrap();
    assert_eq!((ended.state(), ended.started_at), (SubscriptionState::Ended, None));
    let listed =
        learner.subscriptions().list_subscriptions(ListSubscriptionsRequest { page: 1 }).await.unwrap();
    assert_eq!(listed.into_inner().count, 0);
    let again = learner.place().await.unwrap();
    assert_ne!(again.subscription_id(), order.subscription_id());
    // A late payment of the first order is refunded.
    shop.provider.pay(0);
    shop.receive("evt_1", "checkout.session.completed", "cs_0").await.unwrap();
    let _workers = shop.work();
    shop.until("SELECT 'one' FROM refund WHERE state = 'succeeded'", 1).await;
    assert_eq!(
        learner.subscription(order.subscription_id()).await.unwrap().state(),
        SubscriptionState::Ended
    );
}

#[tokio::test]
async fn a_learner_gets_a_product_once_even_from_two_buyers() {
    let shop = Shop::with(&[MONTHLY, COURSE]).await;
    let mut guardian = shop.guardian(1);
    let mut child = shop.learner();
    // The same learner as the guardian's child, with an account of their own.
    child.buyer.learners[0].id = guardian.learner(0).to_owned();
    guardian.buyer.learners[0].name = "葵 太郎".to_owned();
    child.add(3001).await.unwrap();
    let late = child.order_request().await;
    guardian.add(3001).await.unwrap();
    let order = guardian.place().await.unwrap();
    // The guardian has ordered it and not paid yet.
    assert_eq!(refusal(child.send(late).await), "Conflict CART_EMPTY");
    shop.provider.pay(0);
    shop.clock.advance(Duration::SECOND);
    guardian.check(&order.id).await.unwrap();
    assert_eq!(lines(&child.cart().await), [(3001, "葵 太郎", LineProblem::Owned)]);
    assert_eq!(lines(&guardian.add(3001).await.unwrap()), [(3001, "葵 太郎", LineProblem::Owned)]);
    // The course can be bought alongside it.
    child.add(1101).await.unwrap();
    assert_eq!(child.place().await.unwrap().lines.len(), 1);
}

#[tokio::test]
async fn the_page_says_how_it_renews_and_until_when_it_is_cancelled() {
    let shop = Shop::with(&[MONTHLY, COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    assert_eq!(learner.term("自動更新").await, "");
    learner.add(3001).await.unwrap();
    assert_eq!(learner.term("分量").await, "オンライン講座 1点、月額サービス 1点（各1点）。");
    assert!(learner.term("販売価格").await.starts_with("合計19,480円"));
    let renewal = learner.term("自動更新").await;
    for said in [
        "1回目は2026年11月20日に2,980円",
        "2回目は2026年12月20日に2,980円",
        "3回目は2027年1月20日に2,980円",
        "毎月20日に2,980円",
        "1年間（12回）のお支払いの総額は35,760円",
        "請求の7日前",
    ] {
        assert!(renewal.contains(said), "{said}: {renewal}");
    }
    let cancellation = learner.term("月額サービスの解約").await;
    assert!(
        cancellation.starts_with("次の請求日の前日の23時59分まで、マイページの「ご注文履歴」から"),
        "{cancellation}"
    );
    let period = learner.term("利用期間").await;
    assert!(
        period.ends_with("自動では更新されません。月額サービスは、お支払いの完了から1か月ごとです。"),
        "{period}"
    );
    // The dates depend on the day of the order.
    let request = learner.order_request().await;
    shop.clock.advance(Duration::hours(12));
    assert_eq!(refusal(learner.send(request).await), "Conflict CONFIRMATION_CHANGED");
}

#[tokio::test]
async fn a_saved_card_is_a_method_once_there_is_one() {
    let shop = Shop::with(&[MONTHLY]).await;
    let learner = shop.learner();
    learner.add(3001).await.unwrap();
    let shown = learner.confirmation_by(PaymentMethod::Card).await.unwrap();
    assert!(!shown.methods.contains(&PaymentMethod::SavedCard.into()));
    for method in [PaymentMethod::SavedCard, PaymentMethod::Konbini, PaymentMethod::BankTransfer] {
        assert_eq!(refusal(learner.confirmation_by(method).await), "method UNKNOWN_CHOICE", "{method:?}");
    }
    learner.save_card(&shop, crate::test_provider::card::Bank::Pays).await;
    let shown = learner.confirmation_by(PaymentMethod::SavedCard).await.unwrap();
    assert_eq!(shown.methods, [PaymentMethod::Card as i32, PaymentMethod::SavedCard as i32]);
    assert_ne!(shown.confirmation, learner.confirmation_by(PaymentMethod::Card).await.unwrap().confirmation);
    let order = learner.place_by_card().await.unwrap();
    assert_eq!(order.state(), OrderState::Paid);
    let active = learner.subscription(order.subscription_id()).await.unwrap();
    assert_eq!(active.state(), SubscriptionState::Active);
}

#[tokio::test]
async fn a_subscription_is_hidden_from_other_accounts_and_stays_as_it_is() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    let stranger = shop.learner();
    let not_found = "NotFound NOT_FOUND";
    assert_eq!(refusal(stranger.subscription(&subscription.id).await), not_found);
    assert_eq!(refusal(stranger.cancel_subscription(&subscription.id).await), not_found);
    assert_eq!(refusal(stranger.resume_subscription(&subscription.id).await), not_found);
    assert_eq!(refusal(stranger.subscription("no-id").await), not_found);
    assert_eq!(stranger.card().await, None);
    assert_eq!(learner.subscription(&subscription.id).await.unwrap(), subscription);
}
