//! The `desk` command.

fn main() -> std::process::ExitCode {
    desk::main()
}
