//! The REST edge: JSON to gRPC, identity, limits.
fn main() {}
