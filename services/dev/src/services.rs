//! Which services there are.

/// Those with an image: everything that runs in a cluster.
pub(crate) const SERVICES: [&str; 7] = ["auth", "lms", "desk", "commerce", "maintenance", "edge", "site"];
/// Those with a database of their own.
pub(crate) const WITH_DATABASE: [&str; 4] = ["auth", "commerce", "desk", "lms"];
