//! Sources of windows.

use kit::shutdown::Shutdown;

use crate::board::Board;

/// A place where windows are declared.
pub trait Source {
    /// Writes the list to the board at once and at each change, until `shutdown`. If it cannot be parsed, the last
    /// valid list stays.
    fn follow(self, board: Board, shutdown: Shutdown);
}
