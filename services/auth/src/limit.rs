//! Rate limits and lockout. They are stored in the database, so all replicas share them. Addresses are stored as keyed
//! hashes only.

pub(crate) mod address;
pub(crate) mod failure;
