//! Windows as Kubernetes objects: what edges receive, and the written statuses.

use std::time::Duration;

use apiserver::{ApiServer, NAMESPACE};
use kit::caller::Service;
use kit::client::Channel;
use kit::shutdown::Shutdown;
use kit::test::{HandClock, TestServer, anyone};
use maintenance::{Board, CALLERS, Cluster, Source as _, services};
use proto::maintenance::maintenance_service_client::MaintenanceServiceClient;
use proto::maintenance::{ConfirmWindowsRequest, WatchWindowsRequest};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::macros::datetime;
use tokio::time::{sleep, timeout};
use tonic::Streaming;

const WINDOWS: &str = "maintenancewindows";
const NOW: OffsetDateTime = datetime!(2026-11-20 10:00 UTC);
/// Generous timeout for machines under load.
const PATIENCE: Duration = Duration::from_secs(20);

/// A replica of the service.
struct Replica {
    server: TestServer,
    clock: HandClock,
    shutdown: Shutdown,
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.shutdown.begin();
    }
}

impl Replica {
    async fn start(api: &ApiServer) -> Self {
        let (clock, shutdown) = (HandClock::at(NOW), Shutdown::default());
        let board = Board::new(NOW);
        let cluster = Cluster::from_url(&api.url(), NAMESPACE, clock.clock(), Duration::ZERO).unwrap();
        cluster.follow(board.clone(), shutdown.clone());
        let server =
            TestServer::service(Service::Maintenance, CALLERS, services(board, shutdown.clone())).await;
        Self { server, clock, shutdown }
    }

    async fn edge(&self, name: &str) -> Edge {
        let mut service = MaintenanceServiceClient::new(self.server.channel_as(anyone()));
        let request = WatchWindowsRequest { edge: name.to_owned() };
        let answers = service.watch_windows(request).await.unwrap().into_inner();
        Edge { name: name.to_owned(), service, answers }
    }
}

/// A connected edge.
struct Edge {
    name: String,
    service: MaintenanceServiceClient<Channel>,
    answers: Streaming<proto::maintenance::WatchWindowsResponse>,
}

impl Edge {
    /// Receives the next list: its names and revision.
    async fn next(&mut self) -> (Vec<String>, u64) {
        let answer = timeout(PATIENCE, self.answers.message()).await.expect("an answer").unwrap().unwrap();
        (answer.windows.into_iter().map(|window| window.name).collect(), answer.revision)
    }

    /// Waits for a list of these names and returns its revision.
    async fn wait_for_windows(&mut self, names: &[&str]) -> u64 {
        loop {
            let (heard, revision) = self.next().await;
            if heard == names {
                return revision;
            }
        }
    }

    async fn confirms(&mut self, revision: u64) {
        let request = ConfirmWindowsRequest { edge: self.name.clone(), revision };
        self.service.confirm_windows(request).await.unwrap();
    }
}

fn window(name: &str, more: &Value) -> Value {
    let mut window = json!({
        "apiVersion": "ops.konomana.jp/v1alpha1", "kind": "MaintenanceWindow", "metadata": { "name": name },
        "spec": { "scope": "Site", "mode": "Full", "title": "メンテナンス中です", "message": "お待ちください。" },
    });
    for (field, value) in more.as_object().unwrap() {
        window["spec"][field] = value.clone();
    }
    window
}

fn declare(api: &ApiServer, name: &str, more: &Value) {
    api.store.create(WINDOWS, window(name, more), "test").map_err(|refusal| refusal.message).unwrap();
}

