//! The answers of learners, and the keys that grade them.

use serde::{Deserialize, Serialize};

/// An answer as a learner sent it.
#[derive(Debug)]
pub(crate) enum AnswerInput {
    /// Ids of choices.
    Choices(Vec<i32>),
    /// As typed.
    Number(String),
    /// As typed.
    Text(String),
}

/// A valid answer to its question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnswerValue {
    /// Ids of choices in ascending order, each once.
    Choices(Vec<i32>),
    /// A number as typed.
    Number(String),
    /// A text as typed. It is not blank.
    Text(String),
}

/// The key of a question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Key {
    /// Exactly these choices, in ascending order.
    Choices(Vec<i32>),
    /// A number, however it is typed.
    Number(String),
    /// Any of these texts. The first is shown.
    Texts(Vec<String>),
}
