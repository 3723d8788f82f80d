//! The only way to call another service: one channel to all its replicas. Every call has a deadline, a trace and the
//! caller assertion.

mod balance;
mod replica;
mod resolver;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{HeaderValue, Request, Response, Uri};
use tonic::body::Body;
use tower::{Layer, Service, ServiceBuilder};

use crate::Failure;
use crate::caller::{HEADER, Person, Signer};
use crate::deadline::{self, MARGIN};
use crate::trace::ClientTrace;
use balance::{Balance, Hosts};
pub(crate) use resolver::Resolver;

/// A channel to one service. Cheap to clone. Connects at the first use and reconnects as needed.
///
/// Calls have no caller assertion, so every service refuses them, until the channel is [`signed`](Self::signed).
#[derive(Clone, Debug)]
pub struct Channel {
    inner: TracedService,
    signer: Option<Arc<Signer>>,
    person: Option<Person>,
}

type TracedService = <ClientTrace as Layer<DeadlineService<Balance>>>::Service;

impl Channel {
    /// The same channel with signed calls, for the service itself or a visitor who is not signed in.
    #[must_use]
    pub fn signed(self, signer: Signer) -> Self {
        Self { signer: Some(Arc::new(signer)), ..self }
    }

    /// The same channel for calls on behalf of a signed-in person.
    #[must_use]
    pub fn on_behalf_of(&self, person: Person) -> Self {
        Self { person: Some(person), ..self.clone() }
    }
}

impl Service<Request<Body>> for Channel {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = <TracedService as Service<Request<Body>>>::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        if let Some(signer) = &self.signer {
            let assertion = signer.sign(self.person.as_ref(), request.uri().path());
            request.headers_mut().insert(HEADER, assertion);
        }
        self.inner.call(request)
    }
}

/// Creates a channel to `urls`, e.g. `http://lms:7000`, which connects lazily. Several URLs are separated by commas.
///
/// Calls are spread over all addresses of these hosts. Addresses may change (a headless Service of Kubernetes). URLs
/// after a `;`, as in `http://lms:7000;http://lms-cluster-ip:7000`, are fallbacks: one address in front of all
/// replicas, used while no other address accepts a connection.
///
/// A call within a request gets the remaining time of that request minus 200 ms. It is sent on the wire
/// (`grpc-timeout`) and also enforced here, in case the receiver does not answer.
pub fn channel(urls: &str) -> Result<Channel, Failure> {
    channel_with(urls, Resolver::system())
}

/// See [`channel`].
pub(crate) fn channel_with(urls: &str, resolver: Resolver) -> Result<Channel, Failure> {
    let (replicas, fallbacks) = urls.split_once(';').unwrap_or((urls, ""));
    let origins = origins(replicas)?;
    let fallbacks = if fallbacks.is_empty() { Vec::new() } else { self::origins(fallbacks)? };
    let hosts = Hosts {
        replicas: origins.iter().map(authority).collect(),
        fallbacks: fallbacks.iter().map(authority).collect(),
    };
    // The first URL gives the origin, because all are replicas of one service.
    let origin = origins.into_iter().next().unwrap_or_default();
    let inner = ServiceBuilder::new()
        .layer(ClientTrace::new(&origin))
        .layer_fn(|inner| DeadlineService { inner })
        .service(Balance::new(origin, hosts, resolver));
    Ok(Channel { inner, signer: None, person: None })
}

fn origins(urls: &str) -> Result<Vec<Uri>, Failure> {
    urls.split(',').map(|url| origin(url.trim())).collect()
}

fn origin(url: &str) -> Result<Uri, Failure> {
    match url.parse::<Uri>() {
        Ok(uri) if uri.scheme_str() == Some("http") && uri.host().is_some() => Ok(uri),
        _ => Err(format!("'{url}' is not the address of a service, like http://lms:7000").into()),
    }
}

/// `host:port`.
fn authority(origin: &Uri) -> String {
    format!("{}:{}", origin.host().unwrap_or_default(), origin.port_u16().unwrap_or(80))
}

/// Sets the deadline of the current request on each call.
#[derive(Clone, Debug)]
pub struct DeadlineService<Inner> {
    inner: Inner,
}

impl<Inner> Service<Request<Body>> for DeadlineService<Inner>
where
    Inner: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    Inner::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let Some(left) = deadline::left() else {
            return Box::pin(self.inner.call(request));
        };
        let left = left.saturating_sub(MARGIN);
        // The protocol allows eight digits; in milliseconds that is more than a day.
        if let Ok(timeout) = HeaderValue::from_str(&format!("{}m", left.as_millis().min(86_400_000))) {
            request.headers_mut().insert("grpc-timeout", timeout);
        }
        let call = self.inner.call(request);
        Box::pin(async move {
            tokio::time::timeout(left, call)
                .await
                .unwrap_or_else(|_| Ok(tonic::Status::deadline_exceeded("no answer in time").into_http()))
        })
    }
}
