//! The server of a service: gRPC, its health, and the probes over plain HTTP on the same port.

use axum::Router;
use futures_util::TryStreamExt as _;
use http::StatusCode;
use tokio::net::TcpListener;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;

use super::linger::Linger;
use super::{GRPC_LIMIT, Readiness, drained, probes};
use crate::caller::Callers;
use crate::shutdown::Shutdown;
use crate::trace::ServerTrace;
use crate::{Failure, config, metrics};

/// The name under which `grpc.health.v1` answers for liveness; the empty name is readiness.
const LIVENESS: &str = "liveness";

/// Serves `services` (gRPC) and `http` (what a service shows beside it) on `listener` until `shutdown`. `callers` says who
/// may call; probes, health and `http` are open to everybody.
///
/// Streams must end by themselves at `shutdown`: they are cut `drain_limit` after it like everything else.
pub async fn grpc(
    config: &config::Serve,
    listener: TcpListener,
    callers: Callers,
    services: Routes,
    http: Router,
    shutdown: Shutdown,
) -> Result<(), Failure> {
    let readiness = Readiness::default();
    let (health, health_service) = tonic_health::server::health_reporter();
    health.set_service_status(LIVENESS, ServingStatus::Serving).await;
    health.set_service_status("", ServingStatus::Serving).await;
    // Probes and health stand outside the trace layer: a span every second would say nothing. A fallback of our own:
    // without one, unknown paths answer 200 with a gRPC status.
    let router = callers
        .guard(services.into_axum_router())
        .merge(http)
        .fallback(|| async { StatusCode::NOT_FOUND })
        .layer(ServerTrace::grpc(GRPC_LIMIT))
        .merge(Routes::new(health_service).into_axum_router().reset_fallback())
        .merge(probes(&readiness));
    let address = listener.local_addr()?;
    tracing::info!(%address, "serving");
    let _metrics = metrics::serve(config).await?;
    readiness.set(true);

    let stop = Shutdown::default();
    let connections = TcpIncoming::from(listener).with_nodelay(Some(true));
    let serving = Server::builder()
        .accept_http1(true)
        .timeout(GRPC_LIMIT)
        .http2_max_header_list_size(16 * 1024)
        .serve_with_incoming_shutdown(
            Routes::from(router).prepare(),
            connections.map_ok(Linger::new),
            stop.wait(),
        );
    tokio::pin!(serving);
    let leaving = async {
        shutdown.wait().await;
        health.set_service_status("", ServingStatus::NotServing).await;
        drained(config, &readiness, &shutdown).await;
    };
    tokio::select! {
        ended = &mut serving => return Ok(ended?),
        () = leaving => {}
    }
    stop.begin();
    let Ok(ended) = tokio::time::timeout(config.drain_limit, serving).await else {
        tracing::warn!("requests were cut at the drain's limit");
        return Ok(());
    };
    Ok(ended?)
}
