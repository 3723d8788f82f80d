//! Calls spread over the replicas of a service.

use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, Uri, request, uri};
use http_body_util::{BodyExt as _, Full};
use tokio::net::lookup_host;
use tokio::time::{Instant, sleep};
use tonic::Status;
use tonic::body::Body;
use tower::Service;

use super::replica::Replica;
use crate::error::chain;
use crate::task;

/// How long a service none of whose replicas takes a connection is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long to rest before they are tried anew.
const BETWEEN_ROUNDS: Duration = Duration::from_millis(20);
/// How often a request may meet a connection that is just being closed.
const RESENDS: usize = 3;
/// While there are calls, names are looked up this often: a new replica has its share within 10 s, though a cluster's
/// name server may be 5 s behind.
const KNOWN_FOR: Duration = Duration::from_secs(3);

/// Sends each request to the replica of a service with the fewest under way.
///
/// A request that no connection took, because nobody listened or the other side had just said goodbye, goes to another
/// replica; one that may have arrived is never sent twice. When none takes it they are tried anew for 2 s, as the
/// service may be in the middle of a restart. What fails for good is answered as unavailable.
#[derive(Clone, Debug)]
pub struct Balance(Arc<Replicas>);

#[derive(Debug)]
struct Replicas {
    /// Whom requests are for, as they say it.
    origin: Uri,
    /// `host:port` each; a name may have several addresses.
    hosts: Vec<String>,
    known: RwLock<Known>,
    looking_up: AtomicBool,
    /// Where the next choice begins, so that equals take turns.
    turn: AtomicUsize,
    /// Since when none could be reached. The patience is for all calls together: they wait for one connection.
    unreachable_since: Mutex<Option<Instant>>,
}

/// The addresses behind the hosts.
#[derive(Clone, Debug, Default)]
struct Known {
    replicas: Arc<[Arc<Replica>]>,
    looked_up: Option<Instant>,
}

impl Balance {
    /// Over every address behind `hosts`, for requests to `origin`.
    pub(super) fn new(origin: Uri, hosts: Vec<String>) -> Self {
        Self(Arc::new(Replicas {
            origin,
            hosts,
            known: RwLock::default(),
            looking_up: AtomicBool::new(false),
            turn: AtomicUsize::new(0),
            unreachable_since: Mutex::default(),
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
        // Our calls have one small message each, kept in case it must be sent again.
        let body = body.collect().await?.to_bytes();
        let mut resends = 0;
        loop {
            match self.round(&head, &body).await {
                Round::Answered(answer) => return Ok(answer),
                Round::Refused(_) if resends < RESENDS => resends += 1,
                Round::Refused(error) | Round::Broken(error) => return Err(self.unavailable(&error)),
                Round::Unreachable(error) => {
                    if self.unreachable_for() >= PATIENCE {
                        return Err(self.unavailable(&error));
                    }
                    sleep(BETWEEN_ROUNDS).await;
                }
            }
        }
    }

    /// Tries one replica after the other until one takes the request.
    async fn round(self: &Arc<Self>, head: &request::Parts, body: &Bytes) -> Round {
        let replicas = match self.replicas().await {
            Ok(replicas) => replicas,
            Err(error) => return Round::Unreachable(error),
        };
        let mut tried = Vec::new();
        let mut last_error = io::ErrorKind::AddrNotAvailable.into();
        while let Some(replica) = self.choose(&replicas, &tried) {
            let mut sender = match replica.sender().await {
                Ok(sender) => sender,
                Err(error) => {
                    last_error = error;
                    tried.push(replica.address);
                    continue;
                }
            };
            *self.unreachable_since.lock().unwrap_or_else(PoisonError::into_inner) = None;
            let _under_way = replica.under_way();
            let request = Request::from_parts(head.clone(), Body::new(Full::new(body.clone())));
            return match sender.try_send_request(request).await {
                Ok(answer) => Round::Answered(answer.map(Body::new)),
                Err(mut error) => {
                    let unsent = error.take_message().is_some();
                    let error = error.into_error();
                    if unsent || was_refused(&error) { Round::Refused(error) } else { Round::Broken(error) }
                }
            };
        }
        Round::Unreachable(last_error)
    }

    fn choose<'a>(&self, replicas: &'a [Arc<Replica>], tried: &[SocketAddr]) -> Option<&'a Arc<Replica>> {
        let start = self.turn.fetch_add(1, Ordering::Relaxed) % replicas.len().max(1);
        let (passed, coming) = replicas.split_at(start);
        let untried = coming.iter().chain(passed).filter(|replica| !tried.contains(&replica.address));
        untried.min_by_key(|replica| replica.load())
    }

    /// The replicas there are, looked up before the first call and again beside later ones.
    async fn replicas(self: &Arc<Self>) -> io::Result<Arc<[Arc<Replica>]>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        match known.looked_up {
            None => self.look_up().await,
            Some(at) => {
                if at.elapsed() > KNOWN_FOR && !self.looking_up.swap(true, Ordering::Relaxed) {
                    let this = self.clone();
                    task::spawn("lookup", async move {
                        if let Err(error) = this.look_up().await {
                            tracing::warn!(service = %this.origin, %error, "the replicas known so far are kept");
                        }
                        this.looking_up.store(false, Ordering::Relaxed);
                    });
                }
                Ok(known.replicas)
            }
        }
    }

