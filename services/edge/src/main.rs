//! The REST edge: `edge serve | schema`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::run("edge", edge::METRICS, edge::run)
}
