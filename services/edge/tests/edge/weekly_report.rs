//! The weekly report: guardian and child get the same PDF, the access log lists each view, and on Monday one mail goes to each
//! linked guardian.

use auth::weekly_report::job::WeeklyReportJob;
use kit::caller::{Service, Signer};
use kit::client::channel;
use kit::clock::Clock;
use kit::test::{CALLER_SECRET, TestServer};
use proto::auth::{WeeklyReportChild, WeeklyReportDue};
use serde_json::json;
use time::Duration;
use time::macros::datetime;

use crate::support::family::{Family, text};
use crate::support::{Edge, GUARDIAN, PASSWORD, World};

const LINKS: &str = "/api/accounts/guardian/links/";
const OWN: &str = "/api/accounts/guardian/report/";
/// The start of the mails of the week of the world's time, which is a Friday.
const MONDAY: time::OffsetDateTime = datetime!(2026-11-23 07:00 +9);

impl World {
    /// The job of a replica of auth, which asks lms and exam.
    fn weekly_report_job(&self) -> WeeklyReportJob {
        let dial = |server: &TestServer, receiver| {
            let signer = Signer::new(Service::Auth, receiver, CALLER_SECRET, Clock::system()).unwrap();
            channel(&server.url()).unwrap().signed(signer)
        };
        let (lms, exam) = (dial(&self.lms, Service::Lms), dial(&self.exam, Service::Exam));
        WeeklyReportJob::new(self.auth_database.pool.clone(), Self::outbox(), lms, exam, self.clock.clock())
    }

    fn wait_until(&self, time: time::OffsetDateTime) {
        self.clock.advance(time - self.clock.clock().now());
    }

    /// The reports of the first Monday.
    async fn reports_on_monday(&self) -> Vec<WeeklyReportDue> {
        self.wait_until(MONDAY);
        self.weekly_report_job().run_once().await.unwrap();
        self.reports().await
    }

    async fn reports(&self) -> Vec<WeeklyReportDue> {
        self.events_of_type().await
    }
}

/// Closes an account.
async fn close(edge: &Edge, token: &str) {
    let password = json!({ "password": PASSWORD });
    assert_eq!(edge.with("POST", "/api/accounts/close/", token, &password).await.outcome(), "202");
}

async fn child_id(family: &Family) -> String {
    text(&family.edge.get("/api/accounts/user/", Some(&family.child)).await.json()["id"])
}

async fn views(edge: &Edge, child: &str) -> Vec<String> {
    let links = edge.get(LINKS, Some(child)).await.json();
    links["views"].as_array().unwrap().iter().map(|view| text(&view["what"])).collect()
}

/// Names and values.
fn words(child: &WeeklyReportChild) -> Vec<String> {
    child.facts.iter().map(|fact| format!("{} {}", fact.name, fact.value)).collect()
}

#[tokio::test]
async fn guardian_and_child_get_the_same_pdf_and_the_child_sees_who_viewed_it() {
    let family = Family::new().await;
    let Family { world, edge, guardian, child } = &family;
    let path = format!("/api/accounts/guardian/children/{}/report/", child_id(&family).await);
    let week = "?week=2026-11-09";
    let seen = edge.get(&format!("{path}{week}"), Some(guardian)).await;
    assert_eq!(seen.outcome(), "200");
    assert!(seen.body.starts_with(b"%PDF-"));
    for (name, value) in [
        ("content-type", "application/pdf"),
        ("content-disposition", "attachment; filename=\"weekly-report-2026-11-09.pdf\""),
    ] {
        assert_eq!(seen.header(name), Some(value));
    }
    let own = edge.get(&format!("{OWN}{week}"), Some(child)).await;
    assert_eq!(seen.body, own.body, "byte for byte");
    assert_eq!(views(edge, child).await, ["weekly_report"]);
    world.clock.advance(Duration::minutes(10));
    edge.get(&format!("{path}{week}"), Some(guardian)).await;
    assert_eq!(views(edge, child).await, ["weekly_report"; 2]);
}

