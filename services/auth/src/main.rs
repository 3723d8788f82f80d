//! The `auth` command.

fn main() -> std::process::ExitCode {
    auth::main()
}
