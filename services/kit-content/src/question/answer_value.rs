//! The answers of learners, and the keys that grade them.

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use super::QuestionKind;
use super::number::Number;

/// The longest typed answer, in characters.
const LONGEST: usize = 200;

/// An answer as a learner sent it.
#[derive(Debug)]
pub enum AnswerInput {
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
pub enum AnswerValue {
    /// Ids of choices in ascending order, each once.
    Choices(Vec<i32>),
    /// A number as typed. It can be parsed.
    Number(String),
    /// A text as typed. It is not blank.
    Text(String),
}

impl AnswerValue {
    /// Checks an answer to a question of this kind with this number of choices.
    ///
    /// # Errors
    ///
    /// A stable reason: `REQUIRED`, `UNKNOWN_CHOICE`, `TOO_LONG` or `INVALID_FORMAT`.
    pub fn parse(
        answer: Option<AnswerInput>,
        kind: QuestionKind,
        choices: usize,
    ) -> Result<Self, &'static str> {
        match (answer.ok_or("REQUIRED")?, kind) {
            (AnswerInput::Choices(mut ids), QuestionKind::Single | QuestionKind::Multiple) => {
                ids.sort_unstable();
                ids.dedup();
                let is_known = |id: &i32| usize::try_from(*id).is_ok_and(|id| (1..=choices).contains(&id));
                match ids.len() {
                    0 => Err("REQUIRED"),
                    _ if !ids.iter().all(is_known) => Err("UNKNOWN_CHOICE"),
                    2.. if kind == QuestionKind::Single => Err("INVALID_FORMAT"),
                    _ => Ok(Self::Choices(ids)),
                }
            }
            (AnswerInput::Number(typed), QuestionKind::Number) => {
                let typed = typed_text(typed)?;
                Number::parse(&typed).map(|_| Self::Number(typed)).ok_or("INVALID_FORMAT")
            }
            (AnswerInput::Text(typed), QuestionKind::Text) => Ok(Self::Text(typed_text(typed)?)),
            _ => Err("INVALID_FORMAT"),
        }
    }

    /// The texts of the choices, or the answer as typed.
    #[must_use]
    pub fn to_words(&self, choices: &[String]) -> String {
        match self {
            Self::Choices(ids) => {
                let chosen = (1..).zip(choices).filter(|(id, _)| ids.contains(id));
                chosen.map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("、")
            }
            Self::Number(typed) | Self::Text(typed) => typed.clone(),
        }
    }

    /// Whether two answers are equal, apart from how they are typed.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Choices(one), Self::Choices(other)) => one == other,
            (Self::Number(one), Self::Number(other)) => Number::parse(one) == Number::parse(other),
            (Self::Text(one), Self::Text(other)) => folded(one) == folded(other),
            _ => false,
        }
    }
}

/// The key of a question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// Exactly these choices, in ascending order.
    Choices(Vec<i32>),
    /// A number in any notation.
    Number(String),
    /// Any of these texts. The first is shown.
    Texts(Vec<String>),
}

impl Key {
    /// Whether the answer is right.
    #[must_use]
    pub fn admits(&self, given: &AnswerValue) -> bool {
        match (self, given) {
            (Self::Choices(right), AnswerValue::Choices(chosen)) => right == chosen,
            (Self::Number(right), AnswerValue::Number(typed)) => Number::parse(right) == Number::parse(typed),
            (Self::Texts(right), AnswerValue::Text(typed)) => {
                right.iter().any(|right| folded(right) == folded(typed))
            }
            _ => false,
        }
    }
}

fn typed_text(typed: String) -> Result<String, &'static str> {
    if typed.chars().all(char::is_whitespace) {
        Err("REQUIRED")
    } else if typed.chars().count() > LONGEST {
        Err("TOO_LONG")
    } else if typed.chars().any(char::is_control) {
        Err("INVALID_FORMAT")
    } else {
        Ok(typed)
    }
}

