//! Limits on guessing, kept in the database so that all replicas share them. What is limited is stored as a keyed hash
//! only.

pub(crate) mod address;
pub(crate) mod failure;
