//! `desk serve | migrate | import-postal`

fn main() -> std::process::ExitCode {
    kit::run("desk", desk::run)
}
