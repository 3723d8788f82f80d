//! Who looks after whom.

pub(crate) mod consent;
