//! `exam serve | migrate | import`

fn main() -> std::process::ExitCode {
    kit::run("exam", exam::METRICS, exam::run)
}
