//! Maintenance: what is closed, for whom, and what is never closed.

use maintenance::{Mode, Scope, Window};
use serde_json::json;
use time::Duration;

use crate::support::{Edge, NOW, ONE, PASSWORD, STAFF, World};

pub(crate) fn window(scope: Scope, mode: Mode) -> Window {
    Window {
        name: format!("{scope:?} {mode:?}").to_lowercase(),
        scope,
        mode,
        declared_at: None,
        starts_at: None,
        ends_at: None,
        title: "メンテナンス中です".to_owned(),
        message: "しばらくお待ちください。".to_owned(),
        status_url: None,
        retry_after_seconds: None,
        bypass_scopes: Vec::new(),
        suspend: false,
    }
}

/// Returns the statuses of a read and a write of accounts, then of learning.
async fn statuses(edge: &Edge, token: &str) -> [u16; 4] {
    [
        edge.get("/api/accounts/user/", Some(token)).await.status.as_u16(),
        edge.post("/api/accounts/login/", &json!({"email": ONE, "password": "another one"}))
            .await
            .status
            .as_u16(),
        edge.get("/api/lms/inventory/", Some(token)).await.status.as_u16(),
        edge.call("PUT", "/api/lms/bookmark/201/", Some(token)).await.status.as_u16(),
    ]
}

#[tokio::test]
async fn each_scope_closes_its_part_and_read_only_mode_allows_reads() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let open = [200, 400, 200, 204];
    assert_eq!(statuses(&edge, &token).await, open);
    for (scope, mode, wanted) in [
        (Scope::Site, Mode::Full, [503, 503, 503, 503]),
        (Scope::Site, Mode::ReadOnly, [200, 503, 200, 503]),
        (Scope::Accounts, Mode::Full, [503, 503, 200, 204]),
        (Scope::Learning, Mode::Full, [200, 400, 503, 503]),
        (Scope::Learning, Mode::ReadOnly, [200, 400, 200, 503]),
        (Scope::Commerce, Mode::Full, open),
        (Scope::Exam, Mode::Full, open),
    ] {
        world.declare(&edge, vec![window(scope, mode)]).await;
        assert_eq!(statuses(&edge, &token).await, wanted, "{scope:?} {mode:?}");
        // Never closed:
        assert_eq!(edge.get("/api/maintenance/", None).await.outcome(), "200");
        assert_eq!(edge.get("/api/schema/", None).await.outcome(), "200");
        assert_eq!(edge.get("/readyz", None).await.outcome(), "200");
        assert_eq!(edge.get("/api/nothing/", None).await.outcome(), "404 NOT_FOUND");
    }
    world.declare(&edge, vec![window(Scope::Site, Mode::Full)]).await;
    assert_eq!(edge.call("POST", "/api/accounts/logout/", Some(&token)).await.outcome(), "204");
}

#[tokio::test]
async fn a_closed_route_returns_503_even_without_a_free_permit() {
    let world = World::new().await;
    let mut settings = world.settings();
    (settings.limits.logins, settings.limits.logins_queue) = (0, 0);
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let login = json!({"email": ONE, "password": PASSWORD});
    assert_eq!(edge.post("/api/accounts/login/", &login).await.outcome(), "429 OVERLOADED");
    world.declare(&edge, vec![window(Scope::Accounts, Mode::Full)]).await;
    assert_eq!(edge.post("/api/accounts/login/", &login).await.status, 503);
}

#[tokio::test]
async fn a_503_has_the_affected_parts_the_times_and_retry_after() {
    let world = World::new().await;
    let edge = world.edge().await;
    let mut closed = window(Scope::Site, Mode::Full);
    closed.starts_at = Some(NOW - Duration::hours(1));
    closed.ends_at = Some(NOW + Duration::hours(1));
    closed.retry_after_seconds = Some(120);
    world.declare(&edge, vec![closed]).await;
    let answer = edge.get("/api/lms/course/", None).await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("retry-after"), Some("120"));
    let wanted = json!({
        "title": "メンテナンス中です",
        "message": "しばらくお待ちください。",
        "starts_at": "2026-11-20T09:00:00Z",
        "ends_at": "2026-11-20T11:00:00Z",
        "affected": ["Site", "Accounts", "Learning", "Commerce", "Exam"],
    });
    assert_eq!(answer.json(), wanted);
    world.clock.advance(Duration::minutes(59) + Duration::milliseconds(29_500));
    assert_eq!(
        edge.get("/api/lms/course/", None).await.header("retry-after"),
        Some("31"),
        "the window ends earlier"
    );

    world.declare(&edge, vec![window(Scope::Learning, Mode::Full)]).await;
    let answer = edge.get("/api/lms/course/", None).await;
    assert_eq!(answer.header("retry-after"), Some("60"));
    assert_eq!((&answer.json()["starts_at"], &answer.json()["ends_at"]), (&json!(null), &json!(null)));
}

