//! Servers: gRPC between the services, HTTP towards people. Both answer the probes and end in the same order.
//!
//! After SIGTERM a server is not ready, and goes on accepting for `drain_delay` until balancers have noticed. Then it stops
//! accepting and finishes requests and background tasks. What still runs `drain_limit` later is cut.

mod connection;
mod grpc;
mod http;
mod linger;
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

/// Nothing between our services takes longer to begin its answer, whatever the caller asks for.
const GRPC_LIMIT: Duration = Duration::from_secs(10);

/// Whether balancers should send requests here: from the moment the server serves until it is told to end.
///
/// It does not follow the database: with that gone every replica would leave at once, and nobody would be left to
/// say 502.
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

/// `/livez`: the process runs. `/readyz`: it wants requests. Not ready is 500, as 503 means maintenance and nothing
/// else.
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

/// Waits for the end, says 'not ready', and goes on serving for the drain's delay.
async fn drained(config: &config::Serve, readiness: &Readiness, shutdown: &Shutdown) {
    shutdown.wait().await;
    readiness.set(false);
    tracing::info!("draining");
    tokio::time::sleep(config.drain_delay).await;
}
