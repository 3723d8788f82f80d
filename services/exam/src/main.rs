//! The `exam` command.

fn main() -> std::process::ExitCode {
    exam::main()
}
