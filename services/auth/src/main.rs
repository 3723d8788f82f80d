//! Accounts, sessions, tokens and signing keys.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::run("auth", auth::METRICS, auth::run)
}
