//! Parts of a response that come from other services. Each has a permit of its own service and a time limit.

use std::time::Duration;

use http::Method;
use kit::error::Code;

use crate::Edge;
use crate::bulkhead::{Bulkhead, Part};
use crate::closure::Scope;
use crate::error::Error;

/// Longest time for one part, including the wait for its permit.
const PART_TIMEOUT: Duration = Duration::from_secs(3);

/// Loads a part. Fails if it takes too long, and while it is closed for maintenance.
pub(crate) async fn load<Body>(
    edge: &Edge,
    bulkhead: Bulkhead,
    scope: Scope,
    loading: impl Future<Output = Result<Body, Error>>,
) -> Result<Body, Error> {
    if edge.maintenance().closes(Some(scope), &Method::GET) {
        return Err(Error::Upstream(Code::Unavailable.into()));
    }
    let loaded = tokio::time::timeout(PART_TIMEOUT, async {
        let _permit = edge.bulkheads().acquire(bulkhead).await?;
        loading.await
    });
    loaded.await.unwrap_or(Err(Error::DeadlineExceeded))
}

/// Loads a part without which the response is still useful. `None` if that fails.
pub(crate) async fn load_optional<Body>(
    edge: &Edge,
    part: Part,
    scope: Scope,
    loading: impl Future<Output = Result<Body, Error>>,
) -> Option<Body> {
    let loaded = load(edge, Bulkhead::Requests(part), scope, loading).await;
    loaded.inspect_err(|error| tracing::warn!(?part, %error, "a part of a response is missing")).ok()
}