    async fn look_up(&self) -> io::Result<Arc<[Arc<Replica>]>> {
        let mut addresses = Vec::new();
        for host in &self.hosts {
            addresses.extend(lookup_host(host).await?);
        }
        Ok(self.know(addresses))
    }

    /// Takes these for the replicas there are. One that was known keeps its connection and its calls under way.
    fn know(&self, mut addresses: Vec<SocketAddr>) -> Arc<[Arc<Replica>]> {
        addresses.sort_unstable();
        addresses.dedup();
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let old = |address| known.replicas.iter().find(|replica| replica.address == address).cloned();
        let replicas: Arc<[_]> = addresses
            .into_iter()
            .map(|address| old(address).unwrap_or_else(|| Arc::new(Replica::new(address))))
            .collect();
        *known = Known { replicas: replicas.clone(), looked_up: Some(Instant::now()) };
        replicas
    }

    fn unreachable_for(&self) -> Duration {
        let mut since = self.unreachable_since.lock().unwrap_or_else(PoisonError::into_inner);
        since.get_or_insert_with(Instant::now).elapsed()
    }

    fn unavailable(&self, error: &(dyn Error + 'static)) -> Status {
        Status::unavailable(format!("{}: {}", self.origin, chain(error)))
    }

    /// A path of the service as HTTP/2 wants it.
    fn absolute(&self, path: &Uri) -> Uri {
        let mut parts = uri::Parts::from(self.origin.clone());
        parts.path_and_query = path.path_and_query().cloned();
        // The origin has a scheme and an authority; where a call has no path, so be it.
        Uri::from_parts(parts).unwrap_or_else(|_| self.origin.clone())
    }
}

/// Whether the other side said that it has not looked at the request: it was saying goodbye (RFC 9113 §6.8, §8.7).
fn was_refused(error: &(dyn Error + 'static)) -> bool {
    if let Some(error) = error.downcast_ref::<h2::Error>() {
        let reason = error.reason();
        return error.is_remote()
            && (error.is_go_away() && reason == Some(h2::Reason::NO_ERROR)
                || error.is_reset() && reason == Some(h2::Reason::REFUSED_STREAM));
    }
    error.source().is_some_and(was_refused)
}

/// What came of offering a request to the replicas.
enum Round {
    Answered(Response<Body>),
    /// It may have been done; nobody knows.
    Broken(hyper::Error),
    /// It was surely not done: the connection was just being closed.
    Refused(hyper::Error),
    /// No replica took a connection.
    Unreachable(io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_has_other_addresses_leads_to_those_and_keeps_what_it_had() {
        let Balance(replicas) = Balance::new(Uri::default(), Vec::new());
        let [old, kept, new] = [1, 2, 3].map(|host| SocketAddr::from(([10, 0, 0, host], 7000)));
        let before = replicas.know(vec![kept, old, kept]);
        assert_eq!(before.iter().map(|replica| replica.address).collect::<Vec<_>>(), [old, kept]);
        let after = replicas.know(vec![new, kept]);
        assert_eq!(after.iter().map(|replica| replica.address).collect::<Vec<_>>(), [kept, new]);
        assert!(Arc::ptr_eq(&before[1], &after[0]));
        let turns = [(); 2].map(|()| replicas.choose(&after, &[]).map(|replica| replica.address));
        assert!(turns.contains(&Some(kept)) && turns.contains(&Some(new)));
    }

    #[tokio::test]
    async fn a_name_known_for_5_seconds_is_looked_up_again_beside_the_next_call() {
        let Balance(replicas) = Balance::new(Uri::default(), vec!["127.0.0.1:7000".to_owned()]);
        let old = SocketAddr::from(([10, 0, 0, 1], 7000));
        replicas.know(vec![old]);
        let addresses = async || {
            let known = replicas.replicas().await.expect("some are known");
            known.iter().map(|replica| replica.address).collect::<Vec<_>>()
        };
        assert_eq!(addresses().await, [old]);
        assert!(!replicas.looking_up.load(Ordering::Relaxed));
        // A cluster's name server may be 5 s behind, which leaves as many of the 10 s.
        replicas.known.write().expect("nobody panicked").looked_up =
            Instant::now().checked_sub(Duration::from_secs(5));
        assert_eq!(addresses().await, [old]);
        while replicas.looking_up.load(Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
        assert_eq!(addresses().await, [SocketAddr::from(([127, 0, 0, 1], 7000))]);
    }
}
