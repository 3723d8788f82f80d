//! Which services there are.

/// Those with an image: everything that runs in a cluster.
pub const SERVICES: [&str; 9] =
    ["auth", "lms", "exam", "desk", "commerce", "maintenance", "edge", "site", SANDBOX];
/// The stand-in for the payment provider: on a laptop and in a developer's cluster, never where people pay.
pub const SANDBOX: &str = "sandbox";
/// Those with a database of their own.
pub const WITH_DATABASE: [&str; 5] = ["auth", "commerce", "desk", "exam", "lms"];
