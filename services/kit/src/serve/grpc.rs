//! The server of a service: gRPC, its health, and the probes over plain HTTP on the same port.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Body;
use futures_util::TryStreamExt as _;
use http::{HeaderName, HeaderValue, Request, StatusCode};
use tokio::net::TcpListener;
use tokio::time::{Instant, timeout_at};
use tokio_util::task::AbortOnDropHandle;
use tonic::Status;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use tower::{ServiceExt as _, service_fn};

use super::graceful_close::GracefulClose;
use super::metrics::serve_metrics;
use super::{GRPC_LIMIT, Readiness, probes, wait_for_drain};
use crate::caller::Callers;
use crate::shutdown::Shutdown;
use crate::trace::ServerTrace;
use crate::{Failure, config, spawn};

/// The name under which `grpc.health.v1` answers for liveness; the empty name is readiness.
const LIVENESS: &str = "liveness";
/// The header of an answer to a call that was not processed, because the server is not ready yet.
pub(crate) const NOT_READY: HeaderName = HeaderName::from_static("konomana-not-ready");

/// A gRPC server that listens and answers the probes: alive, but not ready.
///
/// Other calls are answered with UNAVAILABLE until [`serve`](Self::serve), so that a service can wait for its database
/// in between.
pub struct GrpcServer {
    config: config::Serve,
    routes: Arc<OnceLock<Router>>,
    readiness: Readiness,
    health: HealthReporter,
    shutdown: Shutdown,
    /// Stops accepting connections.
    stop: Shutdown,
    accepting: AbortOnDropHandle<Result<(), tonic::transport::Error>>,
    address: SocketAddr,
}

impl GrpcServer {
    /// Listens until `shutdown`.
    pub async fn start(
        config: &config::Serve,
        listener: TcpListener,
        shutdown: Shutdown,
    ) -> Result<Self, Failure> {
        let readiness = Readiness::default();
        let (health, health_service) = tonic_health::server::health_reporter();
        health.set_service_status(LIVENESS, ServingStatus::Serving).await;
        health.set_service_status("", ServingStatus::NotServing).await;
        let routes = Arc::<OnceLock<Router>>::default();
        // No trace layer: the probes need no spans.
        let endpoints = Routes::new(health_service)
            .into_axum_router()
            .reset_fallback()
            .merge(probes(&readiness))
            .fallback_service(service_fn(answer_when_ready(&routes)));
        let address = listener.local_addr()?;
        let connections = TcpIncoming::from(listener).with_nodelay(Some(true));
        let stop = Shutdown::default();
        let accepting = Server::builder()
            .accept_http1(true)
            .timeout(GRPC_LIMIT)
            .http2_max_header_list_size(16 * 1024)
            .serve_with_incoming_shutdown(
                Routes::from(endpoints).prepare(),
                connections.map_ok(GracefulClose::new),
                stop.wait(),
            );
        tracing::info!(%address, "listening");
        Ok(Self {
            config: config.clone(),
            routes,
            readiness,
            health,
            shutdown,
            stop,
            accepting: spawn::spawn_owned(accepting),
            address,
        })
    }

    /// The result of `preparation`; `None` if the shutdown begins first, with nothing to drain.
    pub async fn prepare<Preparation, Prepared>(
        &self,
        preparation: Preparation,
    ) -> Result<Option<Prepared>, Failure>
    where
        Preparation: Future<Output = Result<Prepared, Failure>>,
    {
        tokio::select! {
            prepared = preparation => prepared.map(Some),
            () = self.shutdown.wait() => Ok(None),
        }
    }

    /// Serves `services` (gRPC) and `http` (other endpoints of the service) until the shutdown, then waits for its
    /// tasks. `callers` has the allowed callers. Probes, health and `http` need no caller.
    ///
    /// Streams and tasks must end at the shutdown. Whatever still runs `drain_limit` after the server stopped accepting
    /// is cut, like requests.
    pub async fn serve(self, callers: Callers, services: Routes, http: Router) -> Result<(), Failure> {
        // Without this fallback, unknown paths are answered with 200 and a gRPC status.
        let router = callers
            .guard(services.into_axum_router())
            .merge(http)
            .fallback(|| async { StatusCode::NOT_FOUND })
            .layer(ServerTrace::grpc(GRPC_LIMIT));
        // Set once: `serve` consumes the server.
        let _ = self.routes.set(router);
        tracing::info!(address = %self.address, "serving");
        let _metrics = serve_metrics(&self.config).await?;
        self.health.set_service_status("", ServingStatus::Serving).await;
        self.readiness.set(true);

        let mut accepting = self.accepting;
        let leaving = async {
            self.shutdown.wait().await;
            self.health.set_service_status("", ServingStatus::NotServing).await;
            wait_for_drain(&self.config, &self.readiness, &self.shutdown).await;
        };
        tokio::select! {
            ended = &mut accepting => return Ok(ended??),
            () = leaving => {}
        }
        self.stop.begin();
        let deadline = Instant::now() + self.config.drain_limit;
        let ended = timeout_at(deadline, accepting).await;
        if ended.is_err() {
            tracing::warn!("requests were cut at the drain limit");
        }
        self.shutdown.tasks().finish(deadline).await;
        Ok(ended.unwrap_or(Ok(Ok(())))??)
    }
}

/// Calls the routes once they are set. Until then answers UNAVAILABLE with [`NOT_READY`], so that callers try another
/// replica.
fn answer_when_ready(
    routes: &Arc<OnceLock<Router>>,
) -> impl Fn(Request<Body>) -> AnswerFuture + Clone + Send + Sync + 'static {
    let routes = routes.clone();
    move |request| {
        let routes = routes.get().cloned();
        Box::pin(async move {
            if let Some(routes) = routes {
                return routes.oneshot(request).await;
            }
            let mut answer = Status::unavailable("not ready yet").into_http();
            answer.headers_mut().insert(NOT_READY, HeaderValue::from_static("1"));
            Ok(answer)
        })
    }
}

type AnswerFuture = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

/// [`GrpcServer::start`] and [`GrpcServer::serve`] in one, for a service with nothing to prepare.
pub async fn grpc(
    config: &config::Serve,
    listener: TcpListener,
    callers: Callers,
    services: Routes,
    http: Router,
    shutdown: Shutdown,
) -> Result<(), Failure> {
    GrpcServer::start(config, listener, shutdown).await?.serve(callers, services, http).await
}
