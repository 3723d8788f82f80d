//! Bulkheads: each kind of request has its own permits and its own bounded queue. If the queue is full, the
//! response is 429.

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::config;
use crate::error::Error;

/// The permits that a request takes. Each route declares its own in `routes.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bulkhead {
    /// Auth hashes a password for a client without a token, as at sign-in.
    SignIn,
    /// Auth hashes a password for a caller with a token, as for a password change. A request without a valid
    /// token leaves the bulkhead before anything is hashed.
    PasswordCheck,
    /// Auth refreshes a session.
    Refresh,
    /// A picture of several megabytes is decoded.
    Picture,
    /// A public read of one part of the API. Visitors can't take the permits of learners.
    PublicReads(Part),
    /// A candidate saves answers or hands in. It waits as long as its time limit, and is never refused for load.
    Saves,
    /// A candidate sends a picture for an answer, before the answer is saved. It waits as a save does, with permits of its
    /// own: decoding a picture takes 100 times as long as a save.
    AnswerPictures,
    /// A candidate opens a paper or takes it over. It waits as a save does, with permits of its own: thousands who open a
    /// paper at once delay no save.
    Openings,
    /// Any other request of one part of the API.
    Requests(Part),
    /// Requests outside all parts, unknown paths and wrong methods.
    Other,
}

impl Bulkhead {
    /// Whether its queue has no bound. The middleware then checks the token before it takes a permit, so that only
    /// signed-in callers can fill the queue. It skips the limit per address, because a school may share one address.
    pub(crate) fn is_unbounded(self) -> bool {
        matches!(self, Self::Saves | Self::AnswerPictures | Self::Openings)
    }
}

/// A part of the API with bulkheads of its own, so that a hanging service exhausts only its own permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Accounts,
    Commerce,
    Desk,
    Exam,
    Lms,
    Media,
    Postal,
    Search,
}

const PARTS: usize = 8;

/// All bulkheads. Password guessing cannot exhaust the permits of learners or of signed-in owners.
pub(crate) struct Bulkheads {
    sign_ins: Pool,
    password_checks: Pool,
    refreshes: Pool,
    pictures: Pool,
    saves: Pool,
    answer_pictures: Pool,
    openings: Pool,
    /// By `Part`.
    public_reads: [Pool; PARTS],
    /// By `Part`.
    requests: [Pool; PARTS],
    others: Pool,
}

impl Bulkheads {
    /// Creates bulkheads of the configured sizes.
    pub(crate) fn new(limits: &config::Limits) -> Self {
        let requests = || Pool::new(limits.requests, limits.requests_queue);
        Self {
            sign_ins: Pool::new(limits.logins, limits.logins_queue),
            password_checks: Pool::new(limits.password_checks, limits.password_checks_queue),
            refreshes: Pool::new(limits.refreshes, limits.refreshes_queue),
            pictures: Pool::new(limits.pictures, limits.pictures_queue),
            saves: Pool::unbounded(limits.saves),
            answer_pictures: Pool::unbounded(limits.answer_pictures),
            openings: Pool::unbounded(limits.openings),
            public_reads: std::array::from_fn(|_| requests()),
            requests: std::array::from_fn(|_| requests()),
            others: requests(),
        }
    }

    /// Whether a request would get a permit or a place in the queue now.
    pub(crate) fn has_room(&self, bulkhead: Bulkhead) -> bool {
        self.pool(bulkhead).admitted.available_permits() > 0
    }

    /// Takes a permit, at once or after waiting in the queue. Fails with `Overloaded` if the queue is full.
    pub(crate) async fn acquire(&self, bulkhead: Bulkhead) -> Result<Permit<'_>, Error> {
        self.pool(bulkhead).acquire().await
    }

    fn pool(&self, bulkhead: Bulkhead) -> &Pool {
        match bulkhead {
            Bulkhead::SignIn => &self.sign_ins,
            Bulkhead::PasswordCheck => &self.password_checks,
            Bulkhead::Refresh => &self.refreshes,
            Bulkhead::Picture => &self.pictures,
            Bulkhead::Saves => &self.saves,
            Bulkhead::AnswerPictures => &self.answer_pictures,
            Bulkhead::Openings => &self.openings,
            Bulkhead::PublicReads(part) => &self.public_reads[part as usize],
            Bulkhead::Requests(part) => &self.requests[part as usize],
            Bulkhead::Other => &self.others,
        }
    }
}

/// The permits and the queue of one bulkhead.
struct Pool {
    served: Semaphore,
    /// Requests that are served or queued.
    admitted: Semaphore,
}

/// Held while a request is served.
pub(crate) struct Permit<'a> {
    _served: SemaphorePermit<'a>,
    _admitted: SemaphorePermit<'a>,
}

impl Pool {
    fn new(served: usize, queue: usize) -> Self {
        Self { served: Semaphore::new(served), admitted: Semaphore::new(served + queue) }
    }

    /// Creates a pool whose queue is never full. The server's limit of connections bounds it.
    fn unbounded(served: usize) -> Self {
        Self { served: Semaphore::new(served), admitted: Semaphore::new(Semaphore::MAX_PERMITS) }
    }

    async fn acquire(&self) -> Result<Permit<'_>, Error> {
        let admitted = self.admitted.try_acquire().map_err(|_| Error::Overloaded)?;
        // Fails only for a closed semaphore, which is never closed.
        let served = self.served.acquire().await.map_err(|_| Error::Internal)?;
        Ok(Permit { _served: served, _admitted: admitted })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn one_request_is_served_one_waits_and_the_third_is_refused() {
        let pool = Pool::new(1, 1);
        let first = pool.acquire().await.unwrap();
        let mut second = Box::pin(pool.acquire());
        assert!(second.as_mut().now_or_never().is_none());
        assert!(matches!(pool.acquire().await, Err(Error::Overloaded)));
        drop(first);
        let second = second.await.unwrap();
        drop(second);
        assert!(pool.acquire().await.is_ok());
    }

    #[tokio::test]
    async fn saves_wait_in_an_unbounded_queue() {
        let pool = Pool::unbounded(1);
        let first = pool.acquire().await.unwrap();
        let mut waiting: Vec<_> = (0..10_000).map(|_| Box::pin(pool.acquire())).collect();
        assert!(waiting.iter_mut().all(|save| save.as_mut().now_or_never().is_none()));
        drop(first);
        for save in waiting {
            drop(save.await.unwrap());
        }
    }

    #[test]
    fn every_part_has_a_bulkhead() {
        assert_eq!(Part::Search as usize + 1, PARTS);
    }
}
