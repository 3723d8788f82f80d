//! Test helpers: the cases of fields and of mailboxes.

mod form;
mod mailbox;

pub use form::{FormCase, form_cases};
pub use mailbox::MAILBOXES;
