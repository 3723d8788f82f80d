//! The static service: what web/ builds, with its statuses and headers.
fn main() {}
