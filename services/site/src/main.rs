//! The `site` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::run("site", site::METRICS, site::run)
}
