//! How much is done at once: a pool for each kind of request, a bounded queue before it, 429 beyond.

use axum::extract::MatchedPath;
use http::Extensions;
use http::request::Parts;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::config;
use crate::error::Error;

/// Where passwords are looked at or made.
const HASHING: [&str; 10] = [
    "/api/accounts/login/",
    "/api/accounts/login/change/",
    "/api/accounts/login/reopen/",
    "/api/accounts/password/",
    "/api/accounts/password/reset/confirm/",
    "/api/accounts/signup/",
    "/api/accounts/email/",
    "/api/accounts/export/",
    "/api/accounts/close/",
    "/api/accounts/passkeys/{id}/keep/",
];

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

/// Room for requests, by kind: people who try passwords can't take the room of those who learn, and neither can those who
/// wait for a service that hangs.
pub(crate) struct Rooms {
    logins: Room,
    refreshes: Room,
    pictures: Room,
    /// In the order of `PARTS`.
    parts: [Room; PARTS.len()],
    others: Room,
}

impl Rooms {
    /// As large as the settings say.
    pub(crate) fn new(limits: &config::Limits) -> Self {
        Self {
            logins: Room::new(limits.logins, limits.logins_queue),
            refreshes: Room::new(limits.refreshes, limits.refreshes_queue),
            pictures: Room::new(limits.pictures, limits.pictures_queue),
            parts: PARTS.map(|_| Room::new(limits.requests, limits.requests_queue)),
            others: Room::new(limits.requests, limits.requests_queue),
        }
    }

    /// Whether a request with these extensions would find a place now, be it to wait.
    pub(crate) fn have_place(&self, extensions: &Extensions) -> bool {
        self.room(extensions).inside.available_permits() > 0
    }

    /// A place for this request, at once or after a wait.
    pub(crate) async fn enter(&self, head: &Parts) -> Result<Place<'_>, Error> {
        self.room(&head.extensions).enter().await
    }

    fn room(&self, extensions: &Extensions) -> &Room {
        match extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str) {
            route if HASHING.contains(&route) => &self.logins,
            "/api/accounts/token/refresh/" => &self.refreshes,
            PICTURES => &self.pictures,
            route => {
                let part = PARTS.iter().position(|part| route.starts_with(part));
                part.map_or(&self.others, |part| &self.parts[part])
            }
        }
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
