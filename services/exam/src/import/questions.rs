//! The questions of a paper or a free check, as authored.

use kit_content::File;
use kit_content::question::{KeyEntry, check_choices, check_key, check_text, parse_kind};
use serde::Deserialize;
use serde_saphyr::Spanned;

use super::figures::{FigureEntry, Figures};
use crate::question::{Content, Question};

/// The maximum number of questions of a paper or check, because their ids end with two digits.
const MOST: usize = 99;
/// The maximum points of a question.
const MOST_POINTS: i32 = 100;
/// The maximum number of figures of a question.
const MOST_FIGURES: usize = 4;
/// The id of a question is that of its paper or check followed by two digits.
const CHILDREN: i64 = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionEntry {
    id: Spanned<i64>,
    kind: Spanned<String>,
    points: Spanned<i32>,
    prompt: Spanned<String>,
    figures: Option<Spanned<Vec<FigureEntry>>>,
    choices: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    ordered: bool,
    key: Spanned<KeyEntry>,
    explanation: Spanned<String>,
    lesson: Option<Spanned<i64>>,
    watch_again_at: Option<Spanned<i32>>,
}

/// Checks the questions of the paper or check with the id `owner`.
pub(super) fn check_questions(
    file: &mut File<'_>,
    folder: &kit_content::Folder,
    entries: Spanned<Vec<QuestionEntry>>,
    owner: i64,
    taken: &mut Vec<i64>,
    figures: &mut Figures,
) -> Vec<Question> {
    if entries.value.len() > MOST {
        file.fault(&entries, "questions", format!("has more than {MOST}"));
    }
    let entries = file.some(entries, "questions").into_iter().zip(1..);
    entries.map(|(entry, number)| check_one(file, folder, entry, number, owner, taken, figures)).collect()
}

fn check_one(
    file: &mut File<'_>,
    folder: &kit_content::Folder,
    entry: QuestionEntry,
    number: i32,
    owner: i64,
    taken: &mut Vec<i64>,
    figures: &mut Figures,
) -> Question {
    let id = entry.id.value;
    if id.div_euclid(CHILDREN) != owner || id.rem_euclid(CHILDREN) == 0 {
        file.fault(&entry.id, "id", format!("{id} is not {owner} followed by 01 to 99"));
    } else if taken.contains(&id) {
        file.fault(&entry.id, "id", format!("{id} is there twice"));
    }
    taken.push(id);
    if !(1..=MOST_POINTS).contains(&entry.points.value) {
        file.fault(&entry.points, "points", format!("are not 1 to {MOST_POINTS}"));
    }
    let kind = parse_kind(file, entry.kind);
    let choices = check_choices(file, &entry.id, entry.choices, kind);
    if entry.ordered && choices.is_empty() {
        file.fault(&entry.id, "ordered", "there are no choices");
    }
    let key = check_key(file, &entry.key, "key", kind, choices.len());
    let drawn = match entry.figures {
        None => Vec::new(),
        Some(entries) => {
            if entries.value.len() > MOST_FIGURES {
                file.fault(&entries, "figures", format!("has more than {MOST_FIGURES}"));
            }
            let entries = file.some(entries, "figures").into_iter();
            entries.map(|entry| figures.read_figure(file, folder, entry)).collect()
        }
    };
    let lesson_id = entry.lesson.map(|lesson| {
        if lesson.value < 1 {
            file.fault(&lesson, "lesson", "is not positive");
        }
        lesson.value
    });
    let watch_again_at = entry.watch_again_at.map(|second| {
        if second.value < 0 {
            file.fault(&second, "watch_again_at", "is negative");
        } else if lesson_id.is_none() {
            file.fault(&second, "watch_again_at", "there is no lesson");
        }
        second.value
    });
    let content = Content {
        kind,
        prompt: check_text(file, entry.prompt, "prompt"),
        figures: drawn,
        choices,
        is_ordered: entry.ordered,
        points: entry.points.value,
        key,
        explanation: check_text(file, entry.explanation, "explanation"),
        lesson_id,
        watch_again_at,
    };
    Question { id, number, content }
}
