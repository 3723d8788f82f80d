//! The states of items, and the expired copies of courses that the learner owns again.

use std::collections::HashMap;

use time::OffsetDateTime;

use super::Item;

/// The state of an item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Opened, neither complete nor expired.
    Learning,
    /// All lessons were checked, and the item is not expired.
    Complete,
    /// The item has expired.
    Expired,
    /// Never opened, neither complete nor expired.
    New,
}

impl State {
    fn from_item(item: &Item, now: OffsetDateTime) -> Self {
        if item.is_expired(now) {
            Self::Expired
        } else if item.completed_at.is_some() {
            Self::Complete
        } else if item.opened_at.is_none() {
            Self::New
        } else {
            Self::Learning
        }
    }
}

/// The number of items in each state.
#[derive(Default)]
pub(crate) struct StateCounts {
    pub(crate) learning: u32,
    pub(crate) complete: u32,
    pub(crate) expired: u32,
    pub(crate) new: u32,
}

impl StateCounts {
    fn count(items: &[Item], now: OffsetDateTime) -> Self {
        let mut counts = Self::default();
        for item in items {
            *match State::from_item(item, now) {
                State::Learning => &mut counts.learning,
                State::Complete => &mut counts.complete,
                State::Expired => &mut counts.expired,
                State::New => &mut counts.new,
            } += 1;
        }
        counts
    }
}

/// An expired item of a course that the learner owns again.
pub(crate) struct FormerItem {
    pub(crate) id: i64,
    pub(crate) expire_at: Option<OffsetDateTime>,
}

/// A filter of items. Expired items of a course that the learner owns again become part of the
/// active item.
pub(crate) struct StateFilter {
    /// `None` for all states.
    pub(crate) state: Option<State>,
    pub(crate) now: OffsetDateTime,
}

impl StateFilter {
    /// Keeps the items that match. Returns the number in each state.
    pub(super) fn apply(&self, items: &mut Vec<Item>) -> StateCounts {
        fold_former_items(items, self.now);
        let counts = StateCounts::count(items, self.now);
        items.retain(|item| self.state.is_none_or(|state| State::from_item(item, self.now) == state));
        counts
    }
}

/// Moves the expired items of each course that has an active item into its first active item.
fn fold_former_items(items: &mut Vec<Item>, now: OffsetDateTime) {
    let active = items.iter().filter(|item| !item.is_expired(now));
    let mut former: HashMap<i64, Vec<FormerItem>> = active.map(|item| (item.course_id, Vec::new())).collect();
    items.retain(|item| match former.get_mut(&item.course_id) {
        Some(former) if item.is_expired(now) => {
            former.push(FormerItem { id: item.id, expire_at: item.expire_at });
            false
        }
        _ => true,
    });
    for item in items {
        item.former = former.remove(&item.course_id).unwrap_or_default();
    }
}
