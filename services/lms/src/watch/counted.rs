//! The counted heartbeats. Each counts once, in any order of arrival.

/// The number of listed sequences, about a quarter of an hour. Older ones count as known.
const LISTED: usize = 64;

/// The counted heartbeats of one learner on one lesson, by their sequences.
pub(super) struct CountedHeartbeats {
    /// The newest sequences in ascending order.
    pub(super) newest: Vec<i64>,
    /// The highest of all other sequences, at most the server's time. So a device whose clock is
    /// ahead does not keep other heartbeats from counting.
    pub(super) before: i64,
}

impl Default for CountedHeartbeats {
    fn default() -> Self {
        Self { newest: Vec::new(), before: -1 }
    }
}

impl CountedHeartbeats {
    /// Returns whether this heartbeat is new, and records it as counted.
    ///
    /// `now` is in milliseconds since 1970.
    pub(super) fn is_new(&mut self, sequence: i64, now: i64) -> bool {
        if sequence <= self.before {
            return false;
        }
        let Err(place) = self.newest.binary_search(&sequence) else { return false };
        self.newest.insert(place, sequence);
        if self.newest.len() > LISTED {
            self.before = self.before.max(self.newest.remove(0).min(now));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{CountedHeartbeats, LISTED};

    /// Later than any sequence.
    const NOW: i64 = 1000;
    /// More sequences than are listed.
    const MANY: i64 = 640;

    #[test]
    fn a_heartbeat_is_new_once_in_any_order() {
        let mut counted = CountedHeartbeats::default();
        let new = [5, 0, 3, 5, 0, 4, 3].map(|sequence| counted.is_new(sequence, NOW));
        assert_eq!(new, [true, true, true, false, false, true, false]);
    }

    #[test]
    fn a_sequence_that_is_no_longer_listed_is_not_new() {
        let mut counted = CountedHeartbeats::default();
        let heartbeats = || (0..MANY).map(|heartbeat| heartbeat * 7 % MANY);
        let new = heartbeats().filter(|sequence| counted.is_new(*sequence, NOW)).count();
        assert!(new >= LISTED && counted.newest.len() == LISTED, "{new}");
        assert_eq!(heartbeats().filter(|sequence| counted.is_new(*sequence, NOW)).count(), 0);
    }

    #[test]
    fn a_device_with_a_clock_ahead_does_not_keep_others_from_counting() {
        let mut counted = CountedHeartbeats::default();
        for ahead in 0..MANY {
            assert!(counted.is_new(i64::MAX - MANY + ahead, NOW));
        }
        for later in NOW + 1..NOW + MANY {
            assert!(counted.is_new(later, later) && !counted.is_new(later, later), "{later}");
        }
    }
}
