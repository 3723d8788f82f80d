//! Parts of a response that come from other services. Each has a permit of its own service.

use std::time::Duration;

use http::Method;
use kit::error::Code;

use crate::Edge;
use crate::bulkhead::{Bulkhead, Part};
use crate::closure::Scope;
use crate::error::Error;

/// Longest time for an optional part, including the wait for its permit.
const OPTIONAL_PART_TIMEOUT: Duration = Duration::from_secs(3);

/// Loads a part. Fails while it is closed for maintenance.
pub(crate) async fn load<Body>(
    edge: &Edge,
    bulkhead: Bulkhead,
    scope: Scope,
    loading: impl Future<Output = Result<Body, Error>>,
) -> Result<Body, Error> {
    if is_closed(edge, scope) {
        return Err(Error::Upstream(Code::Unavailable.into()));
    }
    let _permit = edge.bulkheads().acquire(bulkhead).await?;
    loading.await
}

/// Loads a part without which the response is still useful. `None` if that fails, takes too long or is closed for
/// maintenance.
pub(crate) async fn load_optional<Body>(
    edge: &Edge,
    part: Part,
    scope: Scope,
    loading: impl Future<Output = Result<Body, Error>>,
) -> Option<Body> {
    if is_closed(edge, scope) {
        return None;
    }
    let loaded =
        tokio::time::timeout(OPTIONAL_PART_TIMEOUT, load(edge, Bulkhead::Requests(part), scope, loading));
    let loaded = loaded.await.unwrap_or(Err(Error::DeadlineExceeded));
    loaded.inspect_err(|error| tracing::warn!(?part, %error, "a part of a response is missing")).ok()
}

fn is_closed(edge: &Edge, scope: Scope) -> bool {
    edge.maintenance().closes(Some(scope), &Method::GET)
}
