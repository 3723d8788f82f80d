//! What a guardian sees of a child: the learner gets the same body, the access log lists each view, and guardians lose
//! access when the link ends.

use std::collections::BTreeSet;
use std::time::Duration;

use edge::config::Settings;
use insta::assert_json_snapshot;
use maintenance::{Mode, Scope};
use proto::auth::GuardianUnlinked;
use serde_json::{Value, json};

use crate::maintenance::window;
use crate::support::family::Family;
use crate::support::{Edge, GUARDIAN, ONE, PASSWORD, STAFF, TWO};
use crate::upstream::mute;

const OWN: &str = "/api/accounts/guardian/overview/";
const OWN_REPORT: &str = "/api/accounts/guardian/report/";
const LINKS: &str = "/api/accounts/guardian/links/";

/// Every route about a child: method, template, path, and the outcomes for a linked guardian, for a guardian who is not
/// linked, for the child, for another learner, and for staff.
#[rustfmt::skip]
static ROUTES: [(&str, &str, &str, [&str; 5]); 12] = [
    ("GET", "/api/accounts/guardian/overview/", "/api/accounts/guardian/overview/",
        ["403 FORBIDDEN", "403 FORBIDDEN", "200", "200", "403 FORBIDDEN"]),
    ("GET", "/api/accounts/guardian/children/{id}/overview/", "/api/accounts/guardian/children/CHILD/overview/",
        ["200", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("GET", "/api/accounts/guardian/report/", "/api/accounts/guardian/report/?week=2026-11-09",
        ["403 FORBIDDEN", "403 FORBIDDEN", "200", "200", "403 FORBIDDEN"]),
    ("GET", "/api/accounts/guardian/children/{id}/report/", "/api/accounts/guardian/children/CHILD/report/?week=2026-11-09",
        ["200", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("GET", "/api/accounts/guardian/children/{id}/", "/api/accounts/guardian/children/CHILD/",
        ["200", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("GET", "/api/exam/children/{id}/result/", "/api/exam/children/CHILD/result/",
        ["200", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    // No exam is imported: the link is found and the view recorded, but there is no result.
    ("GET", "/api/exam/children/{id}/result/{exam}/", "/api/exam/children/CHILD/result/1/",
        ["404 NOT_FOUND", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("GET", "/api/exam/children/{id}/result/{exam}/pdf/", "/api/exam/children/CHILD/result/1/pdf/",
        ["404 NOT_FOUND", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("GET", "/api/exam/children/{id}/result/{exam}/judgement/", "/api/exam/children/CHILD/result/1/judgement/?school_id=1&department_id=1",
        ["404 NOT_FOUND", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("GET", "/api/exam/children/{id}/paper/{paper}/result/", "/api/exam/children/CHILD/paper/1/result/",
        ["404 NOT_FOUND", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("GET", "/api/exam/children/{id}/question/{question}/picture/{picture}/", "/api/exam/children/CHILD/question/1/picture/ff/",
        ["404 NOT_FOUND", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("DELETE", "/api/accounts/guardian/children/{id}/consent/", "/api/accounts/guardian/children/CHILD/consent/",
        ["204", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
];

async fn id_of(edge: &Edge, token: &str) -> String {
    edge.get("/api/accounts/user/", Some(token)).await.json()["id"].as_str().unwrap().to_owned()
}

fn overview_of(child: &str) -> String {
    format!("/api/accounts/guardian/children/{child}/overview/")
}

/// The kinds of views in the child's access log, newest first.
async fn views(edge: &Edge, child: &str) -> Vec<String> {
    let links = edge.get(LINKS, Some(child)).await.json();
    let views = links["views"].as_array().unwrap().iter();
    views.map(|view| view["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_route_about_a_child_has_its_row() {
    let declared = edge::declared_routes().into_iter().map(|(method, path, _)| (method.to_string(), path));
    let about_child = |path: &str| path.contains("/children/{") || [OWN, OWN_REPORT].contains(&path);
    let declared: BTreeSet<_> = declared.filter(|(_, path)| about_child(path)).collect();
    let tested = ROUTES.map(|(method, path, ..)| (method.to_owned(), path.to_owned()));
    assert_eq!(declared, BTreeSet::from(tested));
}

#[tokio::test]
async fn guardian_stranger_child_learner_and_staff_get_what_the_table_says() {
    let family = Family::new().await;
    let Family { edge, guardian, child, .. } = &family;
    let ((one, _), (staff, _)) = (edge.login(ONE).await, edge.login(STAFF).await);
    let (theirs, others) = (id_of(edge, child).await, id_of(edge, &one).await);
    for (method, template, path, wanted) in ROUTES {
        // A guardian who asks for a learner to whom no link leads.
        let (linked, stranger) = (path.replace("CHILD", &theirs), path.replace("CHILD", &others));
        let mut outcomes = Vec::new();
        for (token, path) in
            [(guardian, &linked), (guardian, &stranger), (child, &linked), (&one, &linked), (&staff, &linked)]
        {
            outcomes.push(edge.call(method, path, Some(token)).await.outcome());
        }
        assert_eq!(outcomes, wanted, "{method} {template}");
    }
    assert_eq!(views(edge, child).await, ["exam_result", "progress", "weekly_report", "overview"]);
    assert_eq!(views(edge, &one).await, [""; 0], "a refused request adds no entry");
}

#[tokio::test]
async fn the_child_gets_the_very_body_that_the_guardian_gets() {
    let family = Family::new().await;
    let Family { world, edge, guardian, child } = &family;
    let id = id_of(edge, child).await;
    edge.with("POST", "/api/desk/event/2/entry/", guardian, &json!({ "child": id })).await;
    edge.with("POST", "/api/desk/event/1/entry/", guardian, &json!({ "child": null })).await;
    family.order().await;
    assert_eq!(views(edge, child).await, [""; 0]);

    let seen = edge.get(&overview_of(&id), Some(guardian)).await;
    let own = edge.get(OWN, Some(child)).await;
    assert_eq!(seen.outcome(), "200");
    assert_eq!(seen.body, own.body, "byte for byte");
    let body = seen.json();
    for part in ["learning", "exams", "appointments", "purchases"] {
        assert!(!body[part].is_null(), "{part}");
    }
    assert_eq!(body["purchases"][0]["state"], "awaiting_payment");
    let events = body["appointments"]["events"].as_array().unwrap();
    assert_eq!(events.len(), 1, "the guardian's own entry is not the child's");
    assert_json_snapshot!("overview", seen.promise());

    // Both look again: the guardian's look is one entry, the child's own leaves none.
    assert_eq!(views(edge, child).await, ["overview"]);
    edge.get(&overview_of(&id), Some(guardian)).await;
    edge.get(OWN, Some(child)).await;
    assert_eq!(views(edge, child).await, ["overview"]);
    world.clock.advance(time::Duration::minutes(10));
    edge.get(&overview_of(&id), Some(guardian)).await;
    assert_eq!(views(edge, child).await, ["overview"; 2]);

    let password = json!({ "password": PASSWORD });
    let export = edge.with("POST", "/api/accounts/export/", child, &password).await.json();
    assert_eq!(export["views"].as_array().unwrap().len(), 2, "the access log is in the child's export");
}

#[tokio::test]
async fn either_side_ends_a_link_which_ends_access_at_once_and_notifies_both() {
    let family = Family::new().await;
    let Family { world, edge, guardian, child } = &family;
    let elsewhere = world.edge().await;
    let id = id_of(edge, child).await;
    for ending in [guardian, child] {
        let links = edge.get(LINKS, Some(child)).await.json();
        let link = links["results"][0]["id"].as_str().unwrap();
        for edge in [edge, &elsewhere] {
            assert_eq!(edge.get(&overview_of(&id), Some(guardian)).await.outcome(), "200");
        }
        let before = views(edge, child).await;
        let ended = edge.call("DELETE", &format!("{LINKS}{link}/"), Some(ending)).await;
        assert_eq!(ended.outcome(), "204");
        for (method, template, path, _) in ROUTES {
            if [OWN, OWN_REPORT].contains(&template) {
                continue;
            }
            // No wait: the next request on every edge is refused.
            for edge in [edge, &elsewhere] {
                let refused = edge.call(method, &path.replace("CHILD", &id), Some(guardian)).await;
                assert_eq!(refused.outcome(), "404 NOT_FOUND", "{method} {template}");
            }
        }
        assert_eq!(views(edge, child).await, before, "a refused request adds no entry");
        assert_eq!(edge.get(OWN, Some(child)).await.outcome(), "200");

        let code =
            edge.call("POST", "/api/accounts/guardian/code/", Some(child)).await.json()["code"].clone();
        family.post("/api/accounts/guardian/link/", &json!({ "code": code })).await;
    }
    let told = world.events_of_type::<GuardianUnlinked>().await;
    let told: Vec<_> = told.iter().map(|mail| (mail.to.as_str(), mail.to_guardian)).collect();
    assert_eq!(told, [(GUARDIAN, true), (TWO, false), (GUARDIAN, true), (TWO, false)]);
}

/// The parts of the body that are null.
fn missing(body: &Value) -> Vec<&str> {
    let parts = ["learning", "exams", "appointments", "purchases"];
    parts.into_iter().filter(|part| body[part].is_null()).collect()
}

#[tokio::test]
async fn a_part_that_fails_hangs_or_is_closed_is_null_and_the_others_are_there() {
    let family = Family::new().await;
    let Family { world, edge, guardian, child } = &family;
    let path = overview_of(&id_of(edge, child).await);
    assert_eq!(missing(&edge.get(&path, Some(guardian)).await.json()), [""; 0]);

    world.declare(edge, vec![window(Scope::Commerce, Mode::Full)]).await;
    assert_eq!(missing(&edge.get(&path, Some(guardian)).await.json()), ["purchases"]);
    world.declare(edge, vec![]).await;

    let (hanging, _alive) = mute().await;
    let mut settings = Settings { exam_url: hanging, ..world.settings() };
    settings.limits.time = Duration::from_secs(1);
    world.stop_lms();
    let failing = Edge::new(&settings, world.clock.clock()).await;
    for (path, token) in [(path.as_str(), guardian), (OWN, child)] {
        let answer = failing.get(path, Some(token)).await;
        assert_eq!(answer.outcome(), "200");
        assert_eq!(missing(&answer.json()), ["learning", "exams"]);
    }
}
