//! The `lms` command.

fn main() -> std::process::ExitCode {
    lms::main()
}
