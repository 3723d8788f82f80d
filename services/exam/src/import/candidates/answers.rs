//! The answers of candidates, by the three-parameter logistic model of item response theory.
//!
//! Every draw is computed from ids, so each import gives the same answers.

use aws_lc_rs::digest::{SHA256, digest};
use uuid::Uuid;

use crate::import::exams::AuthoredPaper;
use crate::question::{AnswerInput, Key, Question, QuestionKind};

/// Discrimination: how steeply the probability of a right answer rises with the ability.
const STEEPNESS: f64 = 1.2;
/// The average difficulty of the first and of the last question of a paper.
const DIFFICULTIES: (f64, f64) = (-2.0, 1.2);
/// The standard deviation of a question's difficulty.
const DIFFICULTY_SPREAD: f64 = 0.5;
/// Weights of the general ability and of the ability in one subject. Their squares add up to 1, so the sum has variance 1.
const GENERAL: f64 = 0.8;
const SUBJECT: f64 = 0.6;
/// One of this many questions without a right answer stays blank.
const BLANK: u32 = 8;
/// Differences of wrong numbers from the key.
const WRONG_BY: [i64; 5] = [1, -1, 2, 10, -2];

/// Returns a candidate's answer to each question of a paper, or `None` for a blank one. Abilities and difficulties have the
/// same scale: 0 is the average candidate, 1 is a standard deviation.
pub(super) fn answer_paper(candidate: Uuid, ability: f64, paper: &AuthoredPaper) -> Vec<Option<AnswerInput>> {
    let candidate = candidate.as_bytes();
    let ability = GENERAL * ability + SUBJECT * deviate(&[b"subject", candidate, &paper.id.to_be_bytes()]);
    let last = paper.questions.last().map_or(1, |question| question.number);
    let answers = paper.questions.iter().map(|question| {
        let id = question.id.to_be_bytes();
        if share(&[b"right", candidate, &id]) < right_chance(ability, question, last) {
            Some(right_answer(&question.content.key))
        } else {
            wrong_answer(question, draw(&[b"wrong", candidate, &id]))
        }
    });
    answers.collect()
}

/// The ability of an invented candidate.
pub(super) fn draw_ability(candidate: Uuid) -> f64 {
    deviate(&[b"ability", candidate.as_bytes()])
}

/// The probability of a right answer. `last` is the number of the paper's last question, the hardest one on average.
fn right_chance(ability: f64, question: &Question, last: i32) -> f64 {
    let (first_difficulty, last_difficulty) = DIFFICULTIES;
    let place = f64::from(question.number) / f64::from(last);
    let average = first_difficulty + place * (last_difficulty - first_difficulty);
    let difficulty = average + DIFFICULTY_SPREAD * deviate(&[b"difficulty", &question.id.to_be_bytes()]);
    let guessed = match (question.content.kind, u32::try_from(question.content.choices.len())) {
        (QuestionKind::Single, Ok(choices)) => 1.0 / f64::from(choices.max(1)),
        _ => 0.0,
    };
    guessed + (1.0 - guessed) / (1.0 + (-STEEPNESS * (ability - difficulty)).exp())
}

fn right_answer(key: &Key) -> AnswerInput {
    match key {
        Key::Choices(ids) => AnswerInput::Choices(ids.clone()),
        Key::Number(number) => AnswerInput::Number(number.clone()),
        Key::Texts(texts) => AnswerInput::Text(texts.first().cloned().unwrap_or_default()),
    }
}

/// Returns a wrong answer, or `None` for a blank one. Unknown texts stay blank.
fn wrong_answer(question: &Question, draw: u32) -> Option<AnswerInput> {
    if draw.is_multiple_of(BLANK) {
        return None;
    }
    let draw = usize::try_from(draw / BLANK).unwrap_or(0);
    match &question.content.key {
        Key::Choices(right) => {
            let ids = (1..).zip(&question.content.choices).map(|(id, _)| id);
            let wrong: Vec<i32> = ids.filter(|id| *right != [*id]).collect();
            let id = wrong.get(draw.checked_rem(wrong.len())?)?;
            Some(AnswerInput::Choices(vec![*id]))
        }
        Key::Number(number) => {
            let by = WRONG_BY.get(draw % WRONG_BY.len())?;
            let wrong = number.parse::<i64>().map_or(*by, |number| number + by);
            Some(AnswerInput::Number(wrong.to_string()))
        }
        Key::Texts(_) => None,
    }
}

/// Returns an approximately standard normal number: the sum of twelve uniform numbers minus 6.
fn deviate(parts: &[&[u8]]) -> f64 {
    let hash = hash(parts);
    let shares = hash.chunks_exact(2).take(12);
    shares.map(|pair| f64::from(u16::from_be_bytes([pair[0], pair[1]])) / 65_536.0).sum::<f64>() - 6.0
}

/// Returns a uniform number in [0, 1).
pub(super) fn share(parts: &[&[u8]]) -> f64 {
    f64::from(draw(parts)) / (f64::from(u32::MAX) + 1.0)
}

fn draw(parts: &[&[u8]]) -> u32 {
    let hash = hash(parts);
    u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]])
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest(&SHA256, &parts.concat()).as_ref());
    hash
}
