//! Who looks after whom.

pub(crate) mod code;
pub(crate) mod consent;
pub(crate) mod link;
pub(crate) mod view;
