//! Converts between JSON and the messages of the desk service: notices, FAQ, inquiries, questions to teachers, interviews,
//! events, notifications, calendar addresses, success stories and entrance exams.

pub(crate) mod calendar_address;
pub(crate) mod contact;
pub(crate) mod entry_exam;
pub(crate) mod faq;
pub(crate) mod feed;
pub(crate) mod interview;
pub(crate) mod interview_learner;
pub(crate) mod interview_slot;
pub(crate) mod member_notice;
pub(crate) mod notice;
pub(crate) mod notification;
pub(crate) mod push_device;
mod question_lesson;
pub(crate) mod question_picture;
pub(crate) mod school_event;
pub(crate) mod shared_question;
pub(crate) mod success;
pub(crate) mod teacher_question;
pub(crate) mod teacher_question_draft;

use crate::error::Error;

fn incomplete(what: &str) -> Error {
    Error::incomplete("desk", what)
}
