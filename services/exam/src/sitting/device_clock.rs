//! The offset of a device's clock, in milliseconds.

use time::{Duration, OffsetDateTime};

/// A larger change of the offset means that the device's clock was set. A slow message changes it
/// less.
const CLOCK_SET: i64 = 60_000;
/// Tolerance for the network latency. An offset is too large by the latency of its message.
const TRAVEL: Duration = Duration::SECOND;

/// The offset of a device's clock: the server's time minus the device's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeviceClock {
    /// The stored offset of earlier messages.
    kept: Option<i64>,
    /// The offset of the present message.
    seen: i64,
}

impl DeviceClock {
    /// Uses the stored offset, and the device's time in a message that arrived at `now`.
    pub(crate) fn new(kept: Option<i64>, device_time: OffsetDateTime, now: OffsetDateTime) -> Self {
        Self { kept, seen: to_millis(now) - to_millis(device_time) }
    }

    /// Returns the offset to store: the smallest one, which had the lowest latency. A very
    /// different offset replaces it.
    pub(crate) fn to_keep(self) -> i64 {
        match self.kept {
            Some(kept) if (self.seen - kept).abs() <= CLOCK_SET => kept.min(self.seen),
            _ => self.seen,
        }
    }

    /// Converts a stamp of the device to the server's time.
    ///
    /// Both offsets are tried, because the clock may have been set between the stamp and the
    /// message. Only a time between the start and now is possible. The earlier possible time is
    /// used, because offsets are too large rather than too small. If no time is possible, it is
    /// `now`, so a stamp cannot move an answer out of its sitting.
    pub(crate) fn correct(
        self,
        stamp: OffsetDateTime,
        started_at: OffsetDateTime,
        now: OffsetDateTime,
    ) -> OffsetDateTime {
        let possible = started_at - TRAVEL..=now;
        let correct = |offset| stamp.checked_add(Duration::milliseconds(offset));
        let times = [self.kept, Some(self.seen)].into_iter().flatten().filter_map(correct);
        times.filter(|time| possible.contains(time)).min().unwrap_or(now)
    }
}

/// Whether an answer with this corrected time was given before the deadline.
pub(crate) fn is_in_time(answered_at: OffsetDateTime, deadline_at: OffsetDateTime) -> bool {
    answered_at < deadline_at + TRAVEL
}

/// Milliseconds since 1970. Does not overflow for any time of a message.
fn to_millis(time: OffsetDateTime) -> i64 {
    time.unix_timestamp() * 1_000 + i64::from(time.millisecond())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const START: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);
    const HOUR: Duration = Duration::HOUR;
    const MINUTE: Duration = Duration::MINUTE;
    const SECOND: Duration = Duration::SECOND;

    #[test]
    fn a_wrong_clock_is_corrected() {
        for wrong in [Duration::ZERO, HOUR * 3, -HOUR * 3, Duration::DAY * 400, -MINUTE * 5] {
            let now = START + MINUTE * 40;
            let clock = DeviceClock::new(None, now + wrong, now);
            assert_eq!(clock.correct(now - SECOND * 9 + wrong, START, now), now - SECOND * 9, "{wrong}");
        }
    }

    #[test]
    fn a_slow_message_does_not_make_an_answer_late() {
        // The device sent at minute 10, and the message arrived 20 s later. An earlier message had
        // no latency.
        let (sent, now) = (START + MINUTE * 10, START + MINUTE * 10 + SECOND * 20);
        let clock = DeviceClock::new(Some(0), sent, now);
        assert_eq!(clock.correct(sent - SECOND, START, now), sent - SECOND);
        assert_eq!(clock.to_keep(), 0);
    }

    #[test]
    fn a_clock_that_was_set_during_a_sitting_is_corrected_before_and_after() {
        for set in [HOUR * 3, -HOUR * 3] {
            let now = START + MINUTE * 40;
            let clock = DeviceClock::new(Some(0), now + set, now);
            let (before, after) = (START + MINUTE * 20, START + MINUTE * 30);
            assert_eq!(clock.correct(before, START, now), before, "stamped before it was set by {set}");
            assert_eq!(clock.correct(after + set, START, now), after, "stamped after it was set by {set}");
            assert_eq!(i128::from(clock.to_keep()), -Duration::whole_milliseconds(set));
        }
    }

    #[test]
    fn an_impossible_stamp_counts_as_the_time_of_arrival() {
        let now = START + MINUTE * 40;
        let clock = DeviceClock::new(Some(0), now, now);
        for stamp in [
            START - MINUTE,
            now + MINUTE,
            datetime!(9999-12-31 23:59:59 UTC),
            datetime!(-9999-01-01 0:00 UTC),
        ] {
            assert_eq!(clock.correct(stamp, START, now), now, "{stamp}");
        }
        let far = DeviceClock::new(Some(i64::MAX / 2_000), datetime!(-9999-01-01 0:00 UTC), now);
        assert_eq!(far.correct(datetime!(9999-12-31 0:00 UTC), START, now), now);
    }

    #[test]
    fn a_keystroke_just_before_the_deadline_is_in_time() {
        let deadline = START + MINUTE * 50;
        // The fastest message of the device took 0.4 s.
        let now = deadline + SECOND * 5;
        let clock = DeviceClock::new(Some(400), now - Duration::milliseconds(600), now);
        let answered_at = clock.correct(deadline - Duration::milliseconds(200), START, now);
        assert!(is_in_time(answered_at, deadline));
        assert!(!is_in_time(clock.correct(deadline + SECOND, START, now), deadline));
    }
}
