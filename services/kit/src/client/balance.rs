//! Calls spread over the replicas of a service.

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response, Uri, uri};
use http_body_util::{BodyExt as _, Full};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use tonic::Status;
use tonic::body::Body;
use tower::Service;

use super::Resolver;
use super::replica::{Replica, Sender};
use crate::error::chain;
use crate::serve::NOT_READY;
use crate::task;

/// How long requests wait while no address of a service takes a connection.
const PATIENCE: Duration = Duration::from_secs(2);
/// Pause between two attempts to connect to an address while none is connected.
const BETWEEN_DIALS: Duration = Duration::from_millis(20);
/// How long replicas may take for their first connection before a fallback is dialled too.
const HEAD_START: Duration = Duration::from_millis(100);
/// Maximum number of resends of a request whose connection was closing.
const RESENDS: usize = 3;
/// Age after which names are resolved again in the background of the next call.
const KNOWN_FOR: Duration = Duration::from_secs(3);
/// The same while an address refuses connections.
const DOUBTED_FOR: Duration = Duration::from_millis(250);

/// Sends each request to the replica with the fewest requests in flight.
///
/// The resolver's answers may be stale, so each address is judged by its behaviour. An address that closes its
/// connection or refuses one gets no requests; it is dialled in the background with growing pauses, and names are
/// resolved again. Requests wait for a connection only while no address is connected.
///
/// Fallbacks are one address in front of all replicas, such as a cluster IP in Kubernetes. They are dialled while no
/// replica is connected. They reach the replicas even if all were replaced within the cache time of the resolver.
///
/// A request that no server processed is sent to another address: the connection was refused, the server answered
/// GOAWAY, or it is not ready yet. A request that may have been processed is never sent twice. If no address accepts
/// the request, all are tried again for 2 s, because the service may be restarting. Then the request fails as
/// unavailable.
#[derive(Clone, Debug)]
pub struct Balance(Arc<Replicas>);

/// The hosts of a service, as `host:port`. A name may have several addresses.
#[derive(Debug, Default)]
pub(super) struct Hosts {
    /// Names that resolve to each replica.
    pub(super) replicas: Vec<String>,
    /// Names that resolve to an address in front of all replicas.
    pub(super) fallbacks: Vec<String>,
}

#[derive(Debug)]
struct Replicas {
    /// Scheme and authority of every request.
    origin: Uri,
    hosts: Hosts,
    resolver: Resolver,
    known: RwLock<KnownAddresses>,
    looking_up: AtomicBool,
    /// Start of the next selection, so that equally busy replicas take turns.
    turn: AtomicUsize,
    /// Notified after each connection attempt and each lookup.
    changed: watch::Sender<()>,
    /// Since when no address is reachable. [`PATIENCE`] counts from here for all calls together.
    unreachable_since: Mutex<Option<Instant>>,
    /// The error of the last connection attempt or lookup.
    last_error: Mutex<String>,
}

/// The addresses behind the hosts.
#[derive(Clone, Debug, Default)]
struct KnownAddresses {
    replicas: Arc<[Arc<Replica>]>,
    fallbacks: Arc<[Arc<Replica>]>,
    looked_up: Option<Instant>,
}

impl Balance {
    /// Balances requests to `origin` over all addresses of `hosts`.
    pub(super) fn new(origin: Uri, hosts: Hosts, resolver: Resolver) -> Self {
        Self(Arc::new(Replicas {
            origin,
            hosts,
            resolver,
            known: RwLock::default(),
            looking_up: AtomicBool::new(false),
            turn: AtomicUsize::new(0),
            changed: watch::Sender::default(),
            unreachable_since: Mutex::default(),
            last_error: Mutex::default(),
        }))
    }
}

impl Service<Request<Body>> for Balance {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let replicas = self.0.clone();
        Box::pin(async move { Ok(replicas.send(request).await.unwrap_or_else(Status::into_http)) })
    }
}

impl Replicas {
    async fn send(self: &Arc<Self>, mut request: Request<Body>) -> Result<Response<Body>, Status> {
        *request.uri_mut() = self.absolute(request.uri());
        let (head, body) = request.into_parts();
        // Calls have one small message each, which is kept for a resend.
        let body = body.collect().await?.to_bytes();
        let began = Instant::now();
        let mut resends = 0;
        loop {
            let (replica, connection) = self.connection().await?;
            let _under_way = replica.under_way();
            let request = Request::from_parts(head.clone(), Body::new(Full::new(body.clone())));
            match Sender::clone(&connection).try_send_request(request).await {
                Ok(answer) if answer.headers().contains_key(NOT_READY) && began.elapsed() < PATIENCE => {}
                Ok(answer) => return Ok(answer.map(Body::new)),
                Err(mut error) => {
                    let unsent = error.take_message().is_some();
                    let error = error.into_error();
                    // Any other request may have been processed.
                    if !(unsent || was_refused(&error)) || resends == RESENDS {
                        return Err(self.unavailable(&chain(&error)));
                    }
                    resends += 1;
                }
            }
            replica.abandon(&connection);
        }
    }

