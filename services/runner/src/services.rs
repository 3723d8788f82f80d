//! Which services there are.

/// Those with an image: everything that runs in a cluster.
pub const SERVICES: [&str; 7] = ["auth", "lms", "desk", "commerce", "maintenance", "edge", "site"];
/// Those with a database of their own.
pub const WITH_DATABASE: [&str; 4] = ["auth", "commerce", "desk", "lms"];
