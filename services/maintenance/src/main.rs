//! The `maintenance` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::run("maintenance", maintenance::METRICS, maintenance::run)
}
