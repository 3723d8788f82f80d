//! The `desk` command.

fn main() -> std::process::ExitCode {
    kit::run("desk", desk::METRICS, desk::run)
}
