//! The list of services.

/// Services with a container image: all that run in a cluster.
pub const SERVICES: [&str; 9] =
    ["auth", "lms", "exam", "desk", "commerce", "maintenance", "edge", "site", SANDBOX];
/// The stand-in for the payment provider: runs on laptops and in developers' clusters, never in production.
pub const SANDBOX: &str = "sandbox";
/// Services with a database.
pub const WITH_DATABASE: [&str; 5] = ["auth", "commerce", "desk", "exam", "lms"];
