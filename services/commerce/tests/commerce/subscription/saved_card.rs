//! Orders that are paid with the saved card.

use proto::commerce::{Order, OrderState, PaymentMethod, PaymentState};
use time::Duration;

use crate::buying::{COURSE, OTHER, states};
use crate::customer::Customer;
use crate::shop::{Shop, refusal};
use crate::test_provider::Behaviour;
use crate::test_provider::card::Bank;

const PAID: (OrderState, PaymentState) = (OrderState::Paid, PaymentState::Succeeded);

/// A learner with a saved card and a course in the cart.
async fn with_card(bank: Bank) -> (Shop, Customer) {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let learner = shop.learner();
    learner.save_card(&shop, bank).await;
    learner.add(1101).await.unwrap();
    (shop, learner)
}

async fn assert_paid_once(shop: &Shop, learner: &Customer, order: &Order) {
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), PAID);
    assert_eq!(shop.balances().await, ["provider_cash 16500", "revenue -15000", "tax -1500"]);
    let paid = shop.provider.charges().iter().filter(|charge| charge.status == "succeeded").count();
    let sessions = shop.provider.sessions().len();
    assert!(paid == 1 || sessions > 0, "{paid} {sessions}");
    assert_eq!(shop.texts("SELECT 'one' FROM refund").await.len(), 0);
}

#[tokio::test]
async fn an_order_is_paid_with_one_press() {
    let (shop, learner) = with_card(Bank::Pays).await;
    let order = learner.place_by_card().await.unwrap();
    assert_eq!(states(&order), PAID);
    let payment = order.payment.as_ref().unwrap();
    assert_eq!((payment.method(), payment.page_url.as_deref()), (PaymentMethod::SavedCard, None));
    let charge = &shop.provider.charges()[0];
    assert_eq!(charge.key, format!("{}:1", order.number));
    assert!(charge.form["return_url"].ends_with(&format!("/payment/complete/credit?order={}", order.id)));
    assert_eq!(learner.receipt(&order.id).await.unwrap().method(), PaymentMethod::SavedCard);
    assert_paid_once(&shop, &learner, &order).await;
}

#[tokio::test]
async fn a_refused_card_can_be_tried_again_or_left_for_the_page() {
    let (shop, learner) = with_card(Bank::Refuses("insufficient_funds")).await;
    let order = learner.place_by_card().await.unwrap();
    assert_eq!(states(&order), (OrderState::AwaitingPayment, PaymentState::Failed));
    assert_eq!(order.payment.as_ref().unwrap().decline_code(), "insufficient_funds");
    let again = learner.pay(&order.id).await.unwrap();
    assert_eq!(states(&again), (OrderState::AwaitingPayment, PaymentState::Failed));
    assert_eq!(shop.provider.charges().len(), 2);
    assert_eq!(refusal(learner.pay_by(&order.id, PaymentMethod::Konbini).await), "method UNKNOWN_CHOICE");
    let page = learner.pay_by(&order.id, PaymentMethod::Card).await.unwrap();
    assert_eq!(page.payment.unwrap().page_url(), "https://pay.example/0");
    shop.provider.pay(0);
    shop.clock.advance(Duration::seconds(2));
    learner.check(&order.id).await.unwrap();
    assert_paid_once(&shop, &learner, &order).await;
}

#[tokio::test]
async fn three_d_secure_is_on_the_providers_page() {
    let (shop, learner) = with_card(Bank::WantsProof).await;
    let order = learner.place_by_card().await.unwrap();
    assert_eq!(states(&order), (OrderState::AwaitingPayment, PaymentState::RequiresAction));
    assert_eq!(order.payment.as_ref().unwrap().page_url(), "https://pay.example/3ds/0");
    assert_eq!(learner.pay(&order.id).await.unwrap().payment, order.payment, "the same page");
    shop.provider.prove(0, true);
    shop.clock.advance(Duration::seconds(2));
    learner.check(&order.id).await.unwrap();
    assert_paid_once(&shop, &learner, &order).await;
}

#[tokio::test]
async fn a_page_of_3d_secure_is_closed_before_another_way_is_opened() {
    let (shop, learner) = with_card(Bank::WantsProof).await;
    let order = learner.place_by_card().await.unwrap();
    let page = learner.pay_by(&order.id, PaymentMethod::Card).await.unwrap();
    assert_eq!(page.payment.unwrap().page_url(), "https://pay.example/0");
    assert_eq!(shop.provider.charges()[0].status, "canceled");
    // And back to the saved card.
    learner.pay_by(&order.id, PaymentMethod::SavedCard).await.unwrap();
    assert!(!shop.provider.is_open(0));
    shop.provider.prove(1, true);
    shop.clock.advance(Duration::seconds(2));
    learner.check(&order.id).await.unwrap();
    assert_paid_once(&shop, &learner, &order).await;
}

#[tokio::test]
async fn a_proof_beats_the_other_way_and_the_cancellation() {
    let (shop, learner) = with_card(Bank::WantsProof).await;
    let order = learner.place_by_card().await.unwrap();
    shop.provider.prove(0, true);
    assert_eq!(refusal(learner.pay_by(&order.id, PaymentMethod::Card).await), "Conflict ORDER_CLOSED");
    assert_eq!(learner.cancel(&order.id).await.unwrap().state(), OrderState::Paid);
    assert!(shop.provider.sessions().is_empty());
    assert_paid_once(&shop, &learner, &order).await;
}

#[tokio::test]
async fn a_cancelled_order_can_not_be_paid_with_3d_secure() {
    let (shop, learner) = with_card(Bank::WantsProof).await;
    let order = learner.place_by_card().await.unwrap();
    assert_eq!(learner.cancel(&order.id).await.unwrap().state(), OrderState::Cancelled);
    assert_eq!(shop.provider.charges()[0].status, "canceled");
    assert!(shop.balances().await.is_empty());
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_and_never_charges_twice() {
    let (shop, learner) = with_card(Bank::Pays).await;
    shop.provider.set_behaviour(Behaviour::Mute);
    let order = learner.place_by_card().await.unwrap();
    assert_eq!(states(&order), (OrderState::AwaitingPayment, PaymentState::Unknown));
    // The cancellation gets no answer, so the order stays.
    assert_eq!(learner.cancel(&order.id).await.unwrap_err().code(), tonic::Code::Unavailable);
    shop.provider.set_behaviour(Behaviour::Answers);
    assert_eq!(learner.cancel(&order.id).await.unwrap().state(), OrderState::Paid);
    assert_eq!(shop.provider.charges().len(), 1);
    assert_paid_once(&shop, &learner, &order).await;
}

#[tokio::test]
async fn pressing_twice_is_one_charge() {
    let (shop, learner) = with_card(Bank::Pays).await;
    let shown = learner.confirmation_by(PaymentMethod::SavedCard).await.unwrap();
    let mut request = learner.request_of(shown.confirmation.unwrap().digest);
    request.method = PaymentMethod::SavedCard.into();
    let (one, two) = tokio::join!(learner.send(request.clone()), learner.send(request));
    let order = one.or(two).unwrap();
    assert_eq!(shop.provider.charges().len(), 1);
    assert_paid_once(&shop, &learner, &order).await;
}
