//! The `maintenance` command.

fn main() -> std::process::ExitCode {
    maintenance::main()
}
