//! The server for browsers: HTTP/1.1 with limits against slow clients.

use axum::Router;
use axum::extract::Request;
use axum::routing::any;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::time::{Instant, timeout_at};
use tower::ServiceExt as _;

use super::connection::accept;
use super::metrics::serve_metrics;
use super::{Readiness, probes, wait_for_drain};
use crate::shutdown::Shutdown;
use crate::{Failure, config, spawn};

/// Serves `app` and the probes on `listener` until `shutdown`, and waits for its tasks. Handlers find the peer as `ConnectInfo<SocketAddr>`.
pub async fn http(
    config: &config::Serve,
    listener: TcpListener,
    app: Router,
    shutdown: Shutdown,
) -> Result<(), Failure> {
    spawn::on_worker(serve(config.clone(), listener, app, shutdown)).await?
}

async fn serve(
    config: config::Serve,
    listener: TcpListener,
    app: Router,
    shutdown: Shutdown,
) -> Result<(), Failure> {
    let readiness = Readiness::default();
    let app = direct_probes(&readiness, app);
    let graceful = GracefulShutdown::new();
    tracing::info!(address = %listener.local_addr()?, "serving");
    let _metrics = serve_metrics(&config).await?;
    readiness.set(true);
    accept(listener, app, &readiness, &graceful, wait_for_drain(&config, &readiness, &shutdown)).await?;
    let deadline = Instant::now() + config.drain_limit;
    if timeout_at(deadline, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests were cut at the drain limit");
    }
    shutdown.tasks().finish(deadline).await;
    Ok(())
}

/// Answers the probes of direct clients, such as the kubelet, before `app`.
///
/// A request through a gateway has `X-Forwarded-For` and goes to `app`, so probes are not public.
fn direct_probes(readiness: &Readiness, app: Router) -> Router {
    let probes = probes(readiness);
    let public = app.clone();
    let choose = move |request: Request| {
        let is_direct = !request.headers().contains_key("x-forwarded-for");
        if is_direct { probes.clone() } else { public.clone() }.oneshot(request)
    };
    Router::new().route("/livez", any(choose.clone())).route("/readyz", any(choose)).fallback_service(app)
}
