//! Failures of commands: one line that says what to do.

use std::error::Error;
use std::fmt::Write as _;
use std::io;

/// Its `Display` with its sources is printed for the user.
pub type Failure = Box<dyn Error + Send + Sync>;

/// The result type of most functions of this crate.
pub type Outcome<T = ()> = Result<T, Failure>;

/// Fails with `message`.
pub fn fail<T>(message: impl Into<String>) -> Outcome<T> {
    Err(message.into().into())
}

/// Adds the current action to an error.
pub trait Doing<T> {
    /// Puts `what` in front of the error.
    fn doing<S: Into<String>>(self, what: impl FnOnce() -> S) -> Outcome<T>;
}

impl<T, E: Into<Failure>> Doing<T> for Result<T, E> {
    fn doing<S: Into<String>>(self, what: impl FnOnce() -> S) -> Outcome<T> {
        self.map_err(|error| {
            let error = error.into();
            let disk_full = is_disk_full(error.as_ref());
            let mut message = format!("{}: {}", what().into(), to_line(error.as_ref()));
            if disk_full {
                let _ = write!(message, "; {DISK_FULL}");
            }
            message.into()
        })
    }
}

/// Advice after the message of a failure.
pub const DISK_FULL: &str = "the disk is full: make room (a first build takes 3 GB, a first test of everything \
                                    12 GB) and run it again";

/// Formats a failure and its sources in one line.
#[must_use]
pub fn to_line(error: &(dyn Error + 'static)) -> String {
    let mut line = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !line.contains(&cause_text) {
            let _ = write!(line, ": {cause_text}");
        }
        source = cause.source();
    }
    line.replace('\n', " ")
}

/// Whether the output of a child process reports a full disk.
#[must_use]
pub fn says_disk_full(output: &str) -> bool {
    output.contains("No space left on device") || output.contains("ENOSPC")
}

fn is_disk_full(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::StorageFull) {
            return true;
        }
        next = error.source();
    }
    false
}

/// The last line of `output` that is not empty.
#[must_use]
pub fn last_line(output: &str) -> &str {
    output.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it said nothing")
}

/// The line of `output` with the cause: npm's first error message that is not a code (its last ones are about npm
/// itself), otherwise the last line.
#[must_use]
pub fn reason(output: &str) -> &str {
    output
        .lines()
        .filter_map(|line| line.strip_prefix("npm error "))
        .find(|line| !line.starts_with("code ") && !line.trim().is_empty())
        .unwrap_or_else(|| last_line(output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_says_what_to_do() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let failure = Err::<(), _>(full).doing(|| "writing state.json").expect_err("it failed");
        assert!(failure.to_string().starts_with("writing state.json: "), "{failure}");
        assert!(failure.to_string().ends_with("run it again"), "{failure}");
    }

    #[test]
    fn the_cause_in_the_output_of_npm_is_found() {
        let output = "npm error code EUSAGE\nnpm error\nnpm error the lock file is out of step\nnpm error A log is in x";
        assert_eq!(reason(output), "the lock file is out of step");
        assert_eq!(reason("one\ntwo\n"), "two");
    }

    #[test]
    fn a_failure_is_one_line() {
        let failure: Failure = "one\ntwo".into();
        assert_eq!(to_line(failure.as_ref()), "one two");
        assert_eq!(last_line("first\nsecond\n\n  \n"), "second");
    }
}
