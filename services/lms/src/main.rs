//! `lms serve | migrate | import`

fn main() -> std::process::ExitCode {
    kit::run("lms", lms::METRICS, lms::run)
}
