//! The only way to call another service: a channel with a deadline and a trace on every call.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderValue, Request, Response, Uri};
use http_body_util::{BodyExt as _, Collected, Full, StreamBody};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::Instant;
use tonic::body::Body;
use tonic::transport::Endpoint;
use tower::{Layer, Service, ServiceBuilder, ServiceExt as _, service_fn};

use crate::Failure;
use crate::deadline::{self, MARGIN};
use crate::trace::ClientTrace;

/// How long a service that refuses connections is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is tried meanwhile.
const BETWEEN_DIALS: Duration = Duration::from_millis(20);

/// How often a request that did not get onto its connection is sent again.
const RESENDS: usize = 3;

/// A channel to one service. Cheap to clone; connects when it is first used and again whenever that is needed.
pub type Channel = <ClientTrace as Layer<DeadlineService<ResendService<tonic::transport::Channel>>>>::Service;

/// Dials `url`, e.g. `http://lms:7000`, lazily.
///
/// A call made while a request is served gets what is left of that request's time less 200 ms, both on the wire
/// (`grpc-timeout`) and here, should the other side have gone quiet. One that refuses connections is waited for, 2 s at
/// most, as it may be in the middle of a restart.
pub fn channel(url: &str) -> Result<Channel, Failure> {
    let endpoint = Endpoint::from_shared(url.to_owned())
        .map_err(|_| format!("'{url}' is not the address of a service, like http://lms:7000"))?
        .connect_timeout(PATIENCE + Duration::from_secs(1))
        // Slower than any deadline: a service gone quiet is out of time (504), not down (502).
        .http2_keep_alive_interval(Duration::from_secs(15))
        .keep_alive_timeout(Duration::from_secs(10))
        .keep_alive_while_idle(true);
    let trace = ClientTrace::new(endpoint.uri());
    let refused_since = Arc::new(Mutex::new(None));
    #[expect(clippy::disallowed_methods, reason = "the one place that dials")]
    let transport =
        endpoint.connect_with_connector_lazy(service_fn(move |uri| dial(uri, refused_since.clone())));
    Ok(ServiceBuilder::new()
        .layer(trace)
        .layer_fn(|inner| DeadlineService { inner })
        .layer_fn(|inner| ResendService { inner })
        .service(transport))
}

/// Connects. A refusal means that the service is just being restarted more often than that it is gone: what has not
/// been sent yet can wait for it. Calls wait for one dial after the other, so the patience is theirs together: once a
/// service has refused for so long, each is told at once.
async fn dial(uri: Uri, refused_since: Arc<Mutex<Option<Instant>>>) -> io::Result<TokioIo<TcpStream>> {
    let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let port = uri.port_u16().unwrap_or(80);
    loop {
        match TcpStream::connect((host, port)).await {
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                let since = *lock(&refused_since).get_or_insert_with(Instant::now);
                if since.elapsed() >= PATIENCE {
                    return Err(error);
                }
                tokio::time::sleep(BETWEEN_DIALS).await;
            }
            Err(error) => return Err(error),
            Ok(stream) => {
                *lock(&refused_since) = None;
                stream.set_nodelay(true)?;
                return Ok(TokioIo::new(stream));
            }
        }
    }
}

fn lock(refused_since: &Mutex<Option<Instant>>) -> MutexGuard<'_, Option<Instant>> {
    refused_since.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts the deadline of the work under way on a call.
#[derive(Clone, Debug)]
pub struct DeadlineService<Inner> {
    inner: Inner,
}

impl<Inner> Service<Request<Body>> for DeadlineService<Inner>
where
    Inner: Service<Request<Body>, Response = Response<Body>>,
    Inner::Future: Send + 'static,
    Inner::Error: Error + Send + 'static,
{
    type Response = Response<Body>;
    type Error = Inner::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Inner::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let Some(left) = deadline::left() else {
            return Box::pin(self.inner.call(request));
        };
        let left = left.saturating_sub(MARGIN);
        // At most eight digits, as the protocol wants: milliseconds reach for a day.
        if let Ok(timeout) = HeaderValue::from_str(&format!("{}m", left.as_millis().min(86_400_000))) {
            request.headers_mut().insert("grpc-timeout", timeout);
        }
        let call = self.inner.call(request);
        Box::pin(async move {
            match tokio::time::timeout(left, call).await {
                // The transport keeps an eye on the header too, and may be the first to notice.
                Ok(Err(error)) if !timed_out(&error) => Err(error),
                Ok(Ok(answer)) => Ok(answer),
                Ok(Err(_)) | Err(_) => Ok(tonic::Status::deadline_exceeded("no answer in time").into_http()),
            }
        })
    }
}

/// Sends a request again that its connection never took, because the other side had just said goodbye. One that may
/// have arrived is never sent twice.
#[derive(Clone, Debug)]
pub struct ResendService<Inner> {
    inner: Inner,
}

impl<Inner> Service<Request<Body>> for ResendService<Inner>
where
    Inner: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    Inner::Future: Send + 'static,
    Inner::Error: Error + Send + 'static,
{
    type Response = Response<Body>;
    type Error = Inner::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Inner::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // The one that was found ready; a clone of it may not be.
        let fresh = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, fresh);
        Box::pin(async move {
            let (head, body) = request.into_parts();
            // Our calls have one small message each. One that can't be written fails where it is read.
            let body = body.collect().await.map(Collected::to_bytes);
            let mut left = RESENDS;
            loop {
                let body = body.clone().map_or_else(
                    |status| Body::new(StreamBody::new(tokio_stream::once(Err(status)))),
                    |body| Body::new(Full::new(body)),
                );
                match inner.call(Request::from_parts(head.clone(), body)).await {
                    Err(error) if left > 0 && was_never_sent(&error) => left -= 1,
                    answer => return answer,
                }
                inner.ready().await?;
            }
        })
    }
}

/// hyper says 'canceled' of a request that waited for a connection that then closed.
fn was_never_sent(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_canceled)
        || error.source().is_some_and(was_never_sent)
}

fn timed_out(error: &(dyn Error + 'static)) -> bool {
    error.is::<tonic::TimeoutExpired>() || error.source().is_some_and(timed_out)
}
