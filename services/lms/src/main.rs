//! The catalogue, inventories, marks and what was watched.
fn main() {}
