//! Question plans: their grants and revocations reach desk, once each, whatever release ran before.

use kit::caller::{Caller, Service};
use kit::test::Process;
use prost::{Message as _, Name as _};
use proto::common::Event;
use proto::desk::{QuestionPlanGranted, QuestionPlanRevoked};
use time::macros::datetime;

use super::MONTHLY;
use crate::receiver::Receiver;
use crate::shop::{NOBODY, Shop, serve_command};

/// Plans that desk must be told about.
const MISSING: &str = "SELECT 'one' FROM subscription WHERE state IN ('active', 'past_due', 'cancel_scheduled') \
    AND NOT is_plan_granted OR state = 'ended' AND is_plan_granted AND NOT is_plan_revoked";
const WAITING: &str = "SELECT type FROM outbox WHERE type LIKE 'desk.v1.QuestionPlan%'";

/// A plan event, e.g. `granted 01936f2a-…`. `None` if it is an email.
fn plan_event(event: &Event) -> Option<String> {
    let payload = event.payload.as_slice();
    if event.r#type == QuestionPlanGranted::full_name() {
        return Some(format!("granted {}", QuestionPlanGranted::decode(payload).unwrap().subscription_id));
    }
    (event.r#type == QuestionPlanRevoked::full_name())
        .then(|| format!("revoked {}", QuestionPlanRevoked::decode(payload).unwrap().subscription_id))
}

impl Shop {
    /// Runs two processes, and returns the plan events that they deliver to desk until none is
    /// missing, sorted.
    async fn deliver_plans(&self) -> Vec<String> {
        // The processes have the system clock: events of the test's future would wait.
        self.texts("UPDATE outbox SET next_try_at = '2026-11-20'").await;
        let mut desk = Receiver::start(Service::Desk).await;
        let processes = [0, 1].map(|_| {
            let mut command = serve_command(&self.database.url, NOBODY, &desk.url());
            let mut process = Process::start(&mut command);
            process.address("serving");
            process
        });
        self.until(MISSING, 0).await;
        self.until(WAITING, 0).await;
        drop(processes);
        let mut plans = Vec::new();
        for (sender, event) in desk.take_received() {
            assert_eq!(sender, Caller::service(Service::Commerce));
            plans.extend(plan_event(&event));
        }
        plans.sort();
        plans
    }

    /// Changes the data as a release without question plans would have left it.
    async fn run_earlier_release(&self, sql: &'static str) {
        self.texts(sql).await;
        self.texts("DELETE FROM outbox").await;
    }
}

#[tokio::test]
async fn the_grant_and_the_revocation_of_a_plan_reach_desk_once_each() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    // The provider tells of the payment again, by two events at once.
    let (one, two) = tokio::join!(
        shop.receive("evt_1", "checkout.session.completed", "cs_0"),
        shop.receive("evt_2", "checkout.session.completed", "cs_0"),
    );
    one.and(two).unwrap();
    let workers = shop.work();
    shop.until("SELECT id FROM provider_event WHERE processed_at IS NOT NULL", 2).await;
    learner.cancel_subscription(&subscription.id).await.unwrap();
    assert!(shop.events::<QuestionPlanRevoked>("desk").await.is_empty(), "the month is paid");
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    shop.until_state("ended").await;
    drop(workers);
    let id = subscription.id;
    assert_eq!(shop.deliver_plans().await, [format!("granted {id}"), format!("revoked {id}")]);
}

#[tokio::test]
async fn plans_that_an_earlier_release_started_or_ended_are_made_up_for() {
    let shop = Shop::with(&[MONTHLY]).await;
    shop.subscribed().await;
    shop.run_earlier_release(
        "UPDATE subscription SET is_plan_granted = false, state = 'ended', ended_at = now(), next_run_at = NULL",
    )
    .await;
    let (_, ended) = shop.subscribed().await;
    shop.run_earlier_release(
        "UPDATE subscription SET state = 'ended', ended_at = now(), next_run_at = NULL WHERE state = 'active'",
    )
    .await;
    let (_, started) = shop.subscribed().await;
    shop.run_earlier_release("UPDATE subscription SET is_plan_granted = false WHERE state = 'active'").await;
    // Desk never knew the first one.
    let plans = [format!("granted {}", started.id), format!("revoked {}", ended.id)];
    assert_eq!(shop.deliver_plans().await, plans);
    assert_eq!(shop.deliver_plans().await, [""; 0], "later processes have nothing to tell");
}

#[tokio::test]
async fn a_plan_that_ends_before_its_grant_is_only_revoked() {
    let shop = Shop::with(&[MONTHLY]).await;
    let (learner, subscription) = shop.subscribed().await;
    shop.run_earlier_release("UPDATE subscription SET is_plan_granted = false").await;
    let workers = shop.work();
    learner.cancel_subscription(&subscription.id).await.unwrap();
    shop.go_to(datetime!(2026-12-19 15:00 UTC));
    shop.until_state("ended").await;
    drop(workers);
    assert_eq!(shop.deliver_plans().await, [format!("revoked {}", subscription.id)]);
}
