//! Maintenance windows, from where engineers declare them to every edge.
fn main() {}
