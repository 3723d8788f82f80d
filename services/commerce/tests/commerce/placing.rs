//! Placing orders: repeated requests give one order.

use proto::commerce::OrderState::AwaitingPayment;
use proto::commerce::PaymentState::{Failed, RequiresAction, Unknown};
use proto::commerce::{LineProblem, PaymentMethod, PlaceOrderRequest};
use time::Duration;

use crate::buying::{COURSE, OTHER, states};
use crate::customer::lines;
use crate::lms::Answer;
use crate::shop::{NOON, Shop, refusal};
use crate::test_provider::Behaviour;

#[tokio::test]
async fn an_order_has_what_was_confirmed_and_a_page_to_pay_on() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let guardian = shop.guardian(2);
    guardian.add_for(1101, guardian.learner(0)).await.unwrap();
    guardian.add_for(1102, guardian.learner(1)).await.unwrap();
    let confirmation = guardian.confirmation().await.unwrap();
    let order = guardian.send(guardian.request_of(confirmation.digest.clone())).await.unwrap();

    assert_eq!(states(&order), (AwaitingPayment, RequiresAction));
    assert_eq!(order.payment.as_ref().unwrap().page_url(), "https://pay.example/0");
    assert!(order.number.starts_with("KM-261120-") && order.number.len() == 15, "{}", order.number);
    assert_eq!((order.total, order.tax), (26_400, 2_400));
    let of_lines: Vec<_> =
        order.lines.iter().map(|line| (line.product_id, line.price, line.learner_name.as_str())).collect();
    assert_eq!(of_lines, [(1101, 16_500, "葵 一郎"), (1102, 9_900, "葵 二郎")]);
    assert_eq!(order.confirmation, Some(confirmation));
    let seconds = |moment: time::OffsetDateTime| moment.unix_timestamp();
    assert_eq!(order.placed_at.unwrap().seconds, seconds(NOON));
    assert_eq!(order.due_at.unwrap().seconds, seconds(NOON + Duration::HOUR));

    let [session] = &shop.provider.sessions()[..] else { panic!("one session") };
    assert_eq!(session.key, format!("{}:1", order.number));
    let field = |name: &str| session.form[name].clone();
    assert_eq!(field("customer_email"), "hanako@example.jp");
    assert_eq!(field("line_items[0][price_data][unit_amount]"), "26400");
    let page = |path: &str| format!("https://konomana.example/payment{path}?order={}", order.id);
    assert_eq!((field("success_url"), field("cancel_url")), (page("/complete/credit"), page("")));
    assert_eq!(field("expires_at"), seconds(NOON + Duration::minutes(35)).to_string());

    let cart = guardian.cart().await;
    assert!(cart.lines.iter().all(|line| line.is_ordered));
    assert_eq!(cart.open_order.unwrap().id, order.id);
    assert_eq!(shop.balances().await, ["receivable 26400", "revenue -24000", "tax -2400"]);
}

#[tokio::test]
async fn pressing_twice_at_once_is_one_order() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let request = learner.order_request().await;
    let (one, two) = tokio::join!(learner.send(request.clone()), learner.send(request));
    assert_eq!(one.unwrap().id, two.unwrap().id);
    assert_eq!(shop.provider.sessions().len(), 1);
}

#[tokio::test]
async fn two_tabs_and_a_lost_answer_are_one_order() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let request = learner.order_request().await;
    let digest = request.confirmation_digest.clone();
    let other_tab = learner.request_of(digest.clone());
    let (one, two) = tokio::join!(learner.send(request.clone()), learner.send(other_tab));
    let order = one.unwrap();
    assert_eq!(two.unwrap().id, order.id);
    // The page was reloaded and generated a new key.
    assert_eq!(learner.send(learner.request_of(digest)).await.unwrap().id, order.id);
    // The request is repeated unchanged.
    shop.lms.answer(Answer::Unavailable);
    assert_eq!(learner.send(request.clone()).await.unwrap().id, order.id);
    assert_eq!(learner.order_page(1).await.unwrap().count, 1);
    assert_eq!(shop.provider.sessions().len(), 1);

    let changed = PlaceOrderRequest { confirmation_digest: "00".repeat(32), ..request };
    assert_eq!(refusal(learner.send(changed).await), "Unprocessable IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn idempotency_keys_of_different_accounts_are_independent() {
    let shop = Shop::with(&[COURSE]).await;
    let (one, two) = (shop.learner(), shop.learner());
    one.add(1101).await.unwrap();
    two.add(1101).await.unwrap();
    let request = one.order_request().await;
    let key = request.idempotency_key.clone();
    let order = one.send(request).await.unwrap();
    let request = PlaceOrderRequest { idempotency_key: key, ..two.order_request().await };
    assert_ne!(two.send(request).await.unwrap().id, order.id);
}

#[tokio::test]
async fn an_order_is_refused_if_its_confirmation_has_changed() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let request = learner.order_request().await;
    let changed = "Conflict CONFIRMATION_CHANGED";

    shop.folder.write(&[&COURSE.replace("16500", "16600"), OTHER]);
    shop.import(false).await.unwrap();
    assert_eq!(refusal(learner.send(request.clone()).await), changed);
    shop.folder.write(&[COURSE, OTHER]);
    shop.import(false).await.unwrap();

    learner.add(1102).await.unwrap();
    assert_eq!(refusal(learner.send(request.clone()).await), changed);
    let forged = learner.request_of("ab".repeat(32));
    assert_eq!(refusal(learner.send(forged).await), changed);

    // Nothing was stored, so the same key works for the current confirmation.
    let line = learner.cart().await.lines[1].id.clone();
    learner.remove(&line).await.unwrap();
    assert_eq!(learner.send(request).await.unwrap().total, 16_500);
}

