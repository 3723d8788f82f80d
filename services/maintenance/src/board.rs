//! The declared windows, and the edges that confirmed them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use time::OffsetDateTime;
use tokio::sync::watch;

use crate::window::Window;

/// All declared windows, ordered by name.
pub type Windows = Arc<[Window]>;

/// A list of windows with its revision.
#[derive(Clone, Debug)]
pub struct List {
    /// A higher revision is newer, across restarts too, so that a confirmation of an earlier process's list does not
    /// count for this one's. Replicas that follow one API server give a list the same revision. 0 is reserved for no
    /// list.
    pub revision: u64,
    pub windows: Windows,
}

/// Shared state: the source writes the list, edges read and confirm it. Cheap to clone; clones share the state.
#[derive(Clone)]
pub struct Board(Arc<Inner>);

struct Inner {
    /// `None` until the source was read once. Without a list, an edge keeps its last one, which is safer than an empty
    /// list.
    list: watch::Sender<Option<List>>,
    audience: watch::Sender<Audience>,
    first_revision: u64,
    unnamed: AtomicU64,
    is_source_up: AtomicBool,
}

impl Board {
    /// Creates an empty board at this time, from which its revisions start.
    #[must_use]
    pub fn new(now: OffsetDateTime) -> Self {
        Self(Arc::new(Inner {
            list: watch::Sender::new(None),
            audience: watch::Sender::default(),
            first_revision: u64::try_from(now.unix_timestamp_nanos() / 1_000)
                .map_or(1, |micros| micros.max(1)),
            unnamed: AtomicU64::new(0),
            is_source_up: AtomicBool::new(false),
        }))
    }

    /// Replaces the list under the board's next revision, unless it is unchanged.
    pub fn declare(&self, windows: impl Into<Windows>) {
        let next = self.0.list.borrow().as_ref().map_or(self.0.first_revision, |list| list.revision + 1);
        let windows = windows.into();
        if self.0.list.borrow().as_ref().is_none_or(|list| list.windows != windows) {
            self.declare_revision(next, windows);
        }
    }

    /// Replaces the list under a revision of the source. If only the revision changed, watchers are not notified; the
    /// next keep-alive carries it.
    pub(crate) fn declare_revision(&self, revision: u64, windows: impl Into<Windows>) {
        let windows = windows.into();
        let changed = self.0.list.send_if_modified(|list| {
            let changed = list.as_ref().is_none_or(|list| list.windows != windows);
            *list = Some(List { revision, windows: windows.clone() });
            changed
        });
        if changed {
            tracing::info!(windows = windows.len(), revision, "windows declared");
        }
    }

    /// Records whether the source is readable and valid.
    pub(crate) fn set_source_up(&self, is_up: bool) {
        self.0.is_source_up.store(is_up, Ordering::Relaxed);
    }

    pub(crate) fn is_source_up(&self) -> bool {
        self.0.is_source_up.load(Ordering::Relaxed)
    }

    /// Watches the list.
    #[must_use]
    pub fn watch_list(&self) -> watch::Receiver<Option<List>> {
        self.0.list.subscribe()
    }

    /// Watches the listening edges.
    #[must_use]
    pub fn watch_audience(&self) -> watch::Receiver<Audience> {
        self.0.audience.subscribe()
    }

    /// Counts an edge as listening until the subscription is dropped. An edge without a name counts separately and
    /// cannot confirm.
    pub(crate) fn add_listener(&self, edge: &str) -> Subscription {
        let name = match edge {
            "" => format!("unnamed {}", self.0.unnamed.fetch_add(1, Ordering::Relaxed)),
            edge => edge.to_owned(),
        };
        self.0.audience.send_modify(|audience| audience.0.entry(name.clone()).or_default().streams += 1);
        Subscription { board: self.clone(), name }
    }

    /// Records that an edge applies the list of this revision.
    pub(crate) fn confirm_revision(&self, edge: &str, revision: u64) {
        self.0.audience.send_if_modified(|audience| {
            let listener = audience.0.get_mut(edge).filter(|listener| listener.confirmed < revision);
            let is_new = listener.is_some();
            if let Some(listener) = listener {
                listener.confirmed = revision;
            }
            is_new
        });
    }
}

/// One stream of an edge.
pub(crate) struct Subscription {
    board: Board,
    name: String,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.board.0.audience.send_modify(|audience| {
            if let Some(listener) = audience.0.get_mut(&self.name) {
                listener.streams -= 1;
                if listener.streams == 0 {
                    audience.0.remove(&self.name);
                }
            }
        });
    }
}

/// The listening edges by process name. An edge that reconnects counts once.
#[derive(Clone, Debug, Default)]
pub struct Audience(BTreeMap<String, Listener>);

#[derive(Clone, Copy, Debug, Default)]
struct Listener {
    streams: u32,
    /// Revision of the newest list that the edge applies.
    confirmed: u64,
}

impl Audience {
    /// Number of listening edges.
    #[must_use]
    pub fn count_edges(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// Number of edges that apply the list of this revision or a later one.
    #[must_use]
    pub fn count_confirmed(&self, revision: u64) -> u32 {
        let confirmed = self.0.values().filter(|listener| listener.confirmed >= revision).count();
        u32::try_from(confirmed).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(second: i64) -> Board {
        Board::new(OffsetDateTime::from_unix_timestamp(second).unwrap())
    }

    #[test]
    fn an_unchanged_list_does_not_notify() {
        let board = board(7);
        let mut list = board.watch_list();
        board.declare([]);
        assert_eq!(list.borrow_and_update().as_ref().unwrap().revision, 7_000_000);
        board.declare([]);
        assert_eq!(list.borrow().as_ref().unwrap().revision, 7_000_000);
        board.declare_revision(9_000_000, []);
        assert!(!list.has_changed().unwrap());
        assert_eq!(list.borrow().as_ref().unwrap().revision, 9_000_000);
    }

    #[test]
    fn an_edge_counts_once_and_only_while_it_listens() {
        let board = board(7);
        let (one, again, other) =
            (board.add_listener("one"), board.add_listener("one"), board.add_listener("other"));
        let count = || {
            (
                board.watch_audience().borrow().count_edges(),
                board.watch_audience().borrow().count_confirmed(5),
            )
        };
        assert_eq!(count(), (2, 0));
        board.confirm_revision("one", 5);
        board.confirm_revision("other", 4);
        assert_eq!(count(), (2, 1));
        // A late confirmation of an older list changes nothing.
        board.confirm_revision("one", 3);
        drop(again);
        assert_eq!(count(), (2, 1));
        drop(one);
        assert_eq!(count(), (1, 0));
        // No edge of that name listens.
        board.confirm_revision("one", 9);
        assert_eq!(count(), (1, 0));
        drop(other);
        assert_eq!(count(), (0, 0));
    }

    #[test]
    fn edges_without_a_name_are_counted_each_and_never_confirm() {
        let board = board(7);
        let _both = (board.add_listener(""), board.add_listener(""));
        board.confirm_revision("", 9);
        let audience = board.watch_audience();
        assert_eq!((audience.borrow().count_edges(), audience.borrow().count_confirmed(9)), (2, 0));
    }
}
