//! The rules of subscriptions, without a database: the periods, the states, and the times of
//! notices and retries.

mod period;
mod state;

pub use period::{Period, list_charge_days};
pub use state::{Event, State};

use time::{Duration, OffsetDateTime};

/// How long before a charge the notice is sent.
pub const NOTICE_PERIOD: Duration = Duration::days(7);
/// When a refused charge is repeated, after the renewal was due.
pub const RETRIES: [Duration; 3] = [Duration::days(1), Duration::days(3), Duration::days(5)];
/// How long after the due time access continues and a renewal can be paid.
pub const GRACE_PERIOD: Duration = Duration::days(7);

/// The next retry of a refused charge, or `None` after the last one.
#[must_use]
pub fn find_retry(due: OffsetDateTime, now: OffsetDateTime) -> Option<OffsetDateTime> {
    RETRIES.into_iter().map(|pause| due + pause).find(|retry| *retry > now)
}
