//! Withdrawal of consent: by the link in the receipt, or by a linked guardian.

use crate::support::{ADDRESS, Auth, EMAIL, USER, World, guardian, reason};
use auth::account::Account;
use proto::auth::{
    CheckWithdrawalRequest, CheckWithdrawalResponse, GuardianConsent, GuardianConsentReceipt,
    GuardianConsentRequested, GuardianConsentWithdrawn, GuardianConsentWithdrawnReceipt, GuardianLinkReceipt,
    PurchaseConsentWithdrawn, WithdrawConsentForChildRequest, WithdrawConsentRequest,
};
use time::Duration;
use time::macros::date;
use tonic::Status;
use uuid::Uuid;

impl Auth {
    async fn check_withdrawal(&self, token: &str) -> Result<CheckWithdrawalResponse, Status> {
        let request = CheckWithdrawalRequest { token: token.to_owned(), client_address: ADDRESS.to_owned() };
        Ok(self.guardians().check_withdrawal(request).await?.into_inner())
    }

    pub(crate) async fn withdraw(&self, token: &str) -> Result<(), Status> {
        let request = WithdrawConsentRequest { token: token.to_owned(), client_address: ADDRESS.to_owned() };
        self.guardians().withdraw_consent(request).await.map(drop)
    }

    async fn withdraw_as(&self, guardian: Uuid, child: Uuid) -> Result<(), Status> {
        let request = WithdrawConsentForChildRequest::default();
        self.guardians_for(guardian, child).withdraw_consent_for_child(request).await.map(drop)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_link_in_the_receipt_withdraws_existing_consent() {
    let world = World::new().await;
    let auth = world.serve().await;
    let token = auth.obtain_consent(&world).await;
    world.clock.advance(Duration::days(800));
    let asked = auth.check_withdrawal(&token).await.unwrap();
    assert_eq!((asked.learner_name.as_str(), asked.guardian_name.as_str()), ("山田 花子", "山田 恵子"));
    assert_eq!(auth.consent().await, GuardianConsent::Given, "reading changes nothing");
    let (one, other) = tokio::join!(auth.withdraw(&token), auth.withdraw(&token));
    assert_eq!([&one, &other].iter().filter(|outcome| outcome.is_ok()).count(), 1, "exactly one succeeds");
    assert_eq!(auth.consent().await, GuardianConsent::Missing);
    assert_eq!(reason(auth.withdraw(&token).await), "LINK_DEAD");
    assert_eq!(reason(auth.check_withdrawal(&token).await), "LINK_DEAD");
    for junk in ["", "junk"] {
        assert_eq!(reason(auth.withdraw(junk).await), "LINK_DEAD");
    }
    let [receipt] = &world.events_of::<GuardianConsentWithdrawnReceipt>().await[..] else {
        panic!("one receipt")
    };
    assert_eq!(
        (receipt.to.as_str(), receipt.guardian_name.as_str(), receipt.learner_name.as_str()),
        ("keiko@konomana.example", "山田 恵子", "山田 花子")
    );
    let [told] = &world.events_of::<GuardianConsentWithdrawn>().await[..] else { panic!("one event") };
    assert_eq!((told.to.as_str(), told.name.as_str()), (EMAIL, "山田 花子"));
    let kept = "SELECT concat_ws(' ', given_name, relation, email, octet_length(given_network), given_at IS NOT NULL) \
                FROM consent_withdrawal";
    assert_eq!(world.text(kept).await, ["山田 恵子 母 keiko@konomana.example 32 t"]);

    let again = auth.obtain_consent(&world).await;
    assert_eq!(auth.consent().await, GuardianConsent::Given, "the guardian may change their mind");
    assert_eq!(
        reason(auth.withdraw(&token).await),
        "LINK_DEAD",
        "the old link does not withdraw new consent"
    );
    auth.withdraw(&again).await.unwrap();
    assert_eq!(auth.consent().await, GuardianConsent::Missing);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_withdrawal_no_link_counts_as_consent() {
    let world = World::with_guardians(2).await;
    let auth = world.serve().await;
    let linked = auth.use_code(guardian(0), &auth.code().await).await.unwrap();
    assert_eq!(auth.children(guardian(0)).await[0].guardian_consent(), GuardianConsent::Given);
    assert_eq!(reason(auth.withdraw_as(guardian(1), USER).await), "NOT_FOUND");
    assert_eq!(reason(auth.withdraw_as(guardian(0), guardian(1)).await), "NOT_FOUND");
    assert_eq!(auth.consent().await, GuardianConsent::Given);

    auth.withdraw_as(guardian(0), USER).await.unwrap();
    assert_eq!(auth.consent().await, GuardianConsent::Missing);
    assert_eq!(auth.children(guardian(0)).await[0].guardian_consent(), GuardianConsent::Missing);
    auth.withdraw_as(guardian(0), USER).await.expect("idempotent");
    let receipts = world.events_of::<GuardianConsentWithdrawnReceipt>().await;
    let receipts: Vec<_> = receipts.iter().map(|told| (&*told.to, &*told.guardian_name)).collect();
    assert_eq!(receipts, [("guardian0@konomana.example", "森下 恵子0")]);
    assert_eq!(world.events_of::<GuardianConsentWithdrawn>().await.len(), 1);

    auth.end(USER, &linked.link_id).await.unwrap();
    auth.use_code(guardian(0), &auth.code().await).await.unwrap();
    auth.use_code(guardian(1), &auth.code().await).await.unwrap();
    assert_eq!(auth.consent().await, GuardianConsent::Missing, "a new link is no consent either");
    assert!(!world.latest::<GuardianLinkReceipt>().await.is_consent, "the receipt does not mention consent");
    auth.obtain_consent(&world).await;
    assert_eq!(auth.consent().await, GuardianConsent::Given, "explicit consent counts");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_linked_guardian_withdraws_anothers_consent_and_both_are_notified() {
    let world = World::with_guardians(1).await;
    let auth = world.serve().await;
    auth.obtain_consent(&world).await;
    auth.use_code(guardian(0), &auth.code().await).await.unwrap();
    auth.withdraw_as(guardian(0), USER).await.unwrap();
    assert_eq!(auth.consent().await, GuardianConsent::Missing);
    let receipts = world.events_of::<GuardianConsentWithdrawnReceipt>().await;
    let to: Vec<_> = receipts.iter().map(|told| told.to.as_str()).collect();
    assert_eq!(to, ["guardian0@konomana.example", "keiko@konomana.example"]);
    let [event] = &world.commerce_events_of::<PurchaseConsentWithdrawn>().await[..] else {
        panic!("one event")
    };
    assert_eq!(event.account_id, USER.to_string());
    assert_eq!(event.guardians.iter().map(|told| told.to.as_str()).collect::<Vec<_>>(), to);
    let token = world.events_of::<GuardianConsentReceipt>().await.remove(0).token;
    assert_eq!(reason(auth.withdraw(&token).await), "LINK_DEAD");
}

#[tokio::test(flavor = "multi_thread")]
async fn guardians_who_cannot_consent_cannot_withdraw_and_pending_requests_end() {
    let world = World::with_guardians(2).await;
    let auth = world.serve().await;
    let asked = auth.request_consent(&world).await;
    assert_eq!(world.last::<GuardianConsentRequested>().await.token, asked);
    for number in [0, 1] {
        auth.use_code(guardian(number), &auth.code().await).await.unwrap();
    }
    let young = Account { birth_date: Some(date!(2012 - 04 - 01)), ..world.guardian_account(1).await };
    world.put(&young).await;
    assert_eq!(reason(auth.withdraw_as(guardian(1), USER).await), "GUARDIAN_UNDER_18");
    assert_eq!(auth.consent().await, GuardianConsent::Given);
    auth.withdraw_as(guardian(0), USER).await.unwrap();
    assert_eq!(auth.consent().await, GuardianConsent::Missing, "not waiting");
    assert_eq!(reason(auth.give(&asked).await), "LINK_DEAD");
}
