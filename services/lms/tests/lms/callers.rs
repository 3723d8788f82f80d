//! The callers of lms, and the audit of a guardian's calls for a child.

use kit::caller::{Allowed, Service};
use kit::test::every_rpc_admits_only_its_callers;
use time::Duration;
use uuid::Uuid;

use crate::school::{NOON, School, learner};

const LIST_PROGRESS: &str = "/lms.v1.LearnerService/ListProgress";
const AUDIT_RETENTION: Duration = Duration::days(365);

impl School {
    /// `(rpc, actor, learner)` of each audit entry, oldest first.
    pub(crate) async fn audit(&self) -> Vec<(String, Uuid, Uuid)> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        let entries = sqlx::query!("SELECT rpc, actor_id, learner_id FROM audit_entry ORDER BY at, id");
        let entries = entries.fetch_all(&mut *connection).await.unwrap();
        entries.into_iter().map(|entry| (entry.rpc, entry.actor_id, entry.learner_id)).collect()
    }
}

fn progress(guardian: Uuid, child: Uuid) -> (String, Uuid, Uuid) {
    (LIST_PROGRESS.to_owned(), guardian, child)
}

#[tokio::test]
async fn every_rpc_is_refused_to_all_but_its_callers_and_each_for_a_child_is_audited() {
    let school = School::open().await;
    let packages = ["lms.v1", "common.v1"];
    every_rpc_admits_only_its_callers(&school.server, Service::Lms, lms::CALLERS, &packages).await;

    let for_a_child = lms::CALLERS
        .iter()
        .filter(|(_, allowed)| matches!(allowed, Allowed::GuardianOf | Allowed::LearnerOrGuardianOf));
    let mut wanted: Vec<_> = for_a_child.map(|(rpc, _)| (*rpc).to_owned()).collect();
    let mut audited: Vec<_> = school.audit().await.into_iter().map(|(rpc, ..)| rpc).collect();
    wanted.sort();
    audited.sort();
    assert_eq!(audited, wanted);
}

#[tokio::test]
async fn the_audit_has_each_guardian_and_child_at_most_once_in_ten_minutes() {
    let school = School::open().await;
    let (guardian, other, child) = (learner(), learner(), learner());
    school.progress_for(guardian, child).await;
    school.clock.advance(Duration::minutes(10) - Duration::SECOND);
    school.progress_for(guardian, child).await;
    assert_eq!(school.audit().await, [progress(guardian, child)]);
    school.progress_for(other, child).await;
    school.progress_for(guardian, other).await;
    school.clock.advance(Duration::SECOND);
    school.progress_for(guardian, child).await;
    let entries = [(guardian, child), (other, child), (guardian, other), (guardian, child)];
    assert_eq!(school.audit().await, entries.map(|(guardian, child)| progress(guardian, child)));
}

#[tokio::test]
async fn the_audit_is_kept_for_a_year_and_erased_with_either_account() {
    let school = School::open().await;
    let [guardian, child, other] = [learner(), learner(), learner()];
    let mut connection = school.database.pool.acquire().await.unwrap();
    school.progress_for(guardian, child).await;
    assert_eq!(lms::sweep::once(&mut connection, NOON + AUDIT_RETENTION, AUDIT_RETENTION).await.unwrap(), 0);
    let late = NOON + AUDIT_RETENTION + Duration::SECOND;
    assert_eq!(lms::sweep::once(&mut connection, late, AUDIT_RETENTION).await.unwrap(), 1);
    assert_eq!(school.audit().await, []);

    for (guardian, child) in [(guardian, other), (other, child), (guardian, child)] {
        school.progress_for(guardian, child).await;
    }
    school.erase(Uuid::now_v7(), other).await;
    assert_eq!(school.audit().await, [progress(guardian, child)]);
}
