//! The questions of a lesson, as authored.

use kit_content::File;
use kit_content::question::{KeyEntry, check_choices, check_key, check_text, parse_kind};
use serde::Deserialize;
use serde_saphyr::Spanned;

use super::check::{check_child_id, check_url};
use crate::question::{Picture, Question};

/// The maximum number of questions of a lesson.
const MOST: usize = 50;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionEntry {
    id: Spanned<i64>,
    kind: Spanned<String>,
    prompt: Spanned<String>,
    picture: Option<Spanned<Picture>>,
    choices: Option<Spanned<Vec<Spanned<String>>>>,
    answer: Spanned<KeyEntry>,
    hint: Option<Spanned<String>>,
    explanation: Spanned<String>,
    #[serde(default)]
    required: bool,
    watch_again_at: Option<Spanned<i32>>,
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
    let key = check_key(file, &entry.answer, "answer", kind, choices.len());
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