#[tokio::test]
async fn of_several_windows_the_one_that_ends_last_is_shown() {
    let world = World::new().await;
    let edge = world.edge().await;
    let ending = |name: &str, hours: Option<i64>| {
        let mut ending = window(Scope::Learning, Mode::Full);
        ending.name = name.to_owned();
        ending.ends_at = hours.map(|hours| NOW + Duration::hours(hours));
        ending
    };
    world.declare(&edge, vec![ending("a", Some(1)), ending("b", Some(3)), ending("c", Some(2))]).await;
    assert_eq!(edge.get("/api/lms/course/", None).await.json()["ends_at"], "2026-11-20T13:00:00Z");
    world.declare(&edge, vec![ending("0", None), ending("b", Some(3))]).await;
    assert_eq!(edge.get("/api/lms/course/", None).await.json()["ends_at"], json!(null));
}

#[tokio::test]
async fn the_affected_parts_of_overlapping_windows_are_merged() {
    let world = World::new().await;
    let edge = world.edge().await;
    let mut site = window(Scope::Site, Mode::ReadOnly);
    site.ends_at = Some(NOW + Duration::hours(1));
    let mut learning = window(Scope::Learning, Mode::Full);
    learning.ends_at = Some(NOW + Duration::hours(2));
    learning.title = "学習のメンテナンス".to_owned();
    world.declare(&edge, vec![learning, window(Scope::Exam, Mode::Full), site]).await;
    let answer = edge.call("PUT", "/api/lms/bookmark/201/", None).await.json();
    assert_eq!(answer["affected"], json!(["Site", "Accounts", "Learning", "Commerce", "Exam"]));
    assert_eq!(
        (&answer["title"], &answer["ends_at"]),
        (&"学習のメンテナンス".into(), &"2026-11-20T12:00:00Z".into())
    );
    // Only one of the windows closes reads.
    assert_eq!(edge.get("/api/lms/course/", None).await.json()["affected"], json!(["Learning"]));
}

#[tokio::test]
async fn a_window_begins_and_ends_by_the_edges_own_clock_even_when_the_stream_is_lost() {
    let world = World::new().await;
    let edge = world.edge().await;
    let mut planned = window(Scope::Learning, Mode::Full);
    planned.starts_at = Some(NOW + Duration::minutes(10));
    planned.ends_at = Some(NOW + Duration::minutes(20));
    world.declare(&edge, vec![planned]).await;
    world.maintenance.shutdown.begin();
    let status = async || edge.get("/api/lms/course/", None).await.status.as_u16();
    assert_eq!(status().await, 200);
    world.clock.advance(Duration::minutes(10));
    assert_eq!(status().await, 503);
    world.clock.advance(Duration::minutes(10) - Duration::milliseconds(1));
    assert_eq!(status().await, 503);
    world.clock.advance(Duration::milliseconds(1));
    assert_eq!(status().await, 200);
}

#[tokio::test]
async fn callers_with_a_bypass_scope_pass() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (staff, _) = edge.login(STAFF).await;
    let (learner, _) = edge.login(ONE).await;
    let mut closed = window(Scope::Site, Mode::Full);
    closed.bypass_scopes = vec!["staff:support".to_owned()];
    world.declare(&edge, vec![closed]).await;
    let user = async |token: Option<&str>| edge.get("/api/accounts/user/", token).await.status.as_u16();
    assert_eq!(user(Some(&staff)).await, 200);
    assert_eq!(user(Some(&learner)).await, 503);
    assert_eq!(user(Some("made.up.token")).await, 503);
    assert_eq!(user(None).await, 503);
    let login = edge.post("/api/accounts/login/", &json!({"email": STAFF, "password": PASSWORD})).await;
    assert_eq!(login.status, 503);
}
