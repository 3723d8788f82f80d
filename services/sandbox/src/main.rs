//! The `sandbox` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::run("sandbox", sandbox::METRICS, sandbox::run)
}
