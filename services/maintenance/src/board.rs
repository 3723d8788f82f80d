//! What is declared now, and who has heard of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use time::OffsetDateTime;
use tokio::sync::watch;

use crate::Window;

/// Every window that is declared, in order of name.
pub type Windows = Arc<[Window]>;

/// Windows with the number of their list.
#[derive(Clone, Debug)]
pub struct List {
    /// Of two lists the one with the higher number is newer, also from one process to the next: what an edge says about
    /// a list of a process that has ended is never taken for one of this. Replicas that follow one API server give the
    /// same number to the same list. Never 0, which stands for none.
    pub revision: u64,
    /// What it says.
    pub windows: Windows,
}

/// Where a source puts up its list, and edges read it and say so. Cheap to clone; every clone is the same board.
#[derive(Clone)]
pub struct Board(Arc<Inner>);

struct Inner {
    /// Nothing until the source could be read once. An edge that hears nothing keeps what it last heard, which is
    /// better than to be told that all is open.
    list: watch::Sender<Option<List>>,
    audience: watch::Sender<Audience>,
    first_revision: u64,
    unnamed: AtomicU64,
    is_source_up: AtomicBool,
}

impl Board {
    /// An empty one, hung up at this time.
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

    /// Puts this list up, unless it is there already, under a number of this board's own.
    pub fn declare(&self, windows: impl Into<Windows>) {
        let next = self.0.list.borrow().as_ref().map_or(self.0.first_revision, |list| list.revision + 1);
        let windows = windows.into();
        if self.0.list.borrow().as_ref().is_none_or(|list| list.windows != windows) {
            self.declare_as(next, windows);
        }
    }

    /// Puts this list up under a number that its source gave it. One that only has another number is not called out:
    /// the next repeat tells it.
    pub(crate) fn declare_as(&self, revision: u64, windows: impl Into<Windows>) {
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

    /// Notes whether the source can be read and understood now.
    pub(crate) fn source_is_up(&self, is_up: bool) {
        self.0.is_source_up.store(is_up, Ordering::Relaxed);
    }

    pub(crate) fn is_source_up(&self) -> bool {
        self.0.is_source_up.load(Ordering::Relaxed)
    }

    /// The list, and its changes.
    #[must_use]
    pub fn list(&self) -> watch::Receiver<Option<List>> {
        self.0.list.subscribe()
    }

    /// The edges that listen, and their changes.
    #[must_use]
    pub fn audience(&self) -> watch::Receiver<Audience> {
        self.0.audience.subscribe()
    }

    /// Counts an edge among those that listen, until the answer is dropped. One without a name can't be told from
    /// others, nor say what it has taken in.
    pub(crate) fn listen(&self, edge: &str) -> Listening {
        let name = match edge {
            "" => format!("unnamed {}", self.0.unnamed.fetch_add(1, Ordering::Relaxed)),
            edge => edge.to_owned(),
        };
        self.0.audience.send_modify(|audience| audience.0.entry(name.clone()).or_default().streams += 1);
        Listening { board: self.clone(), name }
    }

    /// Notes that an edge has taken the list of this revision in.
    pub(crate) fn confirm(&self, edge: &str, revision: u64) {
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
pub(crate) struct Listening {
    board: Board,
    name: String,
}

impl Drop for Listening {
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

/// The edges that listen, by the name of the process: one that opens its stream anew counts once.
#[derive(Clone, Debug, Default)]
pub struct Audience(BTreeMap<String, Listener>);

#[derive(Clone, Copy, Debug, Default)]
struct Listener {
    streams: u32,
    /// The newest list that it has taken in.
    confirmed: u64,
}

impl Audience {
    /// How many edges listen.
    #[must_use]
    pub fn known(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// How many of them have taken in the list of this revision, or a later one.
    #[must_use]
    pub fn told(&self, revision: u64) -> u32 {
        let told = self.0.values().filter(|listener| listener.confirmed >= revision).count();
        u32::try_from(told).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(second: i64) -> Board {
        Board::new(OffsetDateTime::from_unix_timestamp(second).unwrap())
    }

    #[test]
    fn a_list_that_says_the_same_is_not_called_out() {
        let board = board(7);
        let mut list = board.list();
        board.declare([]);
        assert_eq!(list.borrow_and_update().as_ref().unwrap().revision, 7_000_000);
        board.declare([]);
        assert_eq!(list.borrow().as_ref().unwrap().revision, 7_000_000);
        board.declare_as(9_000_000, []);
        assert!(!list.has_changed().unwrap());
        assert_eq!(list.borrow().as_ref().unwrap().revision, 9_000_000);
    }

    #[test]
    fn an_edge_counts_once_and_only_while_it_listens() {
        let board = board(7);
        let (one, again, other) = (board.listen("one"), board.listen("one"), board.listen("other"));
        let count = || (board.audience().borrow().known(), board.audience().borrow().told(5));
        assert_eq!(count(), (2, 0));
        board.confirm("one", 5);
        board.confirm("other", 4);
        assert_eq!(count(), (2, 1));
        // An answer that was overtaken takes nothing back.
        board.confirm("one", 3);
        drop(again);
        assert_eq!(count(), (2, 1));
        drop(one);
        assert_eq!(count(), (1, 0));
        // Nobody of that name listens.
        board.confirm("one", 9);
        assert_eq!(count(), (1, 0));
        drop(other);
        assert_eq!(count(), (0, 0));
    }

    #[test]
    fn edges_without_a_name_are_counted_each_and_never_told() {
        let board = board(7);
        let _both = (board.listen(""), board.listen(""));
        board.confirm("", 9);
        let audience = board.audience();
        assert_eq!((audience.borrow().known(), audience.borrow().told(9)), (2, 0));
    }
}
