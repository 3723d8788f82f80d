//! Maintenance windows: closes parts of the product by the edge's own clock, from a list that the maintenance
//! service keeps fresh. Without a list everything is open. When the service is lost, the last list stays in
//! force, and each window still ends at its `ends_at`.

mod replicas;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use http::Method;
use http::request::Parts;
use kit::Failure;
use kit::caller::Signer;
use kit::clock::Clock;
use kit::shutdown::Shutdown;
use proto::maintenance::{MaintenanceWindow as Declared, Mode as DeclaredMode, Scope as DeclaredScope};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::Edge;
use crate::answer::{self, is_safe};
use crate::audience::Audience;
use crate::closure::{Closure, Scope};
use crate::error::{Error, whole_seconds};
use crate::media;
use crate::timestamp::parse_optional_timestamp;
use replicas::ReplicaLists;

/// How long before its start a window is announced.
const ANNOUNCEMENT_PERIOD: time::Duration = time::Duration::hours(24);
/// Mode of a maintenance window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = MaintenanceMode)]
pub(crate) enum Mode {
    /// Every request is refused.
    Full,
    /// Requests that only read are served.
    ReadOnly,
}

/// A maintenance window, as declared.
#[derive(Clone, Debug)]
struct Window {
    name: String,
    scope: Scope,
    mode: Mode,
    starts_at: Option<OffsetDateTime>,
    ends_at: Option<OffsetDateTime>,
    title: String,
    message: String,
    status_url: Option<String>,
    retry_after_seconds: Option<u32>,
    bypass_scopes: Vec<String>,
}

impl Window {
    /// Returns `None` and logs a warning for a scope or mode that this edge does not know.
    fn from_proto(declared: Declared) -> Option<Self> {
        let scope = match declared.scope() {
            DeclaredScope::Site => Some(Scope::Site),
            DeclaredScope::Accounts => Some(Scope::Accounts),
            DeclaredScope::Learning => Some(Scope::Learning),
            DeclaredScope::Commerce => Some(Scope::Commerce),
            DeclaredScope::Exam => Some(Scope::Exam),
            DeclaredScope::Unspecified => None,
        };
        let mode = match declared.mode() {
            DeclaredMode::Full => Some(Mode::Full),
            DeclaredMode::ReadOnly => Some(Mode::ReadOnly),
            DeclaredMode::Unspecified => None,
        };
        let (Some(scope), Some(mode), Ok(starts_at), Ok(ends_at)) = (
            scope,
            mode,
            parse_optional_timestamp(declared.starts_at),
            parse_optional_timestamp(declared.ends_at),
        ) else {
            tracing::warn!(
                window = declared.name,
                "a maintenance window has an unknown scope or mode, or an invalid time"
            );
            return None;
        };
        Some(Self {
            name: declared.name,
            scope,
            mode,
            starts_at,
            ends_at,
            title: declared.title,
            message: declared.message,
            status_url: declared.status_url,
            retry_after_seconds: declared.retry_after_seconds,
            bypass_scopes: declared.bypass_scopes,
        })
    }

    fn has_begun(&self, now: OffsetDateTime) -> bool {
        self.starts_at.is_none_or(|start| start <= now)
    }

    fn is_over(&self, now: OffsetDateTime) -> bool {
        self.ends_at.is_some_and(|end| end <= now)
    }

    fn is_active(&self, now: OffsetDateTime) -> bool {
        self.has_begun(now) && !self.is_over(now)
    }

    /// Whether the window closes routes of this part. `is_safe`: the method only reads.
    fn closes(&self, part: Scope, is_safe: bool) -> bool {
        self.scope.affected().contains(&part) && !(is_safe && self.mode == Mode::ReadOnly)
    }
}

/// The current list of windows.
pub(crate) struct Maintenance {
    lists: Arc<ReplicaLists>,
    clock: Clock,
    /// Seconds, for windows without `retry_after_seconds`.
    retry_after: u32,
}

impl Maintenance {
    /// Follows the maintenance service behind `urls` until `shutdown`. Calls are signed with `signer`.
    pub(crate) fn follow(
        urls: &str,
        signer: Signer,
        clock: Clock,
        retry_after: u32,
        shutdown: Shutdown,
    ) -> Result<Self, Failure> {
        let lists = Arc::default();
        replicas::listen(urls, signer, &lists, shutdown)?;
        Ok(Self { lists, clock, retry_after })
    }

    /// Whether routes of this part are closed. Ignores scopes that bypass maintenance.
    pub(crate) fn closes(&self, part: Option<Scope>, method: &Method) -> bool {
        !closing(&self.lists.windows(), part, method, self.clock.now()).is_empty()
    }

