//! What is wrong with a folder: everything at once, each where it stands.

use std::fmt;

/// One thing that is wrong. In the order of files and lines.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fault {
    file: String,
    /// Absent where something is missing from the file.
    line: Option<u64>,
    field: String,
    reason: String,
}

/// Everything that is wrong.
#[derive(Debug, Default)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Notes that `field`, in `line` of `file`, is wrong.
    pub fn add(&mut self, file: &str, line: u64, field: &str, reason: impl Into<String>) {
        let line = Some(line);
        self.0.push(Fault { file: file.into(), line, field: field.into(), reason: reason.into() });
    }

    /// Notes that something about a whole file is wrong.
    pub fn add_whole(&mut self, file: &str, field: &str, reason: impl Into<String>) {
        self.0.push(Fault { file: file.into(), line: None, field: field.into(), reason: reason.into() });
    }

    /// Good where there are none.
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
