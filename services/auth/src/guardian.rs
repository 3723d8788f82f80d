//! Guardians: links to learners, consent, and what learners see of them.

pub(crate) mod code;
pub(crate) mod consent;
pub(crate) mod contact;
pub(crate) mod link;
pub(crate) mod mailbox;
pub(crate) mod view;
pub(crate) mod withdrawal;
