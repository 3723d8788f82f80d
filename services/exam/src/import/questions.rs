//! The questions of a paper or a free check, as authored.

use kit_content::File;
use kit_content::question::{KeyEntry, check_choices, check_key, check_text};
use serde::Deserialize;
use serde_saphyr::Spanned;

use super::figures::{FigureEntry, Figures};
use crate::question::{Content, Key, Question, QuestionKind, Written};

/// The maximum number of questions of a paper or check, because their ids end with two digits.
const MOST: usize = 99;
/// The maximum points of a question.
const MOST_POINTS: i32 = 100;
/// The maximum number of figures of a question.
const MOST_FIGURES: usize = 4;
/// The kinds of questions. The last one, `written`, exists only in papers.
const KINDS: [&str; 5] = ["single", "multiple", "number", "text", "written"];
/// The highest limit of a written answer's characters.
const MOST_CHARACTERS: i32 = 2_000;
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
    key: Option<Spanned<KeyEntry>>,
    /// The model answer of a written question.
    model_answer: Option<Spanned<String>>,
    /// The marking guide of a written question.
    guide: Option<Spanned<String>>,
    /// The most characters of an answer to a written question.
    character_limit: Option<Spanned<i32>>,
    /// Whether a picture may answer a written question: `true` for a drawing or a photo beside the text.
    pictures: Option<Spanned<bool>>,
    explanation: Spanned<String>,
    lesson: Option<Spanned<i64>>,
    watch_again_at: Option<Spanned<i32>>,
}

/// What the questions belong to.
#[derive(Clone, Copy)]
pub(super) enum Owner {
    /// The id of a paper.
    Paper(i64),
    /// The id of a free check. It is graded at once, so it has no written question.
    Check(i64),
}

/// Checks the questions of a paper or check.
pub(super) fn check_questions(
    file: &mut File<'_>,
    folder: &kit_content::Folder,
    entries: Spanned<Vec<QuestionEntry>>,
    owner: Owner,
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
    owner: Owner,
    taken: &mut Vec<i64>,
    figures: &mut Figures,
) -> Question {
    let id = entry.id.value;
    let (Owner::Paper(owner_id) | Owner::Check(owner_id)) = owner;
    if id.div_euclid(CHILDREN) != owner_id || id.rem_euclid(CHILDREN) == 0 {
        file.fault(&entry.id, "id", format!("{id} is not {owner_id} followed by 01 to 99"));
    } else if taken.contains(&id) {
        file.fault(&entry.id, "id", format!("{id} is there twice"));
    }
    taken.push(id);
    if !(1..=MOST_POINTS).contains(&entry.points.value) {
        file.fault(&entry.points, "points", format!("are not 1 to {MOST_POINTS}"));
    }
    let kind = parse_kind(file, entry.kind, owner);
    let choices = match (kind.to_graded(), entry.choices) {
        (Some(kind), choices) => check_choices(file, &entry.id, choices, kind),
        (None, Some(choices)) => {
            file.fault(&choices, "choices", "nothing is chosen in a question of this kind");
            Vec::new()
        }
        (None, None) => Vec::new(),
    };
    if entry.ordered && choices.is_empty() {
        file.fault(&entry.id, "ordered", "there are no choices");
    }
    let answer = AnswerEntry {
        key: entry.key,
        model_answer: entry.model_answer,
        guide: entry.guide,
        character_limit: entry.character_limit,
        pictures: entry.pictures,
    };
    let (key, written) = answer.check(file, &entry.id, kind, choices.len());
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
        written,
        explanation: check_text(file, entry.explanation, "explanation"),
        lesson_id,
        watch_again_at,
    };
    Question { id, number, content }
}

/// Parses a kind.
fn parse_kind(file: &mut File<'_>, kind: Spanned<String>, owner: Owner) -> QuestionKind {
    let kinds = match owner {
        Owner::Paper(_) => &KINDS[..],
        Owner::Check(_) => &KINDS[..4],
    };
    match file.one_of(kind, "kind", kinds).as_str() {
        "multiple" => QuestionKind::Multiple,
        "number" => QuestionKind::Number,
        "text" => QuestionKind::Text,
        "written" => QuestionKind::Written,
        _ => QuestionKind::Single,
    }
}

/// How a question is marked, as authored.
struct AnswerEntry {
    key: Option<Spanned<KeyEntry>>,
    model_answer: Option<Spanned<String>>,
    guide: Option<Spanned<String>>,
    character_limit: Option<Spanned<i32>>,
    pictures: Option<Spanned<bool>>,
}

impl AnswerEntry {
    /// Returns the key, and what only a written question has. `id` is the place of the fault if something is missing.
    fn check(
        self,
        file: &mut File<'_>,
        id: &Spanned<i64>,
        kind: QuestionKind,
        choices: usize,
    ) -> (Key, Option<Written>) {
        let no_key = Key::Texts(Vec::new());
        let Some(graded) = kind.to_graded() else {
            if let Some(key) = &self.key {
                file.fault(key, "key", "a written question has a model_answer and a guide instead");
            }
            let (Some(model_answer), Some(guide), Some(limit)) =
                (self.model_answer, self.guide, self.character_limit)
            else {
                file.fault(
                    id,
                    "kind",
                    "a written question has a model_answer, a guide and a character_limit",
                );
                return (no_key, None);
            };
            if !(1..=MOST_CHARACTERS).contains(&limit.value) {
                file.fault(&limit, "character_limit", format!("is not 1 to {MOST_CHARACTERS}"));
            }
            let written = Written {
                guide: file.text(guide, "guide"),
                character_limit: limit.value,
                takes_picture: self.pictures.is_some_and(|pictures| pictures.value),
            };
            return (Key::Texts(vec![check_text(file, model_answer, "model_answer")]), Some(written));
        };
        let only_written = "only a written question has it";
        if let Some(model_answer) = &self.model_answer {
            file.fault(model_answer, "model_answer", only_written);
        }
        if let Some(guide) = &self.guide {
            file.fault(guide, "guide", only_written);
        }
        if let Some(limit) = &self.character_limit {
            file.fault(limit, "character_limit", only_written);
        }
        if let Some(pictures) = &self.pictures {
            file.fault(pictures, "pictures", only_written);
        }
        let Some(key) = self.key else {
            file.fault(id, "key", "is missing");
            return (no_key, None);
        };
        (check_key(file, &key, "key", graded, choices), None)
    }
}
