//! Accounts, sessions, tokens and keys.
fn main() {}
