//! Payments at convenience stores: the codes stay readable, and a success overrides the end of the
//! order.

use proto::commerce::OrderState::{AwaitingPayment, Cancelled, Expired, Paid};
use proto::commerce::PaymentMethod::{BankTransfer, Card, Konbini};
use proto::commerce::PaymentState::{self, RequiresAction, Succeeded, Unknown};
use proto::commerce::{Order, OrderEnded, OrderPlaced, PaymentMethod, RefundState};
use proto::lms::EntitlementGranted;
use time::Duration;
use time::macros::datetime;

use crate::buying::{COURSE, OTHER, states};
use crate::customer::Customer;
use crate::shop::{NOON, Shop, refusal};
use crate::test_provider::Behaviour;

const SUCCEEDED: &str = "payment_intent.succeeded";
/// The end of Monday in Tokyo, three days after the order.
const DUE: time::OffsetDateTime = datetime!(2026-11-23 15:00 UTC);

/// A learner's order of 16,500 yen, to be paid at a convenience store.
async fn with_order() -> (Shop, Customer, Order) {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let order = learner.place_by(Konbini).await.unwrap();
    (shop, learner, order)
}

#[tokio::test]
async fn the_codes_are_shown_and_mailed_and_stay_readable() {
    let (shop, learner, order) = with_order().await;
    assert_eq!(states(&order), (AwaitingPayment, RequiresAction));
    assert_eq!(order.due_at.unwrap().seconds, DUE.unix_timestamp());
    let payment = order.payment.as_ref().unwrap();
    assert_eq!((payment.method(), payment.page_url.as_ref()), (Konbini, None));
    let konbini = payment.konbini.clone().unwrap();
    assert_eq!(konbini.expires_at.unwrap().seconds, DUE.unix_timestamp());
    let stores: Vec<_> = konbini
        .stores
        .iter()
        .map(|it| (it.store.as_str(), it.payment_code.as_str(), it.confirmation_number.as_str()))
        .collect();
    assert_eq!(
        stores,
        [
            ("familymart", "100000", ""),
            ("lawson", "20000", "0901234567"),
            ("seicomart", "40000", "0901234567")
        ]
    );
    let [intent] = &shop.provider.intents()[..] else { panic!("one intent") };
    assert_eq!(intent.key, format!("{}:1", order.number));
    for (field, value) in [
        ("amount", "16500"),
        ("currency", "jpy"),
        ("confirm", "true"),
        ("payment_method_data[type]", "konbini"),
        ("payment_method_data[billing_details][name]", "葵 太郎"),
        ("payment_method_data[billing_details][email]", "aoi@example.jp"),
        ("metadata[order]", order.id.as_str()),
    ] {
        assert_eq!(intent.form[field], value, "{field}");
    }
    let [mail] = &shop.events::<OrderPlaced>("desk").await[..] else { panic!("one email") };
    assert_eq!((mail.to.as_str(), mail.total), ("aoi@example.jp", 16_500));
    assert_eq!(mail.items, ["中3数学 二次方程式と関数（葵 太郎さん）"]);
    assert_eq!(mail.payment.as_ref().unwrap().konbini.as_ref(), Some(&konbini));

    // Again, from another device, and after the end.
    assert_eq!(learner.pay(&order.id).await.unwrap().payment.unwrap().konbini.as_ref(), Some(&konbini));
    assert_eq!(learner.cancel(&order.id).await.unwrap().payment.unwrap().konbini.as_ref(), Some(&konbini));
    assert_eq!(shop.provider.intents().len(), 1);
    assert_eq!(shop.events::<OrderPlaced>("desk").await.len(), 1);
}

#[tokio::test]
async fn a_store_takes_120_to_300_000_yen() {
    let shop = Shop::with(&[COURSE]).await;
    for (price, is_offered) in [(119, false), (120, true), (300_000, true), (300_001, false)] {
        shop.folder.write(&[&COURSE.replace("16500", &price.to_string())]);
        shop.import(false).await.unwrap();
        let learner = shop.learner();
        learner.add(1101).await.unwrap();
        let offered = learner.confirmation_by(Card).await.unwrap();
        let methods: Vec<PaymentMethod> = offered.methods().collect();
        assert_eq!(methods.contains(&Konbini), is_offered, "{price}");
        assert!(methods.contains(&BankTransfer) && methods[0] == Card);
        let chosen = learner.confirmation_by(Konbini).await;
        let placed = learner.place_by(Konbini).await;
        if is_offered {
            assert!(chosen.is_ok());
            assert_eq!(placed.unwrap().total, price);
        } else {
            assert_eq!(refusal(chosen), "method UNKNOWN_CHOICE", "{price}");
        }
    }
}

