//! Serves the static files that web/ builds.
//!
//! All files (a few megabytes) are read into memory at start. No request path reaches the file system.

mod answer;
pub mod config;
mod file;
#[doc(hidden)]
pub mod fuzzing;
mod pattern;
mod security;
mod tree;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::any;
use kit::Failure;
use kit::metrics::{HTTP_SERVER, Metric, PROCESS};
use kit::shutdown::Shutdown;
use kit::trace::ServerTrace;

use config::Command;
use tree::Tree;

/// Timeout of a request.
const LIMIT: Duration = Duration::from_secs(10);

/// All metrics of the process.
pub const METRICS: &[&[Metric]] = &[PROCESS, HTTP_SERVER];

/// Runs the `site` command and returns its exit code. See [`kit::run`].
#[must_use]
pub fn main() -> ExitCode {
    kit::run("site", METRICS, run)
}

/// Runs a command.
async fn run(command: Command) -> Result<(), Failure> {
    let Command::Serve(config) = command;
    let shutdown = Shutdown::on_signals()?;
    let app = app(&config.root, config.https)?;
    let listener = kit::config::bind(config.listen).await?;
    kit::serve::http(&config.server, listener, app, shutdown).await
}

/// The router of the site in the folder `root`. `https`: whether visitors use HTTPS.
///
/// # Errors
///
/// If the folder is not a complete build.
pub fn app(root: &Path, https: bool) -> Result<Router, Failure> {
    let tree = Arc::new(Tree::load(root)?);
    let mut router = Router::new();
    // All routes have the same handler; they name the spans of traces.
    for template in tree.list_templates() {
        router = router.route(&template, any(answer::answer_request));
    }
    let security = security::build_headers(https);
    Ok(router
        .fallback(answer::answer_request)
        .with_state(tree)
        .layer(map_response(move |mut response: Response| {
            response.headers_mut().extend(security.clone());
            async { response }
        }))
        .layer(ServerTrace::new(LIMIT)))
}
