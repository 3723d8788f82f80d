//! Servers: gRPC for services, HTTP for browsers. Both answer the probes and shut down in the same order.
//!
//! After SIGTERM a server is not ready, and goes on accepting for `drain_delay` until balancers have noticed. Then it stops
//! accepting and finishes requests and background tasks. What still runs `drain_limit` later is cut.

mod connection;
mod graceful_close;
mod grpc;
mod http;
mod metrics;
mod stall;

pub use connection::CONNECTIONS;
pub(crate) use grpc::NOT_READY;
pub use grpc::{GrpcServer, grpc};
pub use http::http;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ::http::StatusCode;
use axum::Router;
use axum::routing::get;

use crate::config;
use crate::shutdown::Shutdown;

/// Time limit to the head of a gRPC answer, whatever deadline the caller sets.
const GRPC_LIMIT: Duration = Duration::from_secs(10);

/// Whether load balancers should send requests here: from the start of serving until the shutdown.
///
/// It does not depend on the database: otherwise all replicas would become not ready at once, and none could answer
/// 502.
#[derive(Clone, Default)]
struct Readiness(Arc<AtomicBool>);

impl Readiness {
    fn set(&self, ready: bool) {
        self.0.store(ready, Ordering::Relaxed);
    }

    fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// `/livez`: the process runs. `/readyz`: it accepts requests. Not ready is 500, because 503 means maintenance.
fn probes(readiness: &Readiness) -> Router {
    let readiness = readiness.clone();
    Router::new().route("/livez", get(|| async { "ok" })).route(
        "/readyz",
        get(move || {
            let ready = readiness.get();
            async move {
                if ready { (StatusCode::OK, "ok") } else { (StatusCode::INTERNAL_SERVER_ERROR, "not ready") }
            }
        }),
    )
}

/// Waits for the shutdown, sets 'not ready', and waits for `drain_delay`.
async fn wait_for_drain(config: &config::Serve, readiness: &Readiness, shutdown: &Shutdown) {
    shutdown.wait().await;
    readiness.set(false);
    tracing::info!("draining");
    tokio::time::sleep(config.drain_delay).await;
}
