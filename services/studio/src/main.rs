//! `studio draw | plan`

use std::process::ExitCode;

fn main() -> ExitCode {
    studio::run()
}