#[tokio::test]
async fn each_method_has_its_own_document_and_an_order_needs_that_one() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let mut digests = Vec::new();
    for (method, name, due) in [
        (Card, "card", "1時間以内"),
        (Konbini, "konbini", "3日後の23時59分"),
        (BankTransfer, "bank_transfer", "7日後の23時59分"),
    ] {
        let confirmation = learner.confirmation_by(method).await.unwrap().confirmation.unwrap();
        let document: serde_json::Value = serde_json::from_slice(&confirmation.document).unwrap();
        assert_eq!(document["method"], name);
        assert!(document["terms"].to_string().contains(due), "{name}");
        digests.push(confirmation.digest);
    }
    // The digest of another method's document.
    let request = proto::commerce::PlaceOrderRequest {
        method: Konbini.into(),
        ..learner.request_of(digests[0].clone())
    };
    assert_eq!(refusal(learner.send(request).await), "Conflict CONFIRMATION_CHANGED");
    let method = proto::commerce::PaymentMethod::Coupon;
    assert_eq!(refusal(learner.confirmation_by(method).await), "method UNKNOWN_CHOICE");
    digests.dedup();
    assert_eq!(digests.len(), 3);
}

#[tokio::test]
async fn a_payment_in_the_store_pays_the_order_once() {
    let (shop, learner, order) = with_order().await;
    let _workers = shop.work();
    shop.provider.pay_in_store(0);
    let (one, two, three) = tokio::join!(
        shop.receive("evt_1", SUCCEEDED, "pi_1000"),
        shop.receive("evt_1", SUCCEEDED, "pi_1000"),
        shop.receive("evt_2", SUCCEEDED, "pi_1000"),
    );
    assert!(one.is_ok() && two.is_ok() && three.is_ok());
    shop.until("SELECT id FROM provider_event WHERE processed_at IS NOT NULL", 2).await;
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (Paid, Succeeded));
    assert_eq!(shop.journals().await, ["order_placed", "payment_received"]);
    assert_eq!(shop.balances().await, ["provider_cash 16500", "revenue -15000", "tax -1500"]);
    assert_eq!(shop.events::<EntitlementGranted>("lms").await.len(), 1);
    // A late event changes nothing.
    shop.receive("evt_3", "payment_intent.requires_action", "pi_1000").await.unwrap();
    shop.receive("evt_4", "payment_intent.canceled", "pi_1000").await.unwrap();
    shop.until("SELECT id FROM provider_event WHERE processed_at IS NOT NULL", 4).await;
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (Paid, Succeeded));
}

#[tokio::test]
async fn with_every_event_lost_the_order_is_paid_within_five_minutes_on_any_day() {
    let (shop, learner, order) = with_order().await;
    shop.clock.advance(Duration::days(2));
    let _workers = shop.work();
    // The order was checked while it was unpaid.
    shop.until(
        "SELECT id::text FROM orders WHERE next_check_at > placed_at + interval '2 days 3 minutes'",
        1,
    )
    .await;
    shop.provider.pay_in_store(0);
    shop.clock.advance(Duration::minutes(5) - Duration::seconds(10));
    shop.until("SELECT id::text FROM orders WHERE state = 'paid'", 1).await;
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (Paid, Succeeded));
}

#[tokio::test]
async fn an_order_that_is_due_ends_at_the_provider_first() {
    let (shop, learner, order) = with_order().await;
    shop.clock.advance(DUE - NOON - Duration::SECOND);
    assert_eq!(learner.check(&order.id).await.unwrap().state(), AwaitingPayment);
    shop.provider.set_behaviour(Behaviour::Down);
    shop.clock.advance(Duration::SECOND);
    let _workers = shop.work();
    // The pause is longer than a lease, so the order was tried and released.
    let tried = "SELECT id::text FROM orders WHERE next_check_at > due_at + interval '3 s'";
    shop.until(tried, 1).await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), AwaitingPayment);
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::minutes(5));
    shop.until("SELECT id::text FROM orders WHERE state = 'expired'", 1).await;
    assert_eq!(shop.provider.intents()[0].status, "canceled");
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (Expired, PaymentState::Expired));
    assert_eq!(shop.events::<OrderEnded>("desk").await.len(), 1);
    assert!(shop.balances().await.is_empty());
}

