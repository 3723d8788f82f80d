//! How much is done at once: a pool for each kind of request, a bounded queue before it, 429 beyond.

use std::collections::HashMap;

use axum::extract::MatchedPath;
use http::request::Parts;
use http::{Extensions, Method};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::config;
use crate::error::Error;

/// What an operation is to the rooms. Its declaration in `routes.rs` says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A password is hashed for somebody without a token, as at a sign-in.
    SignIn,
    /// A password is hashed for a caller with a token, as when it is changed.
    PasswordCheck,
    /// A read that needs no account.
    Public,
}

/// The kinds of the operations of each path that have one.
pub(crate) type Kinds = HashMap<String, Vec<(Method, Kind)>>;

/// Where pictures are put: each takes some megabytes.
pub(crate) const PICTURES: &str = "/api/desk/contact/picture/";

/// The parts of the API that have room of their own.
const PARTS: [&str; 7] = [
    "/api/accounts/",
    "/api/commerce/",
    "/api/desk/",
    "/api/lms/",
    "/api/media/",
    "/api/postal/",
    "/api/search/",
];

/// Room for requests, by kind: people who try passwords can't take the room of those who learn or of owners who are signed
/// in, and neither can those who wait for a service that hangs.
pub(crate) struct Rooms {
    logins: Room,
    /// A request without a live token leaves it before anything is hashed.
    password_checks: Room,
    refreshes: Room,
    pictures: Room,
    /// In the order of `PARTS`.
    parts: [Room; PARTS.len()],
    /// Reads of what is public, in the same order: visitors can't take the room of learners.
    public: [Room; PARTS.len()],
    others: Room,
    kinds: Kinds,
}

impl Rooms {
    /// As large as the settings say.
    pub(crate) fn new(limits: &config::Limits, kinds: Kinds) -> Self {
        Self {
            kinds,
            logins: Room::new(limits.logins, limits.logins_queue),
            password_checks: Room::new(limits.password_checks, limits.password_checks_queue),
            refreshes: Room::new(limits.refreshes, limits.refreshes_queue),
            pictures: Room::new(limits.pictures, limits.pictures_queue),
            parts: PARTS.map(|_| Room::new(limits.requests, limits.requests_queue)),
            public: PARTS.map(|_| Room::new(limits.requests, limits.requests_queue)),
            others: Room::new(limits.requests, limits.requests_queue),
        }
    }

    /// Whether a request with these extensions would find a place now, be it to wait.
    pub(crate) fn have_place(&self, method: &Method, extensions: &Extensions) -> bool {
        self.room(method, extensions).inside.available_permits() > 0
    }

    /// A place for this request, at once or after a wait.
    pub(crate) async fn enter(&self, head: &Parts) -> Result<Place<'_>, Error> {
        self.room(&head.method, &head.extensions).enter().await
    }

    fn room(&self, method: &Method, extensions: &Extensions) -> &Room {
        let route = extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
        let kind = self.kind(method, route);
        match route {
            _ if kind == Some(Kind::SignIn) => &self.logins,
            _ if kind == Some(Kind::PasswordCheck) => &self.password_checks,
            "/api/accounts/token/refresh/" => &self.refreshes,
            PICTURES => &self.pictures,
            route => {
                let parts = if kind == Some(Kind::Public) { &self.public } else { &self.parts };
                let part = PARTS.iter().position(|part| route.starts_with(part));
                part.map_or(&self.others, |part| &parts[part])
            }
        }
    }

    fn kind(&self, method: &Method, route: &str) -> Option<Kind> {
        // A GET route answers HEAD too.
        let method = if method == Method::HEAD { &Method::GET } else { method };
        let kinds = self.kinds.get(route)?;
        kinds.iter().find(|(of, _)| of == method).map(|(_, kind)| *kind)
    }
}

/// So many are served, so many more wait.
struct Room {
    served: Semaphore,
    inside: Semaphore,
}

/// Held for as long as a request takes.
pub(crate) struct Place<'a> {
    _served: SemaphorePermit<'a>,
    _inside: SemaphorePermit<'a>,
}

impl Room {
    fn new(served: usize, queue: usize) -> Self {
        Self { served: Semaphore::new(served), inside: Semaphore::new(served + queue) }
    }

    async fn enter(&self) -> Result<Place<'_>, Error> {
        let inside = self.inside.try_acquire().map_err(|_| Error::Overloaded)?;
        // Never closed, so it never fails.
        let served = self.served.acquire().await.map_err(|_| Error::Internal)?;
        Ok(Place { _served: served, _inside: inside })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn one_is_served_one_waits_and_the_third_is_sent_away() {
        let room = Room::new(1, 1);
        let first = room.enter().await.unwrap();
        let mut second = Box::pin(room.enter());
        assert!(second.as_mut().now_or_never().is_none());
        assert!(matches!(room.enter().await, Err(Error::Overloaded)));
        drop(first);
        let second = second.await.unwrap();
        drop(second);
        assert!(room.enter().await.is_ok());
    }
}
