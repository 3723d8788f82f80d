//! Which caller may call which rpc: one table for each service, checked before the rpc runs.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use http::HeaderMap;

use super::{Caller, CallerError, HEADER, Keyring, Scope, Service};
use crate::Failure;
use crate::clock::Clock;
use crate::metrics;

/// Who may call an rpc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// The edge, whether or not a person is signed in.
    Anyone,
    /// The edge, for a signed-in person of any scope.
    SignedIn,
    /// The edge, for a signed-in learner.
    Learner,
    /// The edge, for a signed-in guardian.
    Guardian,
    /// The edge, for a signed-in learner or guardian.
    LearnerOrGuardian,
    /// The edge, for a signed-in guardian who acts for another account.
    GuardianOf,
    /// The edge, for a signed-in learner, or a signed-in guardian who acts for another account.
    LearnerOrGuardianOf,
    /// The edge, for signed-in staff with this scope.
    Staff(Scope),
    /// These services, each on its own behalf.
    Services(&'static [Service]),
}

impl Allowed {
    /// Only a guardian acts for another account; every other row requires the person's own.
    fn admits(self, caller: &Caller) -> bool {
        if let Self::Services(services) = self {
            return caller.person.is_none() && services.contains(&caller.service);
        }
        if caller.service != Service::Edge {
            return false;
        }
        match self {
            Self::Anyone => caller.person.is_none() || caller.person().is_ok(),
            Self::SignedIn => caller.account().is_ok(),
            Self::Learner => caller.learner().is_ok(),
            Self::Guardian => caller.guardian().is_ok(),
            Self::LearnerOrGuardian => caller.learner().or_else(|_| caller.guardian()).is_ok(),
            Self::GuardianOf => caller.guardian_of().is_ok(),
            Self::LearnerOrGuardianOf => caller.learner_or_child().is_ok(),
            Self::Staff(scope) => caller.account_with(scope).is_ok(),
            Self::Services(_) => false,
        }
    }
}

/// The path of an rpc, e.g. `/lms.v1.MarkService/ListBookmarks`, and its allowed callers.
pub type Row = (&'static str, Allowed);

/// The checks of every rpc of a server. Cheap to clone.
#[derive(Clone)]
pub struct Callers(Option<Arc<Checks>>);

struct Checks {
    table: HashMap<&'static str, Allowed>,
    keyring: Keyring,
    clock: Clock,
}

impl Callers {
    /// The checks of `receiver`: its table, and the keys of its callers as in `CALLER_KEYS`. An rpc without a row is
    /// refused.
    pub fn new(receiver: Service, table: &[Row], keys: &str, clock: Clock) -> Result<Self, Failure> {
        let keyring = Keyring::new(receiver, keys)?;
        Ok(Self(Some(Arc::new(Checks { table: table.iter().copied().collect(), keyring, clock }))))
    }

    /// Checks nothing. For tests of servers without rpcs of the product.
    pub(crate) fn open() -> Self {
        Self(None)
    }

    /// Adds the check in front of every route of `rpcs`.
    pub(crate) fn guard(self, rpcs: Router) -> Router {
        match self.0 {
            Some(checks) => {
                metrics::expose_refused_callers(&CallerError::ALL.map(CallerError::label));
                rpcs.layer(from_fn_with_state(checks, check))
            }
            None => rpcs,
        }
    }
}

async fn check(State(checks): State<Arc<Checks>>, mut request: Request, next: Next) -> Response {
    match checks.admit(request.headers(), request.uri().path()) {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(error) => {
            metrics::count_refused_caller(error.label());
            tracing::warn!(reason = error.reason(), "a call was refused");
            tonic::Status::from(error).into_http()
        }
    }
}

impl Checks {
    fn admit(&self, headers: &HeaderMap, path: &str) -> Result<Caller, CallerError> {
        let mut values = headers.get_all(HEADER).iter();
        let header = values.next().ok_or(CallerError::Missing)?;
        if values.next().is_some() {
            return Err(CallerError::Invalid);
        }
        let now = self.clock.now().unix_timestamp_nanos() / 1_000_000;
        let caller = self.keyring.verify(header.as_bytes(), path, i64::try_from(now).unwrap_or(i64::MAX))?;
        match self.table.get(path) {
            Some(allowed) if allowed.admits(&caller) => Ok(caller),
            _ => Err(CallerError::NotAllowed),
        }
    }
}