#[tokio::test]
async fn a_payment_beats_the_end_that_comes_after_it() {
    // First a cancellation by the buyer, then the due time.
    let (shop, learner, order) = with_order().await;
    shop.provider.pay_in_store(0);
    assert_eq!(states(&learner.cancel(&order.id).await.unwrap()), (Paid, Succeeded));
    let (shop, learner, order) = with_order().await;
    shop.provider.pay_in_store(0);
    shop.clock.advance(Duration::days(4));
    assert_eq!(states(&learner.check(&order.id).await.unwrap()), (Paid, Succeeded));
    assert!(shop.events::<OrderEnded>("desk").await.is_empty());
}

#[tokio::test]
async fn a_lost_answer_is_the_same_intent() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    shop.provider.set_behaviour(Behaviour::Mute);
    let order = learner.place_by(Konbini).await.unwrap();
    assert_eq!(states(&order), (AwaitingPayment, Unknown));
    assert_eq!(order.payment.unwrap().konbini, None);
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::SECOND);
    let order = learner.check(&order.id).await.unwrap();
    assert_eq!(states(&order), (AwaitingPayment, RequiresAction));
    assert!(order.payment.unwrap().konbini.is_some());
    assert_eq!(shop.provider.intents().len(), 1);
    assert_eq!(shop.events::<OrderPlaced>("desk").await.len(), 1);
}

#[tokio::test]
async fn an_order_whose_answer_was_lost_is_cancelled_at_the_provider_too() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    shop.provider.set_behaviour(Behaviour::Mute);
    let order = learner.place_by(Konbini).await.unwrap();
    assert_eq!(refusal(learner.cancel(&order.id).await), "Unavailable UPSTREAM_UNAVAILABLE");
    shop.provider.set_behaviour(Behaviour::Answers);
    assert_eq!(states(&learner.cancel(&order.id).await.unwrap()), (Cancelled, PaymentState::Cancelled));
    assert_eq!(shop.provider.intents()[0].status, "canceled");
}

#[tokio::test]
async fn codes_that_end_are_followed_by_a_new_attempt() {
    let (shop, learner, order) = with_order().await;
    let _workers = shop.work();
    shop.provider.end_codes(0);
    shop.receive("evt_1", "payment_intent.payment_failed", "pi_1000").await.unwrap();
    shop.until("SELECT id FROM provider_event WHERE processed_at IS NOT NULL", 1).await;
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (AwaitingPayment, PaymentState::Expired));
    let order = learner.pay(&order.id).await.unwrap();
    assert_eq!(states(&order), (AwaitingPayment, RequiresAction));
    assert_eq!(shop.provider.intents()[1].key, format!("{}:2", order.number));
    assert_eq!(order.payment.unwrap().konbini.unwrap().stores[0].payment_code, "100001");
}

#[tokio::test]
async fn money_for_a_lost_intent_of_an_ended_order_goes_back() {
    let (shop, learner, order) = with_order().await;
    // The state after a restored database has lost the intent.
    shop.texts("UPDATE payment SET state = 'created', intent = NULL, instructions = NULL").await;
    assert_eq!(learner.cancel(&order.id).await.unwrap().state(), Cancelled);
    let _workers = shop.work();
    shop.provider.pay_in_store(0);
    shop.receive("evt_1", SUCCEEDED, "pi_1000").await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    let order = learner.order(&order.id).await.unwrap();
    assert_eq!(states(&order), (Cancelled, Succeeded));
    assert_eq!((order.refunds[0].amount, order.refunds[0].state()), (16_500, RefundState::Succeeded));
    assert!(shop.balances().await.is_empty());
}

#[tokio::test]
async fn the_amount_of_the_provider_is_booked_and_another_than_the_orders_goes_back() {
    let (shop, learner, order) = with_order().await;
    let _workers = shop.work();
    shop.provider.pay_amount_in_store(0, 165);
    shop.receive("evt_1", SUCCEEDED, "pi_1000").await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    let order = learner.order(&order.id).await.unwrap();
    assert_eq!((order.state(), order.refunds[0].amount), (AwaitingPayment, 165));
    assert!(shop.events::<EntitlementGranted>("lms").await.is_empty());
    assert_eq!(shop.balances().await, ["receivable 16500", "revenue -15000", "tax -1500"]);
}

#[tokio::test]
async fn an_event_waits_for_a_provider_that_does_not_answer() {
    let (shop, learner, order) = with_order().await;
    let _workers = shop.work();
    shop.provider.pay_in_store(0);
    shop.provider.set_behaviour(Behaviour::Down);
    shop.receive("evt_1", SUCCEEDED, "pi_1000").await.unwrap();
    let tried =
        "SELECT id FROM provider_event WHERE tries > 0 AND next_try_at < received_at + interval '3 s'";
    shop.until(tried, 1).await;
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::seconds(30));
    shop.until("SELECT id FROM provider_event WHERE processed_at IS NOT NULL", 1).await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Paid);
}