#[tokio::test]
async fn an_unreported_week_is_refused_and_one_without_a_monday_records_no_view() {
    let family = Family::new().await;
    let Family { edge, guardian, child, .. } = &family;
    let path = format!("/api/accounts/guardian/children/{}/report/", child_id(&family).await);
    for week in ["", "?week=", "?week=last", "?week=2026-13-01", "?week=2026-11-10"] {
        assert_eq!(
            edge.get(&format!("{path}{week}"), Some(guardian)).await.outcome(),
            "400 INVALID",
            "{week}"
        );
    }
    assert_eq!(views(edge, child).await, [""; 0]);
    // Too old, and this week.
    for week in ["2026-09-14", "2026-11-16"] {
        for (path, token) in [(path.as_str(), guardian), (OWN, child)] {
            let refused = edge.get(&format!("{path}?week={week}"), Some(token)).await;
            assert_eq!(refused.outcome(), "400 INVALID", "{week}");
            assert_eq!(refused.json()["errors"], json!([{ "field": "week", "code": "INVALID_FORMAT" }]));
        }
    }
}

#[tokio::test]
async fn on_monday_two_replicas_send_one_report_to_each_linked_guardian() {
    let family = Family::new().await;
    let Family { world, edge, child, .. } = &family;
    let id = child_id(&family).await;
    assert_eq!(edge.call("PUT", "/api/lms/check/202010101/", Some(child)).await.outcome(), "204");
    let (one, two) = (world.weekly_report_job(), world.weekly_report_job());
    world.wait_until(MONDAY - Duration::SECOND);
    one.run_once().await.unwrap();
    assert_eq!(world.reports().await, [], "too early");

    world.clock.advance(Duration::SECOND);
    let (first, second) = tokio::join!(one.run_once(), two.run_once());
    first.unwrap();
    second.unwrap();
    one.run_once().await.unwrap();
    let reports = world.reports().await;
    assert_eq!(reports.len(), 1);
    let WeeklyReportDue { to, week, children, .. } = &reports[0];
    assert_eq!((to.as_str(), week.as_str()), (GUARDIAN, "2026-11-16"));
    assert_eq!(children.iter().map(|child| child.id.as_str()).collect::<Vec<_>>(), [id.as_str()]);
    assert!(words(&children[0]).contains(&"終えたレッスン 1本".to_owned()), "{:?}", children[0]);

    world.clock.advance(Duration::WEEK);
    two.run_once().await.unwrap();
    let reports = world.reports().await;
    assert_eq!(reports.len(), 2, "the next week has its own");
    assert_eq!(reports[1].week, "2026-11-23");
    assert!(!reports[1].children[0].note.is_empty(), "a week without activity has a sentence");
}

#[tokio::test]
async fn a_report_that_could_not_be_prepared_is_sent_later_the_same_day() {
    let family = Family::new().await;
    let world = &family.world;
    let job = world.weekly_report_job();
    let broken = WeeklyReportJob::new(
        world.auth_database.pool.clone(),
        World::outbox(),
        channel("http://127.0.0.1:1").unwrap(),
        channel("http://127.0.0.1:1").unwrap(),
        world.clock.clock(),
    );
    world.wait_until(MONDAY);
    assert!(broken.run_once().await.is_err());
    job.run_once().await.unwrap();
    assert_eq!(world.reports().await, [], "the lease of the broken replica is not over");
    world.clock.advance(Duration::minutes(5));
    job.run_once().await.unwrap();
    assert_eq!(world.reports().await.len(), 1);
}

#[tokio::test]
async fn a_guardian_gets_no_report_about_a_child_who_closes_the_account() {
    let family = Family::new().await;
    close(&family.edge, &family.child).await;
    assert_eq!(family.world.reports_on_monday().await, []);
}

#[tokio::test]
async fn an_unlinked_guardian_gets_no_report() {
    let family = Family::new().await;
    let links = family.edge.get(LINKS, Some(&family.child)).await.json();
    let link = text(&links["results"][0]["id"]);
    let ended = family.edge.call("DELETE", &format!("{LINKS}{link}/"), Some(&family.guardian)).await;
    assert_eq!(ended.outcome(), "204");
    assert_eq!(family.world.reports_on_monday().await, []);
}

#[tokio::test]
async fn a_guardian_who_closes_the_account_gets_no_report() {
    let family = Family::new().await;
    close(&family.edge, &family.guardian).await;
    assert_eq!(family.world.reports_on_monday().await, []);
}
