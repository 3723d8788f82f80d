//! Which beats were counted: each once, however often and in whatever order they come.

/// So many are known by their sequence, a quarter of an hour's; whatever is older than those that were forgotten counts
/// as known.
const LISTED: usize = 64;

/// The beats of one learner on one lesson that were counted, by the sequences that the device gave them.
pub(super) struct Counted {
    /// The newest, in order.
    pub(super) newest: Vec<i64>,
    /// The highest of all others, but not ahead of our clock: a device whose own is must not keep others from counting.
    pub(super) before: i64,
}

impl Default for Counted {
    fn default() -> Self {
        Self { newest: Vec::new(), before: -1 }
    }
}

impl Counted {
    /// Whether this beat was not counted before; from now on it was.
    ///
    /// `now` in milliseconds since 1970.
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
    use super::{Counted, LISTED};

    /// Later than any sequence.
    const NOW: i64 = 1000;
    /// More than are known by their sequence.
    const MANY: i64 = 640;

    #[test]
    fn a_beat_is_new_once_in_whatever_order() {
        let mut counted = Counted::default();
        let new = [5, 0, 3, 5, 0, 4, 3].map(|sequence| counted.is_new(sequence, NOW));
        assert_eq!(new, [true, true, true, false, false, true, false]);
    }

    #[test]
    fn what_is_forgotten_is_never_new_again() {
        let mut counted = Counted::default();
        let beats = || (0..MANY).map(|beat| beat * 7 % MANY);
        let new = beats().filter(|sequence| counted.is_new(*sequence, NOW)).count();
        assert!(new >= LISTED && counted.newest.len() == LISTED, "{new}");
        assert_eq!(beats().filter(|sequence| counted.is_new(*sequence, NOW)).count(), 0);
    }

    #[test]
    fn a_device_with_a_clock_ahead_does_not_keep_others_from_being_counted() {
        let mut counted = Counted::default();
        for ahead in 0..MANY {
            assert!(counted.is_new(i64::MAX - MANY + ahead, NOW));
        }
        for later in NOW + 1..NOW + MANY {
            assert!(counted.is_new(later, later) && !counted.is_new(later, later), "{later}");
        }
    }
}
