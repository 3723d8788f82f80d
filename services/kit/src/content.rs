//! Folders of content, as their authors write them: YAML files that are read and checked whole before anything of them
//! is applied.
//!
//! `lms import`, `desk import` and `commerce import` read them the same way, tell all that is wrong at once as
//! `file:line: field: reason`, and can tell what they would change without changing it.

mod difference;
mod fault;
mod file;
pub mod moment;

pub use difference::Difference;
pub use fault::Faults;
pub use file::{File, files};
