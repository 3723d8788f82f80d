//! Tests of the running product while its parts fail. They are in `tests`; this crate has no other code than what finds the
//! programs that they start.

use std::path::PathBuf;

/// The program `name` of the same build as the tests: `dev`, or a service.
///
/// # Panics
///
/// Where the path of the running test is unknown.
#[must_use]
#[expect(clippy::expect_used, reason = "a test that cannot be set up should panic")]
pub fn find_program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a process knows its program");
    // target/debug/deps/faults-HASH
    test.ancestors().nth(2).expect("it stands in a target folder").join(name)
}
