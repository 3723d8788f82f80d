//! What the school tells and is told: notices, answers, inquiries, success stories, entrance exams.

pub(crate) mod contact;
pub(crate) mod entry_exam;
pub(crate) mod faq;
pub(crate) mod feed;
pub(crate) mod notice;
pub(crate) mod success;

use crate::error::Error;

fn incomplete(what: &str) -> Error {
    tracing::error!(what, "desk left something out");
    Error::Internal
}
