//! Content, as its authors write it: YAML files that are read and checked whole before anything of them is applied.
//!
//! `lms import`, `desk import` and `commerce import` read them the same way, from a folder or from an [`archive`], tell
//! all that is wrong at once as `file:line: field: reason`, and can tell what they would change without changing it.

pub mod archive;
mod arguments;
mod difference;
mod fault;
mod file;
mod folder;
pub mod moment;
pub mod record;
mod signature;
mod source;

pub use arguments::Content;
pub use difference::Difference;
pub use fault::Faults;
pub use file::{File, files};
pub use folder::Folder;
pub use signature::{PublicKey, SigningKey};
pub use source::Source;
