//! The rules of subscriptions, without a database: their periods, their states, and when a charge is announced and
//! repeated.

mod period;
mod state;

pub use period::{Period, list_charge_days};
pub use state::{Event, State};

use time::{Duration, OffsetDateTime};

/// How long before a charge the buyer is told.
pub const NOTICE_PERIOD: Duration = Duration::days(7);
/// When a refused charge is repeated, after the renewal was due.
pub const RETRIES: [Duration; 3] = [Duration::days(1), Duration::days(3), Duration::days(5)];
/// How long access goes on, and a renewal can be paid, after it was due.
pub const GRACE_PERIOD: Duration = Duration::days(7);

/// The next time at which a refused charge is repeated; `None`: the last one is over.
#[must_use]
pub fn find_retry(due: OffsetDateTime, now: OffsetDateTime) -> Option<OffsetDateTime> {
    RETRIES.into_iter().map(|pause| due + pause).find(|retry| *retry > now)
}