    /// Fails with 503 if routes of this part and audience are closed for this caller.
    pub(crate) async fn check(
        &self,
        part: Option<Scope>,
        audience: Audience,
        head: &Parts,
        edge: &Edge,
    ) -> Result<(), Error> {
        let (windows, now) = (self.lists.windows(), self.clock.now());
        let mut closing = closing(&windows, part, &head.method, now);
        if closing.iter().any(|window| !window.bypass_scopes.is_empty())
            && let Some(scope) = scope(edge, audience, head).await
        {
            closing.retain(|window| !window.bypass_scopes.iter().any(|passes| scope.contains(passes)));
        }
        self.closed(&closing, now).map_or(Ok(()), |closed| Err(Error::Maintenance(Box::new(closed))))
    }

    /// Merges these windows: all parts that they affect, with the texts of the window that ends last, because
    /// nothing opens before its end.
    fn closed(&self, closing: &[&Window], now: OffsetDateTime) -> Option<Closure> {
        let last = closing.iter().max_by_key(|window| (window.ends_at.is_none(), window.ends_at))?;
        let affected: BTreeSet<Scope> =
            closing.iter().flat_map(|window| window.scope.affected()).copied().collect();
        let configured = Duration::from_secs(last.retry_after_seconds.unwrap_or(self.retry_after).into());
        let left = last.ends_at.map_or(Duration::MAX, |end| (end - now).unsigned_abs());
        Some(Closure {
            retry_after: whole_seconds(configured.min(left)),
            title: last.title.clone(),
            message: last.message.clone(),
            starts_at: last.starts_at,
            ends_at: last.ends_at,
            affected: affected.into_iter().collect(),
        })
    }
}

/// Returns the windows that close a route of this part for this method.
fn closing<'all>(
    windows: &'all [Window],
    part: Option<Scope>,
    method: &Method,
    now: OffsetDateTime,
) -> Vec<&'all Window> {
    let Some(part) = part else { return Vec::new() };
    let is_safe = is_safe(method);
    windows.iter().filter(|window| window.is_active(now) && window.closes(part, is_safe)).collect()
}

/// Returns the scopes of the caller. A player that loads a file has no token, only a signed URL.
async fn scope(edge: &Edge, audience: Audience, head: &Parts) -> Option<Vec<String>> {
    let holder = match edge.sessions().caller(&head.headers).await {
        Ok(caller) => caller.holder(),
        Err(_) if audience == Audience::SignedUrl => media::holder(edge, head).await?,
        Err(_) => return None,
    };
    Some(holder.scope)
}

/// The maintenance windows that are active or announced.
#[derive(Serialize, ToSchema)]
pub(crate) struct MaintenanceWindows {
    /// Ordered by name.
    windows: Vec<MaintenanceWindow>,
}

/// A maintenance window.
#[derive(Serialize, ToSchema)]
pub(crate) struct MaintenanceWindow {
    /// Name for engineers.
    name: String,
    /// Part of the product that is closed.
    scope: Scope,
    /// Whether reads are closed too.
    mode: Mode,
    /// One line, in Japanese.
    title: String,
    /// Reason and effects, in Japanese.
    message: String,
    /// Start of the window; null: it has begun.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    starts_at: Option<OffsetDateTime>,
    /// End of the window; null: unknown.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    ends_at: Option<OffsetDateTime>,
    /// Parts of the product that are closed with `scope`, `scope` included.
    affected: &'static [Scope],
    /// URL of a page with more information; null: none.
    #[schema(required)]
    status_url: Option<String>,
    /// Seconds until the next request should be made; null: not specified.
    #[schema(required)]
    retry_after_seconds: Option<u32>,
    /// Whether the window is active now.
    active: bool,
}

/// Lists the maintenance windows that are active, or start within 24 hours.
///
/// This operation is never closed. It sets the XSRF-TOKEN cookie for a browser without a valid one.
#[utoipa::path(
    get,
    path = "/api/maintenance/",
    operation_id = "maintenance",
    tag = "maintenance",
    responses((status = 200, description = "The maintenance windows.", body = MaintenanceWindows))
)]
pub(crate) async fn list(State(edge): State<Edge>) -> Response {
    let maintenance = edge.maintenance();
    let now = maintenance.clock.now();
    let windows = maintenance.lists.windows();
    let near =
        windows.iter().filter(|window| !window.is_over(now) && window.has_begun(now + ANNOUNCEMENT_PERIOD));
    let windows = near
        .map(|window| MaintenanceWindow {
            name: window.name.clone(),
            scope: window.scope,
            mode: window.mode,
            title: window.title.clone(),
            message: window.message.clone(),
            starts_at: window.starts_at,
            ends_at: window.ends_at,
            affected: window.scope.affected(),
            status_url: window.status_url.clone(),
            retry_after_seconds: window.retry_after_seconds,
            active: window.is_active(now),
        })
        .collect();
    answer::json(&MaintenanceWindows { windows })
}
