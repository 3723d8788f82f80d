//! Windows of a file as an edge receives them, over real gRPC.

use std::time::Duration;

use crate::folder::{Folder, window};
use kit::caller::Service;
use kit::client::Channel;
use kit::shutdown::Shutdown;
use kit::test::{TestServer, anyone, every_rpc_admits_only_its_callers};
use maintenance::{Board, CALLERS, File, Source as _, services};
use proto::maintenance::maintenance_service_client::MaintenanceServiceClient;
use proto::maintenance::{ConfirmWindowsRequest, Mode, Scope, WatchWindowsRequest, WatchWindowsResponse};
use time::OffsetDateTime;
use tokio::time::{Instant, timeout};
use tonic::Streaming;

/// Generous timeout for machines under load.
const PATIENCE: Duration = Duration::from_secs(20);

/// A service that follows a file, and one edge that watches it.
struct Watching {
    folder: Folder,
    shutdown: Shutdown,
    answers: Streaming<WatchWindowsResponse>,
    edge: MaintenanceServiceClient<Channel>,
    board: Board,
    server: TestServer,
}

impl Watching {
    async fn with_file(text: Option<&str>) -> Self {
        let folder = Folder::new();
        if let Some(text) = text {
            folder.write(text);
        }
        let shutdown = Shutdown::default();
        let board = Board::new(OffsetDateTime::UNIX_EPOCH);
        File::new(folder.file()).follow(board.clone(), shutdown.clone());
        let server =
            TestServer::service(Service::Maintenance, CALLERS, services(board.clone(), shutdown.clone()))
                .await;
        let mut edge = MaintenanceServiceClient::new(server.channel_as(anyone()));
        let request = WatchWindowsRequest { edge: "one".to_owned() };
        let answers = edge.watch_windows(request).await.unwrap().into_inner();
        Self { folder, shutdown, answers, edge, board, server }
    }

    async fn answer(&mut self) -> Option<WatchWindowsResponse> {
        timeout(PATIENCE, self.answers.message()).await.expect("a message arrives in time").unwrap()
    }

    async fn names(&mut self) -> Vec<String> {
        let windows = self.answer().await.expect("the stream continues").windows;
        windows.into_iter().map(|window| window.name).collect()
    }
}

#[tokio::test]
async fn the_complete_list_arrives_at_once_ordered_by_name() {
    let text = format!("{}---\n{}", window("later"), window("earlier"));
    let mut watching = Watching::with_file(Some(&text)).await;
    assert_eq!(watching.names().await, ["earlier", "later"]);
}

#[tokio::test]
async fn every_field_reaches_the_edge() {
    let mut watching = Watching::with_file(Some(
        "apiVersion: ops.konomana.jp/v1alpha1
kind: MaintenanceWindow
metadata: { name: upgrade, labels: { team: platform }, annotations: { ticket: OPS-7 } }
spec:
  scope: Learning
  mode: ReadOnly
  startsAt: 2026-11-21T03:00:00+09:00
  endsAt: 2026-11-20T20:00:00.5Z
  title: システムメンテナンスのお知らせ
  message: |
    データベースを入れ替えます。
    講義の視聴はできます。
  statusUrl: https://status.konomana.jp/upgrade
  retryAfterSeconds: 120
  bypassScopes: [staff:support, staff:content]
",
    ))
    .await;
    let window = watching.answer().await.unwrap().windows.remove(0);
    assert_eq!(window.scope(), Scope::Learning);
    assert_eq!(window.mode(), Mode::ReadOnly);
    assert_eq!(window.starts_at, Some(prost_types::Timestamp { seconds: 1_795_197_600, nanos: 0 }));
    assert_eq!(window.ends_at, Some(prost_types::Timestamp { seconds: 1_795_204_800, nanos: 500_000_000 }));
    assert_eq!(window.title, "システムメンテナンスのお知らせ");
    assert_eq!(window.message, "データベースを入れ替えます。\n講義の視聴はできます。");
    assert_eq!(window.status_url.as_deref(), Some("https://status.konomana.jp/upgrade"));
    assert_eq!(window.retry_after_seconds, Some(120));
    assert_eq!(window.bypass_scopes, ["staff:support", "staff:content"]);
}

