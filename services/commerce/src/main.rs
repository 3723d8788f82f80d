//! The `commerce` command.

fn main() -> std::process::ExitCode {
    commerce::main()
}