    /// A connection for the next request. Connects if there is none.
    async fn connection(self: &Arc<Self>) -> Result<(Arc<Replica>, Arc<Sender>), Status> {
        if let Some(found) = self.connected() {
            return Ok(found);
        }
        let mut changed = self.changed.subscribe();
        let began = Instant::now();
        loop {
            if let Some(found) = self.connected() {
                return Ok(found);
            }
            let known = self.known_addresses();
            self.look_up_after(DOUBTED_FOR);
            self.dial(&known.replicas, BETWEEN_DIALS);
            if began.elapsed() >= HEAD_START || !known.replicas.iter().any(|replica| replica.is_promising()) {
                self.dial(&known.fallbacks, BETWEEN_DIALS);
            }
            if self.unreachable_for() >= PATIENCE && known.has_failed_since(began) {
                let error = self.last_error.lock().unwrap_or_else(PoisonError::into_inner);
                return Err(self.unavailable(&error));
            }
            // Ends early when an address or a connection has changed.
            let _ = timeout(BETWEEN_DIALS, changed.changed()).await;
        }
    }

    /// A connection that accepts requests. Dials disconnected replicas whose pauses are over.
    fn connected(self: &Arc<Self>) -> Option<(Arc<Replica>, Arc<Sender>)> {
        let known = self.known_addresses();
        let found = self.choose(&known.replicas).or_else(|| self.choose(&known.fallbacks))?;
        *self.unreachable_since.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.dial(&known.replicas, Duration::MAX);
        Some(found)
    }

    /// The connected replica with the fewest requests in flight.
    fn choose(&self, replicas: &[Arc<Replica>]) -> Option<(Arc<Replica>, Arc<Sender>)> {
        let start = self.turn.fetch_add(1, Ordering::Relaxed) % replicas.len().max(1);
        let (passed, coming) = replicas.split_at(start);
        let connected = coming
            .iter()
            .chain(passed)
            .filter_map(|replica| replica.connected().map(|connection| (replica.clone(), connection)));
        connected.min_by_key(|(replica, _)| replica.load())
    }

    /// Dials disconnected replicas in the background, if they have paused for long enough, or for `longest`.
    fn dial(self: &Arc<Self>, replicas: &[Arc<Replica>], longest: Duration) {
        for replica in replicas.iter().filter(|replica| replica.begin_dial(longest)) {
            let (this, replica) = (self.clone(), replica.clone());
            task::spawn_untracked("dial", async move {
                if let Err(error) = replica.dial().await {
                    this.failed(format!("{}: {}", replica.address, chain(&error)));
                    this.look_up_after(DOUBTED_FOR);
                }
                this.changed.send_replace(());
            });
        }
    }

