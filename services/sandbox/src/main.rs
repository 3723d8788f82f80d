//! The `sandbox` command.

fn main() -> std::process::ExitCode {
    sandbox::main()
}
