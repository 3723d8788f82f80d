//! Content: YAML files of authors, validated as a whole before anything is applied.
//!
//! `lms import`, `desk import` and `commerce import` read it from a folder or an [`archive`]. They report all faults at once
//! as `file:line: field: reason`. A dry run prints the changes and applies none.

#![warn(missing_docs)]

pub mod archive;
mod arguments;
pub mod date_time;
mod difference;
mod fault;
mod file;
mod folder;
pub mod question;
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
