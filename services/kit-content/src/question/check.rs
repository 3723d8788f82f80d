//! The checks of what authors write about questions.

use serde::Deserialize;
use serde_saphyr::Spanned;

use super::{Key, Number, QuestionKind};
use crate::File;

/// The most choices of a question.
const MOST_CHOICES: usize = 10;

/// A key as authors write it: the number of one choice or of several, a number, one text or several.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum KeyEntry {
    /// A choice, or a number.
    Whole(i64),
    /// A number.
    Decimal(f64),
    /// A text, or a number in quotation marks.
    Text(String),
    /// Choices.
    Wholes(Vec<i64>),
    /// Texts.
    Texts(Vec<String>),
}

/// Parses a kind: `single`, `multiple`, `number` or `text`.
pub fn parse_kind(file: &mut File<'_>, kind: Spanned<String>) -> QuestionKind {
    match file.one_of(kind, "kind", &["single", "multiple", "number", "text"]).as_str() {
        "multiple" => QuestionKind::Multiple,
        "number" => QuestionKind::Number,
        "text" => QuestionKind::Text,
        _ => QuestionKind::Single,
    }
}

/// Checks the choices of a question. `id` is the place of the fault if there are none.
pub fn check_choices(
    file: &mut File<'_>,
    id: &Spanned<i64>,
    choices: Option<Spanned<Vec<Spanned<String>>>>,
    kind: QuestionKind,
) -> Vec<String> {
    let is_choice = matches!(kind, QuestionKind::Single | QuestionKind::Multiple);
    let Some(choices) = choices else {
        if is_choice {
            file.fault(id, "choices", "there is nothing to choose from");
        }
        return Vec::new();
    };
    if !is_choice {
        file.fault(&choices, "choices", "nothing is chosen in a question of this kind");
    } else if !(2..=MOST_CHOICES).contains(&choices.value.len()) {
        file.fault(&choices, "choices", format!("are not 2 to {MOST_CHOICES}"));
    }
    let mut texts: Vec<String> = Vec::new();
    for choice in choices.value {
        if texts.contains(&choice.value) {
            file.fault(&choice, "choices", format!("'{}' is there twice", choice.value));
        }
        texts.push(check_text(file, choice, "choices"));
    }
    texts
}

/// Checks the key of a question with this number of choices. `field` is its name in the file.
pub fn check_key(
    file: &mut File<'_>,
    answer: &Spanned<KeyEntry>,
    field: &str,
    kind: QuestionKind,
    choices: usize,
) -> Key {
    let key = match kind {
        QuestionKind::Single | QuestionKind::Multiple => parse_choices(&answer.value, kind, choices),
        QuestionKind::Number => parse_number(&answer.value),
        QuestionKind::Text => parse_texts(&answer.value),
    };
    key.unwrap_or_else(|reason| {
        file.fault(answer, field, reason);
        Key::Texts(Vec::new())
    })
}

fn parse_choices(answer: &KeyEntry, kind: QuestionKind, choices: usize) -> Result<Key, String> {
    let numbers = match (answer, kind) {
        (KeyEntry::Whole(number), QuestionKind::Single) => vec![*number],
        (KeyEntry::Wholes(numbers), QuestionKind::Multiple) if !numbers.is_empty() => numbers.clone(),
        (_, QuestionKind::Single) => return Err("is not the number of a choice".to_owned()),
        _ => return Err("is not a list of the numbers of choices".to_owned()),
    };
    let mut ids = Vec::new();
    for number in numbers {
        let id = usize::try_from(number).ok().filter(|number| (1..=choices).contains(number));
        let id = id.and_then(|id| i32::try_from(id).ok());
        match id {
            None => return Err(format!("there is no choice {number}")),
            Some(id) if ids.contains(&id) => return Err(format!("{id} is there twice")),
            Some(id) => ids.push(id),
        }
    }
    ids.sort_unstable();
    Ok(Key::Choices(ids))
}

fn parse_number(answer: &KeyEntry) -> Result<Key, String> {
    let text = match answer {
        KeyEntry::Whole(number) => number.to_string(),
        KeyEntry::Decimal(number) => number.to_string(),
        KeyEntry::Text(text) => text.clone(),
        KeyEntry::Wholes(_) | KeyEntry::Texts(_) => return Err("is not one number".to_owned()),
    };
    match Number::parse(&text) {
        Some(_) => Ok(Key::Number(text)),
        None => Err(format!("'{text}' is no number like -1,234.5 or 3/4")),
    }
}

fn parse_texts(answer: &KeyEntry) -> Result<Key, String> {
    let texts = match answer {
        KeyEntry::Text(text) => vec![text.clone()],
        KeyEntry::Texts(texts) => texts.clone(),
        _ => return Err("is not a text or a list of texts; quote what looks like a number".to_owned()),
    };
    let says_nothing = |text: &String| text.trim().is_empty() || text.chars().any(char::is_control);
    if texts.is_empty() || texts.iter().any(says_nothing) {
        return Err("has a text that says nothing".to_owned());
    }
    Ok(Key::Texts(texts))
}

/// Checks a text. It may contain TeX between dollar signs.
pub fn check_text(file: &mut File<'_>, text: Spanned<String>, field: &str) -> String {
    if !text.value.matches('$').count().is_multiple_of(2) {
        file.fault(&text, field, "has a $ without the other one");
    }
    file.text(text, field)
}
