//! Accounts, sessions, tokens and keys.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::run("auth", auth::run)
}
