//! What is wrong with a folder: everything at once, each where it stands.

use std::fmt;

/// One thing that is wrong.
#[derive(Debug)]
struct Fault {
    /// `file:line`, or the file alone where something is missing from it.
    place: String,
    field: String,
    reason: String,
}

/// Everything that is wrong.
#[derive(Debug, Default)]
pub(super) struct Faults(Vec<Fault>);

impl Faults {
    /// Notes that `field`, in `line` of `file`, is wrong.
    pub(super) fn add(&mut self, file: &str, line: u64, field: &str, reason: impl Into<String>) {
        self.0.push(Fault { place: format!("{file}:{line}"), field: field.into(), reason: reason.into() });
    }

    /// Notes that something about a whole file is wrong.
    pub(super) fn add_whole(&mut self, file: &str, field: &str, reason: impl Into<String>) {
        self.0.push(Fault { place: file.into(), field: field.into(), reason: reason.into() });
    }

    /// Good where there are none.
    pub(super) fn into_result(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "nothing was imported; {} to mend", self.0.len())?;
        for Fault { place, field, reason } in &self.0 {
            write!(out, "\n{place}: {field}: {reason}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
