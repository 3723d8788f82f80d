//! Calls to replicas that are replaced while DNS still returns the old addresses.
#![allow(clippy::disallowed_methods, reason = "a test wants the outcome of what it spawns")]

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::upstream::{SWIFT, Upstream, call, within};
use axum::Router;
use kit::client::Channel;
use kit::config::Serve;
use kit::error::{Code, ServiceError};
use kit::serve::GrpcServer;
use kit::shutdown::Shutdown;
use kit::test::Names;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep, timeout};

const SECOND: Duration = Duration::from_secs(1);
/// Connect timeout of a client (`DIAL_LIMIT`).
const DIAL_LIMIT: Duration = SECOND;
/// Deadline of a request at the edge.
const DEADLINE: Duration = Duration::from_secs(10);
/// A headless Service.
const PODS: &str = "lms:7000";
/// One address in front of the same pods.
const CLUSTER_IP: &str = "lms-cluster-ip:7000";
const URLS: &str = "http://lms:7000;http://lms-cluster-ip:7000";

/// A process of a service.
struct Pod {
    address: SocketAddr,
    shutdown: Shutdown,
    end: JoinHandle<()>,
}

impl Pod {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (shutdown, routes) = (Shutdown::default(), Upstream::new().0.routes());
        let begun = shutdown.clone();
        let end = kit::task::spawn_untracked("pod", async move {
            let config = Serve { drain_delay: Duration::ZERO, drain_limit: SECOND, metrics_listen: None };
            kit::serve::grpc(&config, listener, kit::test::open_to_all(), routes, Router::new(), begun)
                .await
                .unwrap();
        });
        Self { address, shutdown, end }
    }

    /// Shuts down with GOAWAY. Afterwards its address drops packets.
    async fn end(self) -> BlackHole {
        self.shutdown.begin();
        self.end.await.unwrap();
        BlackHole::at(self.address)
    }
}

/// An address that drops packets, because its accept queue of one place is full.
struct BlackHole {
    address: SocketAddr,
    _listener: TcpListener,
    _waiting: std::net::TcpStream,
}

impl BlackHole {
    fn at(address: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind(address).unwrap();
        let listener = socket.listen(0).unwrap();
        let address = listener.local_addr().unwrap();
        // Blocking, so that no other task takes the place.
        let waiting = std::net::TcpStream::connect(address).unwrap();
        Self { address, _listener: listener, _waiting: waiting }
    }

    fn new() -> Self {
        Self::at(SocketAddr::from(([127, 0, 0, 1], 0)))
    }
}

/// A cluster IP: each connection goes to one of the running pods.
struct ClusterIp {
    address: SocketAddr,
    pods: Arc<Mutex<Vec<SocketAddr>>>,
    taken: Arc<AtomicUsize>,
    /// Number of bytes in both directions.
    passed: Arc<AtomicUsize>,
    _listening: JoinSet<()>,
}

impl ClusterIp {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (pods, taken) = (Arc::new(Mutex::new(Vec::<SocketAddr>::new())), Arc::new(AtomicUsize::new(0)));
        let passed = Arc::new(AtomicUsize::new(0));
        let (alive, count, bytes) = (pods.clone(), taken.clone(), passed.clone());
        let mut listening = JoinSet::new();
        listening.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((mut near, _)) = listener.accept().await {
                let turn = count.fetch_add(1, Ordering::Relaxed);
                let pod = {
                    let pods = alive.lock().unwrap();
                    pods[turn % pods.len()]
                };
                let passed = bytes.clone();
                connections.spawn(async move {
                    let mut far = TcpStream::connect(pod).await.unwrap();
                    let (mut near, mut far) = (near.split(), far.split());
                    tokio::join!(
                        pass(&mut near.0, &mut far.1, &passed),
                        pass(&mut far.0, &mut near.1, &passed)
                    );
                });
            }
        });
        Self { address, pods, taken, passed, _listening: listening }
    }

    fn leads_to(&self, pods: impl IntoIterator<Item = SocketAddr>) {
        *self.pods.lock().unwrap() = pods.into_iter().collect();
    }

    fn connections(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    fn passed(&self) -> usize {
        self.passed.load(Ordering::Relaxed)
    }
}

/// Copies until `from` ends, and counts the bytes.
async fn pass(from: &mut ReadHalf<'_>, to: &mut WriteHalf<'_>, passed: &AtomicUsize) {
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        passed.fetch_add(length, Ordering::Relaxed);
        if to.write_all(&buffer[..length]).await.is_err() {
            break;
        }
    }
    let _ = to.shutdown().await;
}

