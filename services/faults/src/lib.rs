//! Tests of the running product while its parts fail. They are in `tests`. This crate only finds
//! the programs that they start.

use std::path::PathBuf;

/// Returns the path of the program `name` from the same build as the tests: `dev`, or a service.
///
/// # Panics
///
/// If the path of the running test is unknown.
#[must_use]
#[expect(clippy::expect_used, reason = "a test that cannot be set up should panic")]
pub fn find_program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the path of the test program is known");
    // target/debug/deps/faults-HASH
    test.ancestors().nth(2).expect("the test program is in a target folder").join(name)
}
