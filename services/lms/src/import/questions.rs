//! The questions of a lesson, as their authors wrote them.

use kit_content::File;
use serde::Deserialize;
use serde_saphyr::Spanned;

use super::check::{check_child_id, check_url};
use crate::question::{Key, Number, Picture, Question, QuestionKind};

/// The most questions of a lesson.
const MOST: usize = 50;
/// The most choices of a question.
const MOST_CHOICES: usize = 10;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionEntry {
    id: Spanned<i64>,
    kind: Spanned<String>,
    prompt: Spanned<String>,
    picture: Option<Spanned<Picture>>,
    choices: Option<Spanned<Vec<Spanned<String>>>>,
    answer: Spanned<AnswerEntry>,
    hint: Option<Spanned<String>>,
    explanation: Spanned<String>,
    #[serde(default)]
    required: bool,
    watch_again_at: Option<Spanned<i32>>,
}

/// The number of one choice or of several, a number, one text or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnswerEntry {
    Whole(i64),
    Decimal(f64),
    Text(String),
    Wholes(Vec<i64>),
    Texts(Vec<String>),
}

/// Checks the questions of a lesson. `duration` is in seconds.
pub(super) fn check(
    file: &mut File<'_>,
    entries: Option<Spanned<Vec<QuestionEntry>>>,
    lesson: i64,
    duration: i32,
) -> Vec<Question> {
    let Some(entries) = entries else { return Vec::new() };
    if entries.value.len() > MOST {
        file.fault(&entries, "questions", format!("has more than {MOST}"));
    }
    let mut taken = Vec::new();
    let positions = 1..;
    let entries = file.some(entries, "questions").into_iter().zip(positions);
    entries
        .map(|(entry, position)| {
            let id = check_child_id(file, &entry.id, lesson, &mut taken);
            check_one(file, entry, id, lesson, position, duration)
        })
        .collect()
}

fn check_one(
    file: &mut File<'_>,
    entry: QuestionEntry,
    id: i64,
    lesson_id: i64,
    position: i32,
    duration: i32,
) -> Question {
    let kind = parse_kind(file, entry.kind);
    let choices = check_choices(file, &entry.id, entry.choices, kind);
    let key = check_key(file, &entry.answer, kind, choices.len());
    let watch_again_at = entry.watch_again_at.map(|at| {
        if !(0..duration).contains(&at.value) {
            file.fault(&at, "watch_again_at", format!("is not within the {duration} seconds of the lesson"));
        }
        at.value
    });
    Question {
        id,
        lesson_id,
        position,
        kind,
        prompt: check_text(file, entry.prompt, "prompt"),
        picture: entry.picture.map(|picture| {
            let Picture { url, alt } = &picture.value;
            check_url(file, &picture, "picture", url);
            if alt.trim().is_empty() {
                file.fault(&picture, "picture", "has no words for those who do not see it");
            }
            picture.value
        }),
        choices,
        key,
        hint: entry.hint.map(|hint| check_text(file, hint, "hint")),
        explanation: check_text(file, entry.explanation, "explanation"),
        is_required: entry.required,
        watch_again_at,
    }
}

fn parse_kind(file: &mut File<'_>, kind: Spanned<String>) -> QuestionKind {
    match file.one_of(kind, "kind", &["single", "multiple", "number", "text"]).as_str() {
        "multiple" => QuestionKind::Multiple,
        "number" => QuestionKind::Number,
        "text" => QuestionKind::Text,
        _ => QuestionKind::Single,
    }
}

fn check_choices(
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

fn check_key(file: &mut File<'_>, answer: &Spanned<AnswerEntry>, kind: QuestionKind, choices: usize) -> Key {
    let key = match kind {
        QuestionKind::Single | QuestionKind::Multiple => parse_choices(&answer.value, kind, choices),
        QuestionKind::Number => parse_number(&answer.value),
        QuestionKind::Text => parse_texts(&answer.value),
    };
    key.unwrap_or_else(|reason| {
        file.fault(answer, "answer", reason);
        Key::Texts(Vec::new())
    })
}

fn parse_choices(answer: &AnswerEntry, kind: QuestionKind, choices: usize) -> Result<Key, String> {
    let numbers = match (answer, kind) {
        (AnswerEntry::Whole(number), QuestionKind::Single) => vec![*number],
        (AnswerEntry::Wholes(numbers), QuestionKind::Multiple) if !numbers.is_empty() => numbers.clone(),
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

fn parse_number(answer: &AnswerEntry) -> Result<Key, String> {
    let text = match answer {
        AnswerEntry::Whole(number) => number.to_string(),
        AnswerEntry::Decimal(number) => number.to_string(),
        AnswerEntry::Text(text) => text.clone(),
        AnswerEntry::Wholes(_) | AnswerEntry::Texts(_) => return Err("is not one number".to_owned()),
    };
    match Number::parse(&text) {
        Some(_) => Ok(Key::Number(text)),
        None => Err(format!("'{text}' is no number like -1,234.5 or 3/4")),
    }
}

fn parse_texts(answer: &AnswerEntry) -> Result<Key, String> {
    let texts = match answer {
        AnswerEntry::Text(text) => vec![text.clone()],
        AnswerEntry::Texts(texts) => texts.clone(),
        _ => return Err("is not a text or a list of texts; quote what looks like a number".to_owned()),
    };
    let says_nothing = |text: &String| text.trim().is_empty() || text.chars().any(char::is_control);
    if texts.is_empty() || texts.iter().any(says_nothing) {
        return Err("has a text that says nothing".to_owned());
    }
    Ok(Key::Texts(texts))
}

/// Checks a text. It may contain TeX between dollar signs.
fn check_text(file: &mut File<'_>, text: Spanned<String>, field: &str) -> String {
    if !text.value.matches('$').count().is_multiple_of(2) {
        file.fault(&text, field, "has a $ without the other one");
    }
    file.text(text, field)
}
