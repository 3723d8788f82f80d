//! The `edge` command.

fn main() -> std::process::ExitCode {
    edge::main()
}
