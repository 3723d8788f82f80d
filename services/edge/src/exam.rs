//! Mock exams: converts between JSON and the messages of the exam service.

pub(crate) mod question;
pub(crate) mod sitting;

use crate::error::Error;

fn incomplete(what: &str) -> Error {
    tracing::error!(what, "exam left something out");
    Error::Internal
}
