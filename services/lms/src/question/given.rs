//! What learners answer, and the key that it is held against.

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use super::Kind;
use super::number::Number;

/// The longest answer that is typed, in characters.
const LONGEST: usize = 200;

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

/// An answer of a form that fits its question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Given {
    /// Ids of choices, from the lowest on, each once.
    Choices(Vec<i32>),
    /// As typed; it can be read.
    Number(String),
    /// As typed; it says something.
    Text(String),
}

impl Given {
    /// Reads an answer to a question of that kind with so many choices. An error is a stable reason.
    pub(crate) fn read(
        answer: Option<AnswerInput>,
        kind: Kind,
        choices: usize,
    ) -> Result<Self, &'static str> {
        match (answer.ok_or("REQUIRED")?, kind) {
            (AnswerInput::Choices(mut ids), Kind::Single | Kind::Multiple) => {
                ids.sort_unstable();
                ids.dedup();
                let is_known = |id: &i32| usize::try_from(*id).is_ok_and(|id| (1..=choices).contains(&id));
                match ids.len() {
                    0 => Err("REQUIRED"),
                    _ if !ids.iter().all(is_known) => Err("UNKNOWN_CHOICE"),
                    2.. if kind == Kind::Single => Err("INVALID_FORMAT"),
                    _ => Ok(Self::Choices(ids)),
                }
            }
            (AnswerInput::Number(typed), Kind::Number) => {
                let typed = typed_text(typed)?;
                Number::read(&typed).map(|_| Self::Number(typed)).ok_or("INVALID_FORMAT")
            }
            (AnswerInput::Text(typed), Kind::Text) => Ok(Self::Text(typed_text(typed)?)),
            _ => Err("INVALID_FORMAT"),
        }
    }

    /// In words: what the choices say, or as typed.
    pub(crate) fn told(&self, choices: &[String]) -> String {
        match self {
            Self::Choices(ids) => {
                let chosen = (1..).zip(choices).filter(|(id, _)| ids.contains(id));
                chosen.map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("、")
            }
            Self::Number(typed) | Self::Text(typed) => typed.clone(),
        }
    }

    /// Whether it says the same, however it is written.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Choices(one), Self::Choices(other)) => one == other,
            (Self::Number(one), Self::Number(other)) => Number::read(one) == Number::read(other),
            (Self::Text(one), Self::Text(other)) => folded(one) == folded(other),
            _ => false,
        }
    }
}

/// What is right.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Key {
    /// Just these choices, from the lowest on.
    Choices(Vec<i32>),
    /// This number.
    Number(String),
    /// Any of these texts; the first is shown.
    Texts(Vec<String>),
}

impl Key {
    /// Whether that is right.
    pub(crate) fn admits(&self, given: &Given) -> bool {
        match (self, given) {
            (Self::Choices(right), Given::Choices(chosen)) => right == chosen,
            (Self::Number(right), Given::Number(typed)) => Number::read(right) == Number::read(typed),
            (Self::Texts(right), Given::Text(typed)) => {
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

/// In one width and case, with one kind of quotation marks, and single spaces between words.
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
            assert!(key.admits(&Given::Text(right.to_owned())), "{right}");
        }
        for wrong in ["Im a student", "I am student", "光 合成", "光合", "I am a student?"] {
            assert!(!key.admits(&Given::Text(wrong.to_owned())), "{wrong}");
        }
        assert!(Given::Text("ＡＢ c".to_owned()).is_same(&Given::Text(" ab　C".to_owned())));
    }

    #[test]
    fn a_number_is_right_however_it_is_written() {
        let key = Key::Number("3/4".to_owned());
        for (typed, is_right) in [("0.75", true), ("６／８", true), ("-0.75", false), ("0.7", false)] {
            assert_eq!(key.admits(&Given::Number(typed.to_owned())), is_right, "{typed}");
        }
    }

    #[test]
    fn choices_are_right_as_a_whole() {
        let key = Key::Choices(vec![1, 3]);
        for (chosen, is_right) in
            [(vec![1, 3], true), (vec![1], false), (vec![3], false), (vec![1, 2, 3], false)]
        {
            assert_eq!(key.admits(&Given::Choices(chosen.clone())), is_right, "{chosen:?}");
        }
    }

    #[test]
    fn only_an_answer_that_fits_its_question_is_taken() {
        let choices = |ids: &[i32]| Some(AnswerInput::Choices(ids.to_vec()));
        let number = |typed: &str| Some(AnswerInput::Number(typed.to_owned()));
        let text = |typed: &str| Some(AnswerInput::Text(typed.to_owned()));
        let long = "あ".repeat(201);
        let table = [
            (Kind::Single, None, Err("REQUIRED")),
            (Kind::Single, choices(&[]), Err("REQUIRED")),
            (Kind::Single, choices(&[2]), Ok(Given::Choices(vec![2]))),
            (Kind::Single, choices(&[2, 2]), Ok(Given::Choices(vec![2]))),
            (Kind::Single, choices(&[1, 2]), Err("INVALID_FORMAT")),
            (Kind::Single, choices(&[4]), Err("UNKNOWN_CHOICE")),
            (Kind::Single, choices(&[0]), Err("UNKNOWN_CHOICE")),
            (Kind::Single, choices(&[i32::MIN]), Err("UNKNOWN_CHOICE")),
            (Kind::Single, text("2"), Err("INVALID_FORMAT")),
            (Kind::Multiple, choices(&[3, 1, 3]), Ok(Given::Choices(vec![1, 3]))),
            (Kind::Multiple, number("1"), Err("INVALID_FORMAT")),
            (Kind::Number, number(" ３ "), Ok(Given::Number(" ３ ".to_owned()))),
            (Kind::Number, number("three"), Err("INVALID_FORMAT")),
            (Kind::Number, number("　"), Err("REQUIRED")),
            (Kind::Number, choices(&[1]), Err("INVALID_FORMAT")),
            (Kind::Text, text("am"), Ok(Given::Text("am".to_owned()))),
            (Kind::Text, text(" 　"), Err("REQUIRED")),
            (Kind::Text, text("a\0"), Err("INVALID_FORMAT")),
            (Kind::Text, text(&long), Err("TOO_LONG")),
        ];
        for (kind, input, wanted) in table {
            let row = format!("{kind:?} {input:?}");
            assert_eq!(Given::read(input, kind, 3), wanted, "{row}");
        }
    }
}
