//! The faults of a folder, each with its location.

use std::fmt;

/// One fault. Ordered by file and line.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fault {
    file: String,
    /// `None` for a fault of the whole file.
    line: Option<u64>,
    field: String,
    reason: String,
}

/// All faults of a folder.
#[derive(Debug, Default)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Adds a fault of `field` in `line` of `file`.
    pub fn add(&mut self, file: &str, line: u64, field: &str, reason: impl Into<String>) {
        let line = Some(line);
        self.0.push(Fault { file: file.into(), line, field: field.into(), reason: reason.into() });
    }

    /// Adds a fault of a whole file.
    pub fn add_whole(&mut self, file: &str, field: &str, reason: impl Into<String>) {
        self.0.push(Fault { file: file.into(), line: None, field: field.into(), reason: reason.into() });
    }

    /// `Ok` without faults.
    pub fn into_result(mut self) -> Result<(), Self> {
        self.0.sort();
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "nothing was imported; {} to mend", self.0.len())?;
        for Fault { file, line, field, reason } in &self.0 {
            match line {
                Some(line) => write!(out, "\n{file}:{line}: {field}: {reason}")?,
                None => write!(out, "\n{file}: {field}: {reason}")?,
            }
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
