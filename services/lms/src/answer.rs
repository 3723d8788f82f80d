//! Answers to questions: what they count for, their grading, and their outcome.

use kit::error::FieldError;
use kit_content::question::{AnswerInput, AnswerValue};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::config::Rules;
use crate::error::Error;
use crate::question::{self, Question};
use crate::result::{self, Answer, ResultKind, ResultProgress};
use crate::{day, learner, lesson, review};

/// What an answer counts for.
#[derive(Clone, Copy)]
pub(crate) enum Round {
    /// The graded try.
    Graded,
    /// The learner's round of practice or graded result with this id.
    Result(i64),
    /// The review queue.
    Review,
}

/// An answer after grading.
pub(crate) struct Outcome {
    pub(crate) question: Question,
    pub(crate) given: AnswerValue,
    pub(crate) is_right: bool,
    /// Progress of the result that the answer counts for. `None` for a review.
    pub(crate) progress: Option<ResultProgress>,
}

/// Records an answer. A repeated answer gets the same outcome.
///
/// A different answer to an answered question fails with [`Error::AlreadyAnswered`]. An answer that would reveal the
/// key before the graded try fails with [`Error::NotAnsweredYet`].
pub(crate) async fn record(
    connection: &mut PgConnection,
    learner: Uuid,
    question_id: i64,
    answer: Option<AnswerInput>,
    round: Round,
    now: OffsetDateTime,
) -> Result<Outcome, Error> {
    learner::lock(connection, learner).await?;
    let lesson = question::find_lesson_id(connection, question_id).await?.ok_or(Error::NotFound)?;
    lesson::find_usable(connection, learner, lesson, now).await?;
    let questions = question::list_by_lesson(connection, lesson).await?;
    let question_count = i32::try_from(questions.len()).unwrap_or(i32::MAX);
    let question =
        questions.into_iter().find(|question| question.id == question_id).ok_or(Error::NotFound)?;
    let given = AnswerValue::parse(answer, question.kind, question.choices.len())
        .map_err(|reason| Error::Field(FieldError::new("answer", reason)))?;

    let graded = result::find_graded(connection, learner, lesson).await?;
    let progress = match round {
        Round::Review => {
            let is_right = review::answer(connection, learner, &question, &given, now).await?;
            return Ok(Outcome { question, given, is_right, progress: None });
        }
        Round::Graded => graded,
        Round::Result(id) => {
            let chosen =
                result::find_in_lesson(connection, learner, id, lesson).await?.ok_or(Error::NotFound)?;
            if chosen.kind == ResultKind::Practice {
                let tried = list_given(connection, learner, graded.as_ref()).await?;
                if !tried.iter().any(|answer| answer.question_id == question_id) {
                    return Err(Error::NotAnsweredYet);
                }
            }
            Some(chosen)
        }
    };

    let before = list_given(connection, learner, progress.as_ref()).await?;
    if let Some(before) = before.into_iter().find(|answer| answer.question_id == question_id) {
        return if before.given.is_same(&given) {
            Ok(Outcome { question, given: before.given, is_right: before.is_right, progress })
        } else {
            Err(Error::AlreadyAnswered)
        };
    }
    let progress = if let Some(progress) = progress {
        progress
    } else {
        result::start(connection, learner, lesson, ResultKind::Graded, question_count, now).await?
    };
    let answer = Answer { question_id, is_right: question.key.admits(&given), given };
    let progress =
        result::record_answer(connection, learner, progress.id, &answer, question_count, now).await?;
    if !answer.is_right {
        review::schedule(connection, learner, question_id, now).await?;
    }
    Ok(Outcome { question, given: answer.given, is_right: answer.is_right, progress: Some(progress) })
}

/// Starts a round of practice. Returns the existing round if it has no answer yet.
pub(crate) async fn start_practice(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<i64, Error> {
    learner::lock(connection, learner).await?;
    lesson::find_usable(connection, learner, lesson, now).await?;
    let questions = question::list_by_lesson(connection, lesson).await?;
    if questions.is_empty() {
        return Err(Error::NotFound);
    }
    let graded = result::find_graded(connection, learner, lesson).await?;
    let tried = list_given(connection, learner, graded.as_ref()).await?;
    let is_tried = |question: &Question| tried.iter().any(|answer| answer.question_id == question.id);
    if !questions.iter().all(is_tried) {
        return Err(Error::NotAnsweredYet);
    }
    if let Some(id) = result::find_untouched_practice(connection, learner, lesson).await? {
        return Ok(id);
    }
    if result::count_practice(connection, learner, lesson, day::start_of_day(now)).await?
        >= rules.practice_limit
    {
        return Err(Error::PracticeLimit);
    }
    let question_count = i32::try_from(questions.len()).unwrap_or(i32::MAX);
    let kind = ResultKind::Practice;
    Ok(result::start(connection, learner, lesson, kind, question_count, now).await?.id)
}

/// Lists the answers of a result. Empty without a result.
async fn list_given(
    connection: &mut PgConnection,
    learner: Uuid,
    progress: Option<&ResultProgress>,
) -> sqlx::Result<Vec<Answer>> {
    match progress {
        Some(progress) => result::list_answers(connection, learner, progress.id).await,
        None => Ok(Vec::new()),
    }
}
