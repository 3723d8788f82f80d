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

/// Shows the metrics at the address that `config` names, if it does, for as long as what is given back lives.
pub(super) async fn serve_metrics(config: &config::Serve) -> Result<Showing, Failure> {
    let showing = Showing(Shutdown::default());
    if let Some(address) = config.metrics_listen {
        metrics::begin();
        let listener = TcpListener::bind(address).await.map_err(|error| {
            format!("cannot show metrics on {address}: {error}; choose another METRICS_LISTEN")
        })?;
        tracing::info!(address = %listener.local_addr()?, "showing metrics");
        let app = Router::new().route("/metrics", get(answer));
        spawn_untracked("metrics", serve_until(listener, app, showing.0.wait()));
    }
    Ok(showing)
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

/// Metrics are shown until this is dropped.
pub(super) struct Showing(Shutdown);

impl Drop for Showing {
    fn drop(&mut self) {
        self.0.begin();
    }
}
