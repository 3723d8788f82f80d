//! The declaration of a route. `routes.rs` has one row a route. The router, the `OpenAPI` document, the middleware and the
//! access test are derived from the rows.

use std::collections::HashMap;

use axum::extract::MatchedPath;
use http::{Extensions, Method};
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::SecurityRequirement;
use utoipa_axum::router::UtoipaMethodRouter;

use crate::Edge;
use crate::audience::Audience;
use crate::bulkhead::Bulkhead;
use crate::closure::Scope;
use crate::input::{NO_BODY, RequestBody};

/// One route.
pub(crate) struct Route {
    pub(crate) policy: Policy,
    pub(crate) handler: UtoipaMethodRouter<Edge>,
}

/// The declaration of a route, except for its method, path and documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    /// Who may call the route.
    pub(crate) audience: Audience,
    /// The permits that a request takes.
    pub(crate) bulkhead: Bulkhead,
    /// The part of the product that closes the route. `Site` closes only with the whole product; `None` never
    /// closes.
    pub(crate) maintenance: Option<Scope>,
    /// Whether the response sets the XSRF-TOKEN cookie for a browser without a valid one.
    pub(crate) xsrf_cookie: XsrfCookie,
    /// The kind and the limits of the body.
    pub(crate) body: RequestBody,
}

/// Whether a response sets the XSRF-TOKEN cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum XsrfCookie {
    /// Set for a browser without a valid one.
    Issued,
    /// Never set.
    NotIssued,
}

impl Route {
    /// Declares a route. `handler` is `routes!(handler)`: its `utoipa::path` attribute has the method, path
    /// and documentation.
    pub(crate) fn new(
        mut handler: UtoipaMethodRouter<Edge>,
        audience: Audience,
        bulkhead: Bulkhead,
        maintenance: Option<Scope>,
        xsrf_cookie: XsrfCookie,
        body: RequestBody,
    ) -> Self {
        let policy = Policy { audience, bulkhead, maintenance, xsrf_cookie, body };
        for (_, operation) in handler.1.paths.values_mut().flat_map(operations_mut) {
            operation.security = security_requirement(audience);
        }
        Self { policy, handler }
    }

    /// Returns the method and path, as the router spells them.
    pub(crate) fn operations(&self) -> impl Iterator<Item = (Method, &str)> {
        let paths = self.handler.1.paths.iter();
        paths.flat_map(|(path, item)| methods(item).into_iter().map(move |method| (method, path.as_str())))
    }
}

/// The policies of all routes, by path and method.
pub(crate) struct Policies(HashMap<String, Vec<(Method, Policy)>>);

impl Policies {
    /// Collects the policies of these routes.
    pub(crate) fn new(routes: &[Route]) -> Self {
        let mut policies = HashMap::<_, Vec<_>>::new();
        for route in routes {
            for (method, path) in route.operations() {
                policies.entry(path.to_owned()).or_default().push((method, route.policy));
            }
        }
        Self(policies)
    }

    /// Returns the policy of a request with these extensions.
    ///
    /// Wrong methods of a known path and unknown paths have no handler: their audience is anyone, and they
    /// take a permit of `Other`. A wrong method closes with the first route of its path.
    pub(crate) fn find(&self, method: &Method, extensions: &Extensions) -> Policy {
        // A GET route also serves HEAD.
        let method = if method == Method::HEAD { &Method::GET } else { method };
        let path = extensions.get::<MatchedPath>().and_then(|path| self.0.get(path.as_str()));
        let policies = path.map(Vec::as_slice).unwrap_or_default();
        let found = policies.iter().find(|(declared, _)| declared == method);
        found.map_or_else(|| without_handler(policies.first()), |(_, policy)| *policy)
    }
}

fn without_handler(neighbour: Option<&(Method, Policy)>) -> Policy {
    Policy {
        audience: Audience::Anyone,
        bulkhead: Bulkhead::Other,
        maintenance: neighbour.and_then(|(_, policy)| policy.maintenance),
        xsrf_cookie: neighbour.map_or(XsrfCookie::NotIssued, |(_, policy)| policy.xsrf_cookie),
        body: NO_BODY,
    }
}

/// Name of the security scheme of access tokens in the `OpenAPI` document.
pub(crate) const TOKEN_SCHEME: &str = "token";

fn security_requirement(audience: Audience) -> Option<Vec<SecurityRequirement>> {
    let scheme = match audience {
        Audience::Webhook(provider) => provider.name,
        audience if audience.needs_token() => TOKEN_SCHEME,
        _ => return None,
    };
    Some(vec![SecurityRequirement::new(scheme, [""; 0])])
}

/// Returns the operations of a path.
pub(crate) fn operations_mut(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    let PathItem { get, put, post, delete, .. } = item;
    let operations = [(Method::GET, get), (Method::PUT, put), (Method::POST, post), (Method::DELETE, delete)];
    operations.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

fn methods(item: &PathItem) -> Vec<Method> {
    let PathItem { get, put, post, delete, .. } = item;
    let operations = [(Method::GET, get), (Method::PUT, put), (Method::POST, post), (Method::DELETE, delete)];
    operations.into_iter().filter(|(_, operation)| operation.is_some()).map(|(method, _)| method).collect()
}
