//! `commerce serve | migrate | import`

fn main() -> std::process::ExitCode {
    kit::run("commerce", commerce::run)
}