#[tokio::test]
async fn an_order_of_lines_that_cannot_be_bought_is_refused() {
    let shop = Shop::with(&[COURSE]).await;
    let mut learner = shop.learner();
    learner.add(1101).await.unwrap();
    let request = learner.order_request().await;
    shop.lms.answer(Answer::Owned(vec![(learner.id, 101)]));
    assert_eq!(refusal(learner.send(request.clone()).await), "Conflict CART_EMPTY");
    shop.lms.answer(Answer::Unavailable);
    assert_eq!(refusal(learner.send(request).await), "Unavailable UPSTREAM_UNAVAILABLE");
    shop.lms.answer(Answer::Owned(Vec::new()));

    learner.buyer.learners[0].lacks_consent = true;
    let digest = "ab".repeat(32);
    assert_eq!(refusal(learner.send(learner.request_of(digest)).await), "Conflict CART_EMPTY");
    assert_eq!(lines(&learner.cart().await), [(1101, "葵 太郎", LineProblem::ConsentMissing)]);
}

#[tokio::test]
async fn another_confirmation_waits_until_the_open_order_has_ended() {
    let (shop, learner, order) = Shop::with_order().await;
    learner.add(1102).await.unwrap();
    let other = learner.request_of("ab".repeat(32));
    assert_eq!(refusal(learner.send(other).await), "Conflict ORDER_OPEN");
    learner.cancel(&order.id).await.unwrap();
    let both = learner.place().await.unwrap();
    assert_eq!((both.lines.len(), both.total), (2, 26_400));
    assert_ne!(both.number, order.number);
    assert_eq!(shop.provider.sessions().len(), 2);
}

#[tokio::test]
async fn a_request_names_a_key_a_method_a_digest_and_a_buyer() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let good = learner.order_request().await;
    let request = |change: fn(&mut PlaceOrderRequest)| {
        let mut request = good.clone();
        change(&mut request);
        learner.send(request)
    };
    for (change, wanted) in [
        ((|it| it.idempotency_key.clear()) as fn(&mut PlaceOrderRequest), "idempotency_key REQUIRED"),
        (|it| it.idempotency_key = "four".to_owned(), "idempotency_key INVALID_FORMAT"),
        (|it| it.method = PaymentMethod::Unspecified.into(), "method UNKNOWN_CHOICE"),
        (|it| it.confirmation_digest.clear(), "confirmation_digest REQUIRED"),
        (|it| it.confirmation_digest = "abc".to_owned(), "confirmation_digest INVALID_FORMAT"),
        (|it| it.buyer = None, "buyer REQUIRED"),
    ] {
        assert_eq!(refusal(request(change).await), wanted);
    }
}

#[tokio::test]
async fn orders_of_another_account_are_not_found_and_stay_as_they_are() {
    let (shop, learner, order) = Shop::with_order().await;
    let other = shop.learner();
    let not_found = "NotFound NOT_FOUND";
    assert_eq!(refusal(other.pay(&order.id).await), not_found);
    assert_eq!(refusal(other.check(&order.id).await), not_found);
    assert_eq!(refusal(other.cancel(&order.id).await), not_found);
    assert_eq!(refusal(other.cancel("no id").await), not_found);
    assert_eq!(learner.order(&order.id).await.unwrap(), order);
}

#[tokio::test]
async fn an_order_without_an_answer_of_the_provider_gets_its_page_later_and_only_one() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    shop.provider.set_behaviour(Behaviour::Mute);
    let order = learner.place().await.unwrap();
    assert_eq!(states(&order), (AwaitingPayment, Unknown));
    assert_eq!(order.payment.unwrap().page_url, None);
    // The buyer clicks again: no second session, and no second order.
    assert_eq!(states(&learner.pay(&order.id).await.unwrap()), (AwaitingPayment, Unknown));

    shop.provider.set_behaviour(Behaviour::Answers);
    let _workers = shop.work();
    shop.clock.advance(Duration::seconds(5));
    shop.until("SELECT 'one' FROM payment WHERE state = 'requires_action'", 1).await;
    let order = learner.order(&order.id).await.unwrap();
    assert_eq!(order.payment.unwrap().page_url(), "https://pay.example/0");
    assert_eq!(shop.provider.sessions().len(), 1);
}

#[tokio::test]
async fn the_payment_of_a_process_that_was_killed_after_the_order_is_started_by_another() {
    let (shop, learner, order) = Shop::with_order().await;
    // Undoes the storing of the answer.
    shop.texts("UPDATE payment SET state = 'created', session = NULL, page_url = NULL").await;
    shop.texts("UPDATE orders SET next_check_at = placed_at + interval '15 seconds'").await;
    let _workers = shop.work();
    shop.clock.advance(Duration::seconds(15));
    shop.until("SELECT 'one' FROM payment WHERE state = 'requires_action'", 1).await;
    let order = learner.order(&order.id).await.unwrap();
    assert_eq!(order.payment.unwrap().page_url(), "https://pay.example/0");
    assert_eq!(shop.provider.sessions().len(), 1);
}

#[tokio::test]
async fn a_payment_that_the_provider_refuses_can_be_tried_again() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    shop.provider.set_behaviour(Behaviour::Refuses);
    let order = learner.place().await.unwrap();
    assert_eq!(states(&order), (AwaitingPayment, Failed));
    shop.provider.set_behaviour(Behaviour::Answers);
    let order = learner.pay(&order.id).await.unwrap();
    assert_eq!(states(&order), (AwaitingPayment, RequiresAction));
    assert_eq!(shop.provider.sessions()[0].key, format!("{}:2", order.number));
}
