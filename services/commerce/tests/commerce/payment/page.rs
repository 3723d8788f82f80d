//! The buyer's actions on the payment page.

use axum::http::Method;
use kit::timestamp::to_timestamp;
use proto::commerce::OrderPaid;
use proto::commerce::OrderState::{AwaitingPayment, Paid};
use proto::commerce::PaymentState::{RequiresAction, Succeeded};
use proto::lms::EntitlementGranted;
use time::Duration;

use super::{DECLINED, GOOD, PayingShop, SECURE, SITE, session_of};
use crate::shop::NOON;

#[tokio::test]
async fn a_paid_order_grants_its_course_and_emails_the_buyer_once() {
    let (shop, order) = PayingShop::with_order().await;
    let page = shop.send(Method::GET, &format!("/pay/{}", session_of(&order)), &[]).await;
    assert!(page.text.contains("16,500円") && page.text.contains(&order.number), "{}", page.text);
    let back = shop.pay(&session_of(&order), GOOD).await.location.unwrap();
    assert_eq!(back, format!("{SITE}/payment/complete/credit?order={}", order.id));

    let paid = shop.until(&order.id, (Paid, Succeeded)).await;
    shop.until_delivered(3).await;
    shop.assert_paid_once(&order).await;
    assert_eq!(paid.paid_at, Some(to_timestamp(NOON)));
    assert_eq!(paid.payment.unwrap().page_url, None);
    let grant = &shop.shop.events::<EntitlementGranted>("lms").await[0];
    assert_eq!((grant.course_id, grant.learner_id.as_str()), (101, shop.learner.learner(0)));
    assert_eq!(grant.expire_at, Some(to_timestamp(NOON + Duration::days(365))));
    let email = &shop.shop.events::<OrderPaid>("desk").await[0];
    assert_eq!((email.order_number.as_str(), email.total), (order.number.as_str(), 16_500));
    assert_eq!(shop.learner.receipt(&order.id).await.unwrap().total, 16_500);
}

#[tokio::test]
async fn a_declined_card_says_why_and_another_card_pays() {
    let (shop, order) = PayingShop::with_order().await;
    let session = session_of(&order);
    for (number, code, deliveries) in [
        (DECLINED, "card_declined", 2),
        ("4000000000009995", "insufficient_funds", 3),
        // A reported card is not revealed to a thief.
        ("4000000000009987", "card_declined", 4),
        ("4000000000000127", "incorrect_cvc", 5),
    ] {
        assert_eq!(shop.pay(&session, number).await.location, Some(format!("/pay/{session}")));
        shop.until_delivered(deliveries).await;
        let declined = shop.learner.order(&order.id).await.unwrap();
        let payment = declined.payment.clone().unwrap();
        assert_eq!(payment.decline_code.as_deref(), Some(code));
        assert_eq!((declined.state(), payment.state()), (AwaitingPayment, RequiresAction));
        assert_eq!(session_of(&declined), session);
    }
    shop.pay(&session, GOOD).await;
    let paid = shop.until(&order.id, (Paid, Succeeded)).await;
    shop.until_delivered(7).await;
    assert_eq!(paid.payment.unwrap().decline_code, None);
    shop.assert_paid_once(&order).await;
    assert_eq!(shop.sessions().await.len(), 1);
}

#[tokio::test]
async fn three_d_secure_may_fail_and_then_succeed() {
    let (shop, order) = PayingShop::with_order().await;
    let session = session_of(&order);
    let authenticate = format!("/pay/{session}/authenticate");
    assert_eq!(shop.pay(&session, SECURE).await.location.as_deref(), Some(&*authenticate));
    shop.send(Method::POST, &authenticate, &[("result", "failure")]).await;
    shop.until_delivered(3).await;
    let failed = shop.learner.order(&order.id).await.unwrap();
    let reason = failed.payment.unwrap().decline_code;
    assert_eq!(reason.as_deref(), Some("payment_intent_authentication_failure"));

    shop.pay(&session, SECURE).await;
    let back = shop.send(Method::POST, &authenticate, &[("result", "success")]).await;
    assert!(back.location.unwrap().starts_with(SITE));
    shop.until(&order.id, (Paid, Succeeded)).await;
    shop.assert_paid_once(&order).await;
}

#[tokio::test]
async fn paying_again_after_a_look_at_another_page_is_the_same_session() {
    let (shop, order) = PayingShop::with_order().await;
    let again = shop.learner.pay(&order.id).await.unwrap();
    assert_eq!(session_of(&again), session_of(&order));
    assert_eq!(session_of(&shop.learner.order(&order.id).await.unwrap()), session_of(&order));
    assert_eq!(shop.sessions().await.len(), 1);
}
