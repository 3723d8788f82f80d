//! The `site` command.

fn main() -> std::process::ExitCode {
    site::main()
}
