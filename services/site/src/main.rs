//! The static service: what web/ builds, with its statuses and headers.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::run("site", site::run)
}