#[tokio::test]
async fn no_file_and_an_empty_file_declare_no_windows() {
    assert!(Watching::with_file(None).await.names().await.is_empty());
    assert!(Watching::with_file(Some("")).await.names().await.is_empty());
    assert!(Watching::with_file(Some("# nothing planned\n---\n")).await.names().await.is_empty());
}

#[tokio::test]
async fn a_suspended_window_is_not_sent() {
    let text = format!("{}  suspend: true\n---\n{}", window("asleep"), window("awake"));
    let mut watching = Watching::with_file(Some(&text)).await;
    assert_eq!(watching.names().await, ["awake"]);
}

#[tokio::test]
async fn a_change_arrives_within_300_ms() {
    let mut watching = Watching::with_file(None).await;
    assert!(watching.names().await.is_empty());
    let mut took = Vec::new();
    for round in 0..5 {
        let name = format!("round-{round}");
        watching.folder.write(&window(&name));
        let written = Instant::now();
        assert_eq!(watching.names().await, [name]);
        took.push(written.elapsed());
    }
    took.sort();
    assert!(took[2] < Duration::from_millis(300), "{took:?}");
}

#[tokio::test]
async fn a_renamed_deleted_or_recreated_file_is_followed() {
    let mut watching = Watching::with_file(Some(&window("first"))).await;
    assert_eq!(watching.names().await, ["first"]);
    watching.folder.replace(&window("second"));
    assert_eq!(watching.names().await, ["second"]);
    watching.folder.remove();
    assert!(watching.names().await.is_empty());
    watching.folder.write(&window("third"));
    assert_eq!(watching.names().await, ["third"]);
}

#[tokio::test]
async fn an_invalid_file_keeps_the_last_valid_list() {
    let mut watching = Watching::with_file(Some(&window("good"))).await;
    assert_eq!(watching.names().await, ["good"]);
    watching.folder.write("scope: [");
    // The next message is a keep-alive with the last valid list.
    assert_eq!(watching.names().await, ["good"]);
    watching.folder.write(&window("better"));
    assert_eq!(watching.names().await, ["better"]);
}

#[tokio::test]
async fn a_file_that_is_invalid_at_start_sends_no_list_until_it_is_valid() {
    let mut watching = Watching::with_file(Some("spec: {}")).await;
    watching.folder.write(&window("good"));
    assert_eq!(watching.names().await, ["good"]);
}

#[tokio::test]
async fn an_unchanged_list_is_sent_again_within_5_s() {
    let mut watching = Watching::with_file(Some(&window("same"))).await;
    assert_eq!(watching.names().await, ["same"]);
    let said = Instant::now();
    assert_eq!(watching.names().await, ["same"]);
    assert!(said.elapsed() >= Duration::from_secs(4), "{:?}", said.elapsed());
}

#[tokio::test]
async fn every_list_has_its_own_revision_that_an_edge_can_confirm() {
    let mut watching = Watching::with_file(None).await;
    let audience = watching.board.watch_audience();
    let first = watching.answer().await.unwrap().revision;
    assert_eq!((audience.borrow().count_edges(), audience.borrow().count_confirmed(first)), (1, 0));
    let confirm = ConfirmWindowsRequest { edge: "one".to_owned(), revision: first };
    watching.edge.confirm_windows(confirm).await.unwrap();
    assert_eq!(audience.borrow().count_confirmed(first), 1);
    watching.folder.write(&window("next"));
    let next = watching.answer().await.unwrap().revision;
    assert!(next > first);
    assert_eq!(audience.borrow().count_confirmed(next), 0);
}

#[tokio::test]
async fn a_disconnected_edge_is_not_counted() {
    let watching = Watching::with_file(None).await;
    let mut audience = watching.board.watch_audience();
    assert_eq!(audience.borrow_and_update().count_edges(), 1);
    drop(watching.answers);
    timeout(PATIENCE, audience.wait_for(|audience| audience.count_edges() == 0)).await.unwrap().unwrap();
}

#[tokio::test]
async fn the_stream_ends_at_shutdown() {
    let mut watching = Watching::with_file(None).await;
    assert!(watching.names().await.is_empty());
    watching.shutdown.begin();
    assert_eq!(watching.answer().await, None);
}

#[tokio::test]
async fn every_rpc_admits_only_the_edge() {
    let watching = Watching::with_file(None).await;
    let packages = ["maintenance.v1"];
    every_rpc_admits_only_its_callers(&watching.server, Service::Maintenance, CALLERS, &packages).await;
}