    /// The known addresses. When they are old, looks them up again in the background.
    fn known_addresses(self: &Arc<Self>) -> KnownAddresses {
        self.look_up_after(KNOWN_FOR);
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Resolves the hosts in the background, unless that was done within `age` or is in progress.
    fn look_up_after(self: &Arc<Self>, age: Duration) {
        let looked_up = self.known.read().unwrap_or_else(PoisonError::into_inner).looked_up;
        if looked_up.is_some_and(|at| at.elapsed() < age) || self.looking_up.swap(true, Ordering::Relaxed) {
            return;
        }
        let this = self.clone();
        task::spawn_untracked("lookup", async move {
            let Hosts { replicas, fallbacks } = &this.hosts;
            let (replicas, fallbacks) = tokio::join!(this.addresses(replicas), this.addresses(fallbacks));
            this.set_addresses(replicas, fallbacks);
            this.looking_up.store(false, Ordering::Relaxed);
            this.changed.send_replace(());
        });
    }

    /// All addresses of `hosts`; `None` if one of them could not be resolved.
    async fn addresses(&self, hosts: &[String]) -> Option<Vec<SocketAddr>> {
        let mut addresses = Vec::new();
        for host in hosts {
            match self.resolver.resolve(host).await {
                Ok(found) => addresses.extend(found),
                Err(error) => {
                    tracing::warn!(service = %self.origin, host, %error, "a name lookup failed; the known addresses are kept");
                    self.failed(format!("{host}: {}", chain(&error)));
                    return None;
                }
            }
        }
        Some(addresses)
    }

    /// Replaces the known addresses; `None` keeps them. An address that stays keeps its connection and its calls.
    fn set_addresses(&self, replicas: Option<Vec<SocketAddr>>, fallbacks: Option<Vec<SocketAddr>>) {
        let known = &mut *self.known.write().unwrap_or_else(PoisonError::into_inner);
        for (known, addresses) in [(&mut known.replicas, replicas), (&mut known.fallbacks, fallbacks)] {
            let Some(mut addresses) = addresses else { continue };
            addresses.sort_unstable();
            addresses.dedup();
            let old = |address| known.iter().find(|replica| replica.address == address).cloned();
            *known = addresses
                .into_iter()
                .map(|address| old(address).unwrap_or_else(|| Arc::new(Replica::new(address))))
                .collect();
        }
        known.looked_up = Some(Instant::now());
    }

    fn unreachable_for(&self) -> Duration {
        let mut since = self.unreachable_since.lock().unwrap_or_else(PoisonError::into_inner);
        since.get_or_insert_with(Instant::now).elapsed()
    }

    fn failed(&self, error: String) {
        *self.last_error.lock().unwrap_or_else(PoisonError::into_inner) = error;
    }

    fn unavailable(&self, error: &str) -> Status {
        Status::unavailable(format!("{}: {error}", self.origin))
    }

    /// The absolute URI of a path of the service, which HTTP/2 requires.
    fn absolute(&self, path: &Uri) -> Uri {
        let mut parts = uri::Parts::from(self.origin.clone());
        parts.path_and_query = path.path_and_query().cloned();
        // Fails only for a call without a path.
        Uri::from_parts(parts).unwrap_or_else(|_| self.origin.clone())
    }
}

impl KnownAddresses {
    /// Whether every address has failed since `time`: closed its connection or refused one. Without addresses, whether
    /// the lookup has.
    fn has_failed_since(&self, time: Instant) -> bool {
        let mut all = self.replicas.iter().chain(self.fallbacks.iter()).peekable();
        let has_any = all.peek().is_some();
        all.all(|replica| replica.has_failed_since(time))
            && (has_any || self.looked_up.is_some_and(|at| at >= time))
    }
}

/// Whether the server reported that it did not process the request because it was closing (RFC 9113 §6.8, §8.7).
fn was_refused(error: &(dyn Error + 'static)) -> bool {
    if let Some(error) = error.downcast_ref::<h2::Error>() {
        let reason = error.reason();
        return error.is_remote()
            && (error.is_go_away() && reason == Some(h2::Reason::NO_ERROR)
                || error.is_reset() && reason == Some(h2::Reason::REFUSED_STREAM));
    }
    error.source().is_some_and(was_refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(replicas: &[Arc<Replica>]) -> Vec<SocketAddr> {
        replicas.iter().map(|replica| replica.address).collect()
    }

    #[test]
    fn changed_addresses_are_used_and_unchanged_ones_keep_their_connection() {
        let Balance(replicas) = Balance::new(Uri::default(), Hosts::default(), Resolver::system());
        let [old, kept, new] = [1, 2, 3].map(|host| SocketAddr::from(([10, 0, 0, host], 7000)));
        let known = || replicas.known.read().expect("the lock is not poisoned").replicas.clone();
        replicas.set_addresses(Some(vec![kept, old, kept]), None);
        let before = known();
        assert_eq!(addresses(&before), [old, kept]);
        replicas.set_addresses(None, Some(vec![new]));
        assert_eq!(addresses(&known()), [old, kept]);
        replicas.set_addresses(Some(vec![new, kept]), None);
        let after = known();
        assert_eq!(addresses(&after), [kept, new]);
        assert!(Arc::ptr_eq(&before[1], &after[0]));
    }

    #[tokio::test]
    async fn a_name_resolved_5_seconds_ago_is_resolved_again_at_the_next_call() {
        let hosts = Hosts { replicas: vec!["127.0.0.1:7000".to_owned()], fallbacks: Vec::new() };
        let Balance(replicas) = Balance::new(Uri::default(), hosts, Resolver::system());
        let old = SocketAddr::from(([10, 0, 0, 1], 7000));
        replicas.set_addresses(Some(vec![old]), None);
        assert_eq!(addresses(&replicas.known_addresses().replicas), [old]);
        assert!(!replicas.looking_up.load(Ordering::Relaxed));
        replicas.known.write().expect("the lock is not poisoned").looked_up =
            Instant::now().checked_sub(Duration::from_secs(5));
        assert_eq!(addresses(&replicas.known_addresses().replicas), [old]);
        while replicas.looking_up.load(Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
        assert_eq!(
            addresses(&replicas.known_addresses().replicas),
            [SocketAddr::from(([127, 0, 0, 1], 7000))]
        );
    }
}
