//! Where windows come from.

use kit::shutdown::Shutdown;

use crate::Board;

/// A place where windows are declared.
pub trait Source {
    /// Puts the list on the board now and at each change, until `shutdown`. What can't be understood changes nothing:
    /// the last good list stays.
    fn follow(self, board: Board, shutdown: Shutdown);
}
