//! Maintenance windows, from where engineers declare them to every edge.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::run("maintenance", maintenance::run)
}
