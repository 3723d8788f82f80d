//! Where windows come from.

use std::sync::Arc;

use kit::shutdown::Shutdown;
use tokio::sync::watch;

use crate::Window;

/// Every window that is declared, in order of name.
pub type Windows = Arc<[Window]>;

/// What is known of them: nothing until the source could be read once. An edge that hears nothing keeps what it last
/// heard, which is better than to be told that all is open.
pub type Known = Option<Windows>;

/// A place where windows are declared.
pub trait Source {
    /// Publishes the list now and at each change, until `shutdown`. What can't be understood changes nothing: the last
    /// good list stays.
    fn follow(self, publish: watch::Sender<Known>, shutdown: Shutdown);
}
