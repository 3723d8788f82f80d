//! Mock exams: converts between JSON and the messages of the exam service.

pub(crate) mod answers;
pub(crate) mod applications;
pub(crate) mod checks;
pub(crate) mod child_results;
pub(crate) mod exams;
pub(crate) mod export;
pub(crate) mod figures;
mod forms;
mod lessons;
pub(crate) mod paper_result;
pub(crate) mod pictures;
mod places;
pub(crate) mod question;
pub(crate) mod receipts;
pub(crate) mod record;
pub(crate) mod result;
pub(crate) mod schools;
pub(crate) mod sitting;

use crate::error::Error;

fn incomplete(what: &str) -> Error {
    Error::incomplete("exam", what)
}