/// Normalizes width, case, quotation marks and spaces.
fn folded(text: &str) -> String {
    let text: String = text.nfkc().collect::<String>().to_lowercase();
    let words: Vec<_> = text.split_whitespace().collect();
    let quote = |char| match char {
        '‘' | '’' | 'ʼ' | '′' | '`' | '´' => '\'',
        '“' | '”' | '″' => '"',
        char => char,
    };
    words.join(" ").chars().map(quote).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_alike_in_any_width_case_and_spacing() {
        let key =
            Key::Texts(vec!["I'm a student".to_owned(), "I am a student".to_owned(), "光合成".to_owned()]);
        for right in [
            "I'm a student",
            " i’m A  STUDENT　",
            "Ｉ am a student",
            "I AM\u{3000}A STUDENT",
            "光合成",
            "　光合成 ",
        ] {
            assert!(key.admits(&AnswerValue::Text(right.to_owned())), "{right}");
        }
        for wrong in ["Im a student", "I am student", "光 合成", "光合", "I am a student?"] {
            assert!(!key.admits(&AnswerValue::Text(wrong.to_owned())), "{wrong}");
        }
        assert!(AnswerValue::Text("ＡＢ c".to_owned()).is_same(&AnswerValue::Text(" ab　C".to_owned())));
    }

    #[test]
    fn a_number_is_right_however_it_is_written() {
        let key = Key::Number("3/4".to_owned());
        for (typed, is_right) in [("0.75", true), ("６／８", true), ("-0.75", false), ("0.7", false)] {
            assert_eq!(key.admits(&AnswerValue::Number(typed.to_owned())), is_right, "{typed}");
        }
    }

    #[test]
    fn choices_are_right_as_a_whole() {
        let key = Key::Choices(vec![1, 3]);
        for (chosen, is_right) in
            [(vec![1, 3], true), (vec![1], false), (vec![3], false), (vec![1, 2, 3], false)]
        {
            assert_eq!(key.admits(&AnswerValue::Choices(chosen.clone())), is_right, "{chosen:?}");
        }
    }

    #[test]
    fn only_answers_that_fit_the_question_are_valid() {
        let choices = |ids: &[i32]| Some(AnswerInput::Choices(ids.to_vec()));
        let number = |typed: &str| Some(AnswerInput::Number(typed.to_owned()));
        let text = |typed: &str| Some(AnswerInput::Text(typed.to_owned()));
        let long = "あ".repeat(201);
        let table = [
            (QuestionKind::Single, None, Err("REQUIRED")),
            (QuestionKind::Single, choices(&[]), Err("REQUIRED")),
            (QuestionKind::Single, choices(&[2]), Ok(AnswerValue::Choices(vec![2]))),
            (QuestionKind::Single, choices(&[2, 2]), Ok(AnswerValue::Choices(vec![2]))),
            (QuestionKind::Single, choices(&[1, 2]), Err("INVALID_FORMAT")),
            (QuestionKind::Single, choices(&[4]), Err("UNKNOWN_CHOICE")),
            (QuestionKind::Single, choices(&[0]), Err("UNKNOWN_CHOICE")),
            (QuestionKind::Single, choices(&[i32::MIN]), Err("UNKNOWN_CHOICE")),
            (QuestionKind::Single, text("2"), Err("INVALID_FORMAT")),
            (QuestionKind::Multiple, choices(&[3, 1, 3]), Ok(AnswerValue::Choices(vec![1, 3]))),
            (QuestionKind::Multiple, number("1"), Err("INVALID_FORMAT")),
            (QuestionKind::Number, number(" ３ "), Ok(AnswerValue::Number(" ３ ".to_owned()))),
            (QuestionKind::Number, number("three"), Err("INVALID_FORMAT")),
            (QuestionKind::Number, number("　"), Err("REQUIRED")),
            (QuestionKind::Number, choices(&[1]), Err("INVALID_FORMAT")),
            (QuestionKind::Text, text("am"), Ok(AnswerValue::Text("am".to_owned()))),
            (QuestionKind::Text, text(" 　"), Err("REQUIRED")),
            (QuestionKind::Text, text("a\0"), Err("INVALID_FORMAT")),
            (QuestionKind::Text, text(&long), Err("TOO_LONG")),
        ];
        for (kind, input, wanted) in table {
            let row = format!("{kind:?} {input:?}");
            assert_eq!(AnswerValue::parse(input, kind, 3), wanted, "{row}");
        }
    }
}
