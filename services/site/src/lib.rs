//! The static service: what web/ builds, with its statuses and headers.
//!
//! Everything it can answer is read into memory at start: a few megabytes that never change under a visitor's feet, and
//! no path that a stranger sends ever reaches the file system.

mod answer;
pub mod config;
mod file;
#[doc(hidden)]
pub mod fuzzing;
mod pattern;
mod security;
mod tree;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::any;
use kit::Failure;
use kit::shutdown::Shutdown;
use kit::trace::ServerTrace;

use config::Command;
use tree::Tree;

/// Nothing here waits for anything.
const LIMIT: Duration = Duration::from_secs(10);

/// The whole process.
pub async fn run(command: Command) -> Result<(), Failure> {
    let Command::Serve(config) = command;
    let shutdown = Shutdown::on_signals()?;
    let app = app(&config.root, config.https)?;
    let listener = kit::config::bind(config.listen).await?;
    kit::serve::http(&config.server, listener, app, shutdown).await
}

/// The site that was built into the folder `root`; `https` says whether people reach it that way.
pub fn app(root: &Path, https: bool) -> Result<Router, Failure> {
    let tree = Arc::new(Tree::read(root)?);
    let mut router = Router::new();
    // One handler answers everything; the routes are names for traces.
    for template in tree.templates() {
        router = router.route(&template, any(answer::answer));
    }
    let security = security::headers(https);
    Ok(router
        .fallback(answer::answer)
        .with_state(tree)
        .layer(map_response(move |mut response: Response| {
            response.headers_mut().extend(security.clone());
            async { response }
        }))
        .layer(ServerTrace::new(LIMIT)))
}
