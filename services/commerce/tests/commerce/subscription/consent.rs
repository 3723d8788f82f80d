//! Guardians withdraw consent, and accounts are renamed.

use kit::caller::Service;
use prost::{Message as _, Name as _};
use proto::auth::{AccountRenamed, GuardianAddress, PurchaseConsentWithdrawn};
use proto::commerce::{
    SubscriptionCancelled, SubscriptionEnded, SubscriptionRenewed, SubscriptionState, SubscriptionStopped,
};
use time::Duration;
use time::macros::datetime;

use super::{MONTHLY, tokyo};
use crate::shop::{Shop, refusal};
use crate::test_provider::card::Bank;

impl Shop {
    /// The guardian Hanako withdraws the consent for a learner.
    async fn withdraw(&self, learner: &str) {
        let withdrawn = PurchaseConsentWithdrawn {
            account_id: learner.to_owned(),
            learner_name: "葵 太郎".to_owned(),
            guardians: vec![GuardianAddress {
                to: "Hanako+konomana@example.jp".to_owned(),
                name: "葵 花子".to_owned(),
            }],
        };
        let name = PurchaseConsentWithdrawn::full_name();
        self.deliver(Service::Auth, &name, withdrawn.encode_to_vec()).await.unwrap();
    }
}

#[tokio::test]
async fn a_withdrawn_consent_ends_a_subscription_with_its_period_and_emails_both() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    let _workers = shop.work();
    for _ in 0..2 {
        shop.withdraw(&learner.id.to_string()).await;
    }
    let stopped = learner.subscription(&subscription.id).await.unwrap();
    assert_eq!(stopped.state(), SubscriptionState::CancelScheduled);
    assert_eq!((stopped.next_charge_at, stopped.can_resume), (None, false));
    assert_eq!(stopped.ends_at, subscription.current_period_end);
    let refused = learner.resume_subscription(&subscription.id).await;
    assert_eq!(refusal(refused), "Conflict SUBSCRIPTION_ENDED");
    let [mail] = &shop.events::<SubscriptionCancelled>("desk").await[..] else { panic!("one mail") };
    assert_eq!(
        (&*mail.subscription.as_ref().unwrap().to, mail.is_consent_withdrawn),
        ("aoi@example.jp", true)
    );
    let mails = shop.events::<SubscriptionStopped>("desk").await;
    assert_eq!(mails[0].to, "Hanako+konomana@example.jp");
    assert_eq!((&*mails[0].item, tokyo(mails[0].ends_at)), ("月額 質問し放題", tokyo(stopped.ends_at)));
    shop.go_to(datetime!(2027-01-05 0:00 UTC));
    shop.until_state("ended").await;
    shop.until("SELECT id::text FROM orders WHERE renews IS NOT NULL", 0).await;
    assert!(shop.provider.charges().is_empty());
}

#[tokio::test]
async fn a_renewal_that_is_not_paid_ends_with_the_consent() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, _) = shop.subscribed().await;
    shop.provider.set_bank(0, Bank::Refuses("insufficient_funds"));
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    let _workers = shop.work();
    shop.until_state("past_due").await;
    shop.withdraw(&learner.id.to_string()).await;
    shop.until("SELECT id::text FROM orders WHERE renews IS NOT NULL AND state = 'cancelled'", 1).await;
    shop.until_state("ended").await;
    shop.clock.advance(Duration::days(2));
    assert_eq!(shop.provider.charges().len(), 1);
    assert_eq!(shop.events::<SubscriptionEnded>("desk").await.len(), 1);
    assert_eq!(shop.events::<SubscriptionStopped>("desk").await[0].ends_at, None);
    assert_eq!(shop.balances().await, ["provider_cash 2980", "revenue -2710", "tax -270"]);
}

#[tokio::test]
async fn a_guardian_who_pays_and_withdraws_gets_one_mail_and_another_child_keeps_theirs() {
    let shop = Shop::with(&[MONTHLY]).await;
    let guardian = shop.guardian(1);
    let order = shop.buy_monthly(&guardian).await;
    let (other, kept) = shop.subscribed().await;
    shop.withdraw(guardian.learner(0)).await;
    let stopped = guardian.subscription(order.subscription_id()).await.unwrap();
    assert_eq!(stopped.state(), SubscriptionState::CancelScheduled);
    assert_eq!(shop.events::<SubscriptionCancelled>("desk").await.len(), 1);
    assert!(shop.events::<SubscriptionStopped>("desk").await.is_empty(), "the same mailbox");
    assert_eq!(other.subscription(&kept.id).await.unwrap(), kept);
}

#[tokio::test]
async fn a_renewal_has_the_name_and_the_address_that_the_account_has_now() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    let renamed = AccountRenamed {
        account_id: learner.id.to_string(),
        name: "青井 太郎".to_owned(),
        email: "aoi.new@example.jp".to_owned(),
    };
    shop.deliver(Service::Auth, &AccountRenamed::full_name(), renamed.encode_to_vec()).await.unwrap();
    assert_eq!(learner.subscription(&subscription.id).await.unwrap().learner_name, "青井 太郎");
    let _workers = shop.work();
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    shop.until("SELECT id::text FROM orders WHERE renews IS NOT NULL AND paid_at IS NOT NULL", 1).await;
    let buyers = "SELECT buyer_name || ' ' || buyer_email || ' ' || learner_name FROM orders \
        JOIN order_line ON order_id = orders.id ORDER BY placed_at";
    assert_eq!(
        shop.texts(buyers).await,
        ["葵 太郎 aoi@example.jp 葵 太郎", "青井 太郎 aoi.new@example.jp 青井 太郎"],
        "what was agreed to stays"
    );
    let [mail] = &shop.events::<SubscriptionRenewed>("desk").await[..] else { panic!("one mail") };
    let name = mail.subscription.as_ref().unwrap();
    assert_eq!((&*name.to, &*name.name), ("aoi.new@example.jp", "青井 太郎"));
}
