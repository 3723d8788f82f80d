//! The `commerce` command.

fn main() -> std::process::ExitCode {
    kit::run("commerce", commerce::METRICS, commerce::run)
}
