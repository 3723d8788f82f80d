//! Questions: their kinds, answers and keys, and the checks of what authors write about them.

mod answer_value;
mod check;
mod number;

pub use answer_value::{AnswerInput, AnswerValue, Key};
pub use check::{KeyEntry, check_choices, check_key, check_text, parse_kind};
pub use number::Number;

use serde::{Deserialize, Serialize};

/// How a question is answered.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum QuestionKind {
    /// Exactly one choice is right.
    Single,
    /// All right choices and no others are required.
    Multiple,
    /// A number.
    Number,
    /// A short text.
    Text,
}
