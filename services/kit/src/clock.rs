//! Time as a parameter, so that a test can move it.

use std::sync::Arc;

use time::OffsetDateTime;

/// A source of the current time. Cheap to clone.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> OffsetDateTime + Send + Sync>);

impl Clock {
    /// The system clock.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the only place that reads the system clock")]
    pub fn system() -> Self {
        Self::new(OffsetDateTime::now_utc)
    }

    /// A clock that returns what `now` returns.
    pub fn new(now: impl Fn() -> OffsetDateTime + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The time now, in UTC.
    #[must_use]
    pub fn now(&self) -> OffsetDateTime {
        (self.0)()
    }
}