/// Continuous calls of eight callers.
struct Load {
    answered: Arc<AtomicUsize>,
    failed: Arc<Mutex<Vec<tonic::Status>>>,
    longest: Arc<Mutex<Duration>>,
    stop: Arc<AtomicBool>,
    callers: JoinSet<()>,
}

impl Load {
    fn begin(channel: &Channel) -> Self {
        let mut load = Self {
            answered: Arc::default(),
            failed: Arc::default(),
            longest: Arc::default(),
            stop: Arc::default(),
            callers: JoinSet::new(),
        };
        for _ in 0..8 {
            let (answered, failed) = (load.answered.clone(), load.failed.clone());
            let (longest, stop, channel) = (load.longest.clone(), load.stop.clone(), channel.clone());
            load.callers.spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    let began = Instant::now();
                    if let Err(status) = within(DEADLINE, call(&channel, SWIFT)).await {
                        failed.lock().unwrap().push(status);
                    }
                    let mut longest = longest.lock().unwrap();
                    *longest = began.elapsed().max(*longest);
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        load
    }

    /// Waits until `count` more calls have ended.
    async fn go_on(&self, count: usize) {
        let before = self.answered.load(Ordering::Relaxed);
        self.until(|| self.answered.load(Ordering::Relaxed) >= before + count).await;
    }

    async fn until(&self, condition: impl Fn() -> bool) {
        let waiting = async {
            while !condition() {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(30 * SECOND, waiting).await.expect("the condition is met in time");
    }

    async fn end(self) -> (usize, Vec<tonic::Status>, Duration) {
        self.stop.store(true, Ordering::Relaxed);
        self.callers.join_all().await;
        let (failed, longest) = (self.failed.lock().unwrap().clone(), *self.longest.lock().unwrap());
        (self.answered.load(Ordering::Relaxed), failed, longest)
    }
}

/// Replaces each of `count` replicas, starting the next one before the last has ended, without a DNS update.
async fn replace_all(count: usize) {
    let (names, cluster_ip) = (Names::default(), ClusterIp::start().await);
    let mut pods = Vec::new();
    for _ in 0..count {
        pods.push(Pod::start().await);
    }
    let addresses = |pods: &[Pod]| pods.iter().map(|pod| pod.address).collect::<Vec<_>>();
    names.set(PODS, &addresses(&pods));
    names.set(CLUSTER_IP, &[cluster_ip.address]);
    cluster_ip.leads_to(addresses(&pods));

    let load = Load::begin(&names.channel(URLS));
    load.go_on(500).await;
    assert_eq!(cluster_ip.connections(), 0, "the cluster IP is not used while pods accept connections");
    let mut gone = Vec::new();
    for _ in 0..count {
        pods.push(Pod::start().await);
        let old = pods.remove(0);
        cluster_ip.leads_to(addresses(&pods));
        gone.push(old.end().await);
        load.go_on(1000).await;
    }
    assert!(cluster_ip.connections() > 0);

    names.set(PODS, &addresses(&pods));
    let direct = async {
        loop {
            let before = cluster_ip.passed();
            load.go_on(500).await;
            if cluster_ip.passed() == before {
                break;
            }
        }
    };
    timeout(30 * SECOND, direct).await.expect("pods are called directly again");
    let (answered, failed, longest) = load.end().await;
    assert!(failed.is_empty(), "{} of {answered} failed: {:?}", failed.len(), failed.first());
    assert!(longest < DIAL_LIMIT, "a call waited for an address that drops packets: {longest:?}");
}

#[tokio::test]
async fn two_replicas_replaced_while_names_are_stale_fail_no_call() {
    replace_all(2).await;
}

#[tokio::test]
async fn one_replica_replaced_while_names_are_stale_fails_no_call() {
    replace_all(1).await;
}

#[tokio::test]
async fn no_call_waits_for_an_address_that_drops_packets() {
    let (names, dead, pod) = (Names::default(), BlackHole::new(), Pod::start().await);
    names.set(PODS, &[dead.address, pod.address]);
    let channel = names.channel("http://lms:7000");
    let began = Instant::now();
    // Long enough for several connection attempts.
    while began.elapsed() < 4 * SECOND {
        let asked = Instant::now();
        within(DEADLINE, call(&channel, SWIFT)).await.unwrap();
        assert!(asked.elapsed() < DIAL_LIMIT, "{:?}", asked.elapsed());
    }
}

#[tokio::test]
async fn a_client_with_only_dead_addresses_uses_the_fallback_soon() {
    let (names, cluster_ip, pod) = (Names::default(), ClusterIp::start().await, Pod::start().await);
    let dead = BlackHole::new();
    names.set(PODS, &[dead.address]);
    names.set(CLUSTER_IP, &[cluster_ip.address]);
    cluster_ip.leads_to([pod.address]);
    let channel = names.channel(URLS);
    for _ in 0..4 {
        let asked = Instant::now();
        within(DEADLINE, call(&channel, SWIFT)).await.unwrap();
        assert!(asked.elapsed() < DIAL_LIMIT, "{:?}", asked.elapsed());
    }
}

#[tokio::test]
async fn the_fallback_serves_if_the_name_of_the_replicas_does_not_resolve() {
    let (names, cluster_ip, pod) = (Names::default(), ClusterIp::start().await, Pod::start().await);
    names.set(CLUSTER_IP, &[cluster_ip.address]);
    cluster_ip.leads_to([pod.address]);
    within(DEADLINE, call(&names.channel(URLS), SWIFT)).await.unwrap();
}

#[tokio::test]
async fn a_name_is_resolved_again_as_soon_as_its_last_address_fails() {
    let (names, old, new) = (Names::default(), Pod::start().await, Pod::start().await);
    names.set(PODS, &[old.address]);
    let channel = names.channel("http://lms:7000");
    within(DEADLINE, call(&channel, SWIFT)).await.unwrap();
    let _gone = old.end().await;
    names.set(PODS, &[new.address]);
    let asked = Instant::now();
    within(DEADLINE, call(&channel, SWIFT)).await.unwrap();
    assert!(asked.elapsed() < SECOND, "{:?}", asked.elapsed());
}

#[tokio::test]
async fn a_service_whose_replicas_and_fallback_are_gone_is_unavailable_after_2_seconds() {
    let names = Names::default();
    let (first, second) = (TcpListener::bind("127.0.0.1:0").await, TcpListener::bind("127.0.0.1:0").await);
    let silent = BlackHole::new();
    names.set(PODS, &[first.as_ref().unwrap().local_addr().unwrap(), silent.address]);
    names.set(CLUSTER_IP, &[second.as_ref().unwrap().local_addr().unwrap()]);
    drop((first, second));
    let channel = names.channel(URLS);
    let began = Instant::now();
    let status = within(DEADLINE, call(&channel, SWIFT)).await.unwrap_err();
    assert_eq!(ServiceError::from_status(&status).code, Code::Unavailable, "{status:?}");
    let waited = began.elapsed();
    assert!(waited >= 2 * SECOND, "the call did not wait for a restart: {waited:?}");
    let began = Instant::now();
    within(DEADLINE, call(&channel, SWIFT)).await.unwrap_err();
    assert!(began.elapsed() < waited, "all calls wait together: {:?} after {waited:?}", began.elapsed());
}

/// A process that listens but still waits for its database.
async fn start_unready() -> (SocketAddr, GrpcServer) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let config = Serve { drain_delay: Duration::ZERO, drain_limit: SECOND, metrics_listen: None };
    (address, GrpcServer::start(&config, listener, Shutdown::default()).await.unwrap())
}

#[tokio::test]
async fn a_replica_that_is_not_ready_fails_no_call() {
    let (names, pod, (unready, _server)) = (Names::default(), Pod::start().await, start_unready().await);
    names.set(PODS, &[unready, pod.address]);
    let channel = names.channel("http://lms:7000");
    for _ in 0..200 {
        within(DEADLINE, call(&channel, SWIFT)).await.unwrap();
    }
}

#[tokio::test]
async fn a_call_waits_until_the_only_replica_is_ready() {
    let (names, (address, server)) = (Names::default(), start_unready().await);
    names.set(PODS, &[address]);
    let channel = names.channel("http://lms:7000");
    let calling = tokio::spawn(async move { within(DEADLINE, call(&channel, SWIFT)).await });
    sleep(SECOND / 2).await;
    assert!(!calling.is_finished());
    let routes = Upstream::new().0.routes();
    kit::task::spawn_untracked("pod", async move {
        server.serve(kit::test::open_to_all(), routes, Router::new()).await.unwrap();
    });
    calling.await.unwrap().unwrap();
}
