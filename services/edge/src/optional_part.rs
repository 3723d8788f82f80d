//! Parts of a response that come from other services, and without which the response is still useful.

use std::time::Duration;

use http::Method;

use crate::Edge;
use crate::bulkhead::{Bulkhead, Part};
use crate::closure::Scope;
use crate::error::Error;

/// Longest time for one part. A part that takes longer is missing.
const PART_TIMEOUT: Duration = Duration::from_secs(3);

/// Loads a part with a permit of its own service. `None` if it fails, takes too long, or is closed for maintenance.
pub(crate) async fn load<Body>(
    edge: &Edge,
    part: Part,
    scope: Scope,
    loading: impl Future<Output = Result<Body, Error>>,
) -> Option<Body> {
    if edge.maintenance().closes(Some(scope), &Method::GET) {
        return None;
    }
    let loaded = tokio::time::timeout(PART_TIMEOUT, async {
        let _permit = edge.bulkheads().acquire(Bulkhead::Requests(part)).await?;
        loading.await
    });
    match loaded.await {
        Ok(Ok(body)) => Some(body),
        Ok(Err(error)) => {
            tracing::warn!(?part, %error, "a part of a response is missing");
            None
        }
        Err(_) => {
            tracing::warn!(?part, "a part of a response took too long");
            None
        }
    }
}