/// Waits until the status of a window matches and returns it.
async fn status(api: &ApiServer, name: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let waiting = async {
        loop {
            let object = api.store.get(WINDOWS, name).map_err(|refusal| refusal.message).unwrap();
            if wanted(&object["status"]) {
                return object["status"].clone();
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, waiting).await.expect("the status matches in time")
}

/// The status and the reason of a condition.
fn condition(status: &Value, type_: &str) -> (String, String) {
    let conditions = status["conditions"].as_array();
    let found = conditions.into_iter().flatten().find(|condition| condition["type"] == type_);
    let word =
        |field: &str| found.and_then(|condition| condition[field].as_str()).unwrap_or_default().to_owned();
    (word("status"), word("reason"))
}

fn is_true(type_: &'static str) -> impl Fn(&Value) -> bool {
    move |status| condition(status, type_).0 == "True"
}

fn events(api: &ApiServer) -> Vec<String> {
    let (_, events) = api.store.list("events", None);
    let mut told: Vec<String> = events
        .iter()
        .map(|event| {
            let word =
                |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
            format!("{} {}", word("/regarding/name"), word("/reason"))
        })
        .collect();
    told.sort();
    told
}

/// Waits until exactly these events are published.
async fn happened(api: &ApiServer, wanted: &[&str]) {
    let waiting = async {
        while events(api) != wanted {
            sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(timeout(PATIENCE, waiting).await.is_ok(), "{:?}", events(api));
}

#[tokio::test]
async fn every_change_reaches_an_edge() {
    let api = ApiServer::start();
    declare(&api, "first", &json!({}));
    let replica = Replica::start(&api).await;
    let mut edge = replica.edge("one").await;
    assert_eq!(edge.wait_for_windows(&["first"]).await, 1);
    declare(&api, "another", &json!({}));
    edge.wait_for_windows(&["another", "first"]).await;
    let suspended = json!({ "spec": { "suspend": true } });
    api.store.merge(WINDOWS, "another", &suspended).map_err(|refusal| refusal.message).unwrap();
    edge.wait_for_windows(&["first"]).await;
    api.store.delete(WINDOWS, "first").map_err(|refusal| refusal.message).unwrap();
    edge.wait_for_windows(&[]).await;
}

#[tokio::test]
async fn a_window_is_propagated_once_every_edge_has_confirmed_it() {
    let api = ApiServer::start();
    let replica = Replica::start(&api).await;
    let (mut one, mut two) = (replica.edge("one").await, replica.edge("two").await);
    one.wait_for_windows(&[]).await;
    declare(&api, "upgrade", &json!({ "endsAt": "2026-11-20T12:00:00Z" }));
    let revision = one.wait_for_windows(&["upgrade"]).await;
    let told = status(&api, "upgrade", |status| status["edges"]["known"] == 2).await;
    assert_eq!(told["edges"], json!({ "known": 2, "told": 0 }));
    assert_eq!(condition(&told, "Propagated"), ("False".into(), "SomeEdges".into()));
    assert_eq!(condition(&told, "Active"), ("True".into(), "Begun".into()));
    assert_eq!(condition(&told, "RunningExamsOpen"), ("True".into(), "NewSittingsClosed".into()));
    one.confirms(revision).await;
    let told = status(&api, "upgrade", |status| status["edges"]["told"] == 1).await;
    assert_eq!(condition(&told, "Propagated").0, "False");
    let heard = two.wait_for_windows(&["upgrade"]).await;
    two.confirms(heard).await;
    let told = status(&api, "upgrade", is_true("Propagated")).await;
    assert_eq!(told["edges"], json!({ "known": 2, "told": 2 }));
    assert_eq!((&told["phase"], &told["observedGeneration"]), (&json!("Active"), &json!(1)));

    // No edge has confirmed the new generation yet.
    let change = json!({ "spec": { "mode": "ReadOnly" } });
    api.store.merge(WINDOWS, "upgrade", &change).map_err(|refusal| refusal.message).unwrap();
    let told = status(&api, "upgrade", |status| status["observedGeneration"] == 2).await;
    assert_eq!(condition(&told, "Propagated").0, "False");
    happened(&api, &["upgrade Activated", "upgrade Propagated"]).await;
}

#[tokio::test]
async fn without_edges_a_window_is_not_propagated() {
    let api = ApiServer::start();
    let _replica = Replica::start(&api).await;
    declare(&api, "upgrade", &json!({}));
    let told = status(&api, "upgrade", |status| !status.is_null()).await;
    assert_eq!(condition(&told, "Propagated"), ("Unknown".into(), "NoEdges".into()));
}

#[tokio::test]
async fn the_status_follows_the_start_and_end_of_a_window() {
    let api = ApiServer::start();
    let replica = Replica::start(&api).await;
    declare(
        &api,
        "night",
        &json!({ "startsAt": "2026-11-20T11:00:00Z", "endsAt": "2026-11-20T21:00:00+09:00" }),
    );
    let told = status(&api, "night", |status| !status.is_null()).await;
    assert_eq!((&told["phase"], condition(&told, "Active").1), (&json!("Planned"), "Planned".into()));
    let change = |word: &str| {
        // Every change triggers a check, so the test need not wait for the interval.
        declare(&api, word, &json!({ "suspend": true }));
    };
    replica.clock.advance(time::Duration::HOUR);
    change("at-eleven");
    let told = status(&api, "night", is_true("Active")).await;
    assert_eq!(told["phase"], "Active");
    replica.clock.advance(time::Duration::HOUR);
    change("at-twelve");
    let told = status(&api, "night", |status| status["phase"] == "Ended").await;
    assert_eq!(condition(&told, "Active"), ("False".into(), "Ended".into()));
    happened(&api, &["night Activated", "night Ended"]).await;
}

#[tokio::test]
async fn an_unchanged_status_is_written_once() {
    let api = ApiServer::start();
    let replica = Replica::start(&api).await;
    let mut edge = replica.edge("one").await;
    edge.wait_for_windows(&[]).await;
    declare(&api, "upgrade", &json!({}));
    let revision = edge.wait_for_windows(&["upgrade"]).await;
    edge.confirms(revision).await;
    status(&api, "upgrade", is_true("Propagated")).await;
    let written = api.store.status_writes();
    // A repeated confirmation or another window does not change the status.
    edge.confirms(revision).await;
    declare(&api, "zzz", &json!({ "suspend": true }));
    status(&api, "zzz", |status| status["phase"] == "Suspended").await;
    assert!(written <= 2, "{written}");
    assert!(api.store.status_writes() - written <= 2);
}

#[tokio::test]
async fn a_refused_status_write_is_repeated() {
    let api = ApiServer::start();
    api.store.refuse_status(true);
    declare(&api, "upgrade", &json!({}));
    let replica = Replica::start(&api).await;
    // The edges still receive the list.
    replica.edge("one").await.wait_for_windows(&["upgrade"]).await;
    let tried = async {
        while api.store.status_writes() == 0 {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, tried).await.expect("the status write is attempted");
    assert!(events(&api).is_empty(), "no event without a status");
    api.store.refuse_status(false);
    status(&api, "upgrade", is_true("Active")).await;
    happened(&api, &["upgrade Activated"]).await;
}

#[tokio::test]
async fn two_replicas_write_one_status_and_one_event() {
    let api = ApiServer::start();
    let (first, second) = (Replica::start(&api).await, Replica::start(&api).await);
    let (mut one, mut same) = (first.edge("one").await, second.edge("one").await);
    one.wait_for_windows(&[]).await;
    same.wait_for_windows(&[]).await;
    declare(&api, "upgrade", &json!({}));
    let revision = one.wait_for_windows(&["upgrade"]).await;
    assert_eq!(same.wait_for_windows(&["upgrade"]).await, revision, "replicas give a list the same revision");
    one.confirms(revision).await;
    same.confirms(revision).await;
    let settled = |status: &Value| status["edges"] == json!({ "known": 1, "told": 1 });
    status(&api, "upgrade", settled).await;
    happened(&api, &["upgrade Activated", "upgrade Propagated"]).await;
    first.shutdown.begin();
    // The remaining replica, which the edge is connected to, writes the final status.
    declare(&api, "zzz", &json!({}));
    status(&api, "zzz", |status| status["edges"]["known"] == 1).await;
    assert!(settled(
        &api.store.get(WINDOWS, "upgrade").map_err(|refusal| refusal.message).unwrap()["status"]
    ));
    happened(&api, &["upgrade Activated", "upgrade Propagated", "zzz Activated"]).await;
}

#[tokio::test]
async fn without_the_api_server_the_last_list_stays() {
    let mut api = ApiServer::start();
    declare(&api, "upgrade", &json!({}));
    let replica = Replica::start(&api).await;
    let mut edge = replica.edge("one").await;
    edge.wait_for_windows(&["upgrade"]).await;
    api.take_away();
    // Keep-alives continue, and a new edge receives the list.
    assert_eq!(edge.next().await.0, ["upgrade"]);
    assert_eq!(replica.edge("two").await.next().await.0, ["upgrade"]);
    // Missed changes are applied, although the server has dropped their history.
    api.store.delete(WINDOWS, "upgrade").map_err(|refusal| refusal.message).unwrap();
    declare(&api, "next", &json!({}));
    api.store.forget_history();
    api.put_back();
    edge.wait_for_windows(&["next"]).await;
}

#[tokio::test]
async fn a_start_without_the_api_server_sends_no_list_until_it_is_reachable() {
    let mut api = ApiServer::absent();
    let replica = Replica::start(&api).await;
    let mut edge = replica.edge("one").await;
    assert!(timeout(Duration::from_millis(500), edge.answers.message()).await.is_err(), "a list arrived");
    declare(&api, "upgrade", &json!({}));
    api.put_back();
    edge.wait_for_windows(&["upgrade"]).await;
}

#[tokio::test]
async fn an_unreadable_object_does_not_affect_others() {
    let api = ApiServer::start();
    declare(&api, "good", &json!({}));
    declare(&api, "other", &json!({}));
    let replica = Replica::start(&api).await;
    let mut edge = replica.edge("one").await;
    edge.wait_for_windows(&["good", "other"]).await;
    // Valid in a newer version of the definition.
    let mut odd = api.store.get(WINDOWS, "other").map_err(|refusal| refusal.message).unwrap();
    odd["spec"]["mode"] = "Dim".into();
    api.store.force(WINDOWS, odd);
    declare(&api, "third", &json!({}));
    edge.wait_for_windows(&["good", "other", "third"]).await;
}

#[tokio::test]
async fn deleting_an_active_window_publishes_an_event() {
    let api = ApiServer::start();
    let _replica = Replica::start(&api).await;
    declare(&api, "upgrade", &json!({}));
    status(&api, "upgrade", is_true("Active")).await;
    api.store.delete(WINDOWS, "upgrade").map_err(|refusal| refusal.message).unwrap();
    happened(&api, &["upgrade Activated", "upgrade Ended"]).await;
}
