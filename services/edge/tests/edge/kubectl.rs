//! From `kubectl apply` to the response in a browser: a real `kubectl`, a fake API server, two replicas of
//! the maintenance service, two edges.
//!
//! Ignored by default because `kubectl` may be missing. `cargo dev test rust` includes it if `kubectl` is on
//! PATH.

use std::process::Stdio;
use std::time::Duration;

use apiserver::{ApiServer, NAMESPACE};
use kit::caller::Service;
use kit::shutdown::Shutdown;
use kit::test::TestServer;
use maintenance::{Board, Cluster, Source as _};
use tokio::process::Command;
use tokio::time::{Instant, timeout};

use crate::support::{Edge, NOW, World};

/// Documented time limit after `kubectl apply`.
const TIME_LIMIT: Duration = Duration::from_secs(1);
const WINDOW: &str = "\
apiVersion: ops.konomana.jp/v1alpha1
kind: MaintenanceWindow
metadata:
  name: upgrade
spec:
  scope: Site
  mode: Full
  endsAt: 2026-11-20T21:00:00+09:00
  title: ただいまメンテナンス中です
  message: しばらくしてから、もう一度お試しください。
";

/// Starts a replica of the maintenance service that follows `api`.
async fn replica(api: &ApiServer, world: &World, shutdown: &Shutdown) -> TestServer {
    let board = Board::new(NOW);
    let cluster = Cluster::from_url(&api.url(), NAMESPACE, world.clock.clock(), Duration::ZERO).unwrap();
    cluster.follow(board.clone(), shutdown.clone());
    let services = maintenance::services(board, shutdown.clone());
    TestServer::service(Service::Maintenance, maintenance::CALLERS, services).await
}

async fn kubectl(api: &ApiServer, arguments: &[&str]) {
    let mut kubectl = Command::new("kubectl");
    kubectl.arg("--kubeconfig").arg(api.kubeconfig()).arg("--cache-dir").arg(api.folder().join("cache"));
    kubectl.arg("--request-timeout=20s").args(arguments).stdin(Stdio::null()).env("HOME", api.folder());
    let output = kubectl.output().await.expect("kubectl is on PATH");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Waits until every edge responds with `status`. Returns the waiting time.
async fn all(edges: &[Edge], status: u16) -> Duration {
    let begun = Instant::now();
    let waiting = async {
        for edge in edges {
            while edge.get("/api/lms/course/", None).await.status != status {}
        }
    };
    timeout(Duration::from_secs(20), waiting).await.expect("every edge responds with the status");
    begun.elapsed()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs kubectl"]
async fn apply_closes_every_edge_within_a_second_and_delete_opens_them() {
    let (world, mut api, shutdown) = (World::new().await, ApiServer::start(), Shutdown::default());
    let (first, second) = (replica(&api, &world, &shutdown).await, replica(&api, &world, &shutdown).await);
    let mut settings = world.settings();
    settings.maintenance_url = format!("{},{}", first.url(), second.url());
    let clock = || world.clock.clock();
    let mut edges = vec![Edge::new(&settings, clock()).await, Edge::new(&settings, clock()).await];
    all(&edges, 200).await;
    let file = api.folder().join("window.yaml");
    std::fs::write(&file, WINDOW).unwrap();
    let file = file.to_str().unwrap();

    for _ in 0..3 {
        kubectl(&api, &["apply", "-f", file]).await;
        let took = all(&edges, 503).await;
        assert!(took <= TIME_LIMIT, "closed after {took:?}");
        kubectl(&api, &["wait", "--for=condition=Propagated", "mw/upgrade", "--timeout=20s"]).await;
        kubectl(&api, &["delete", "mw/upgrade"]).await;
        let took = all(&edges, 200).await;
        assert!(took <= TIME_LIMIT, "open after {took:?}");
    }

    // The end of a replica has no effect.
    first.shutdown.begin();
    kubectl(&api, &["apply", "-f", file]).await;
    let took = all(&edges, 503).await;
    assert!(took <= TIME_LIMIT, "closed after {took:?}");
    let answer = edges[0].get("/api/lms/course/", None).await.json();
    assert_eq!(
        (&answer["title"], &answer["ends_at"]),
        (&"ただいまメンテナンス中です".into(), &"2026-11-20T12:00:00Z".into(),)
    );

    // Without the API server it stays closed, for a new edge too, and opens at its declared end.
    api.take_away();
    edges.push(Edge::new(&settings, clock()).await);
    all(&edges, 503).await;
    world.clock.advance(time::Duration::hours(2) - time::Duration::milliseconds(1));
    assert_eq!(edges[2].get("/api/lms/course/", None).await.status, 503);
    world.clock.advance(time::Duration::milliseconds(1));
    all(&edges, 200).await;
    shutdown.begin();
}
