//! `GET /metrics` for Prometheus, on a listener of its own.

use axum::Router;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::{StatusCode, header};
use tokio::net::TcpListener;

use super::connection::serve_until;
use crate::shutdown::Shutdown;
use crate::spawn::spawn_untracked;
use crate::{Failure, config, metrics};

const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Serves the metrics at the address in `config`, if there is one, until the returned server is dropped.
pub(super) async fn serve_metrics(config: &config::Serve) -> Result<MetricsServer, Failure> {
    let server = MetricsServer(Shutdown::default());
    if let Some(address) = config.metrics_listen {
        metrics::begin();
        let listener = TcpListener::bind(address).await.map_err(|error| {
            format!("cannot serve metrics on {address}: {error}; set another METRICS_LISTEN")
        })?;
        tracing::info!(address = %listener.local_addr()?, "showing metrics");
        let app = Router::new().route("/metrics", get(answer));
        spawn_untracked("metrics", serve_until(listener, app, server.0.wait()));
    }
    Ok(server)
}

async fn answer() -> Response {
    match metrics::text() {
        Ok(text) => ([(header::CONTENT_TYPE, MEDIA_TYPE)], text).into_response(),
        Err(error) => {
            tracing::error!(%error, "could not write the metrics");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// The server of the metrics. Ends when it is dropped.
pub(super) struct MetricsServer(Shutdown);

impl Drop for MetricsServer {
    fn drop(&mut self) {
        self.0.begin();
    }
}
