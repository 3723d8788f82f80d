//! An answer to a question: what it counts for, whether it is right, and what is told then.

use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::config::Rules;
use crate::error::Error;
use crate::question::{self, AnswerInput, Given, Question};
use crate::result::{self, Answer, Standing};
use crate::{day, learner, lesson, review};

/// What an answer counts for.
#[derive(Clone, Copy)]
pub(crate) enum Round {
    /// The graded try.
    Graded,
    /// This result of the learner's.
    Result(i64),
    /// The review queue.
    Review,
}

/// What came of an answer.
pub(crate) struct Outcome {
    pub(crate) question: Question,
    pub(crate) given: Given,
    pub(crate) is_right: bool,
    /// Of the result that it counts for; a review has none.
    pub(crate) standing: Option<Standing>,
}

/// Takes an answer. The same one again gives what it gave; another one where there is one already is refused, and so is
/// whatever would tell the key before the graded try.
pub(crate) async fn take(
    connection: &mut PgConnection,
    learner: Uuid,
    question_id: i64,
    answer: Option<AnswerInput>,
    round: Round,
    now: OffsetDateTime,
) -> Result<Outcome, Error> {
    learner::lock(connection, learner).await?;
    let lesson = question::lesson_of(connection, question_id).await?.ok_or(Error::NotFound)?;
    lesson::find_usable(connection, learner, lesson, now).await?;
    let questions = question::of_lesson(connection, lesson).await?;
    let question_count = i32::try_from(questions.len()).unwrap_or(i32::MAX);
    let question =
        questions.into_iter().find(|question| question.id == question_id).ok_or(Error::NotFound)?;
    let given = Given::read(answer, question.kind, question.choices.len())
        .map_err(|reason| Error::Invalid { field: "answer", reason })?;

    let graded = result::graded(connection, learner, lesson).await?;
    let standing = match round {
        Round::Review => {
            let is_right = review::answer(connection, learner, &question, &given, now).await?;
            return Ok(Outcome { question, given, is_right, standing: None });
        }
        Round::Graded => graded,
        Round::Result(id) => {
            let chosen = result::of_lesson(connection, learner, id, lesson).await?.ok_or(Error::NotFound)?;
            if chosen.kind == result::Kind::Practice {
                let tried = answers(connection, learner, graded.as_ref()).await?;
                if !tried.iter().any(|answer| answer.question_id == question_id) {
                    return Err(Error::NotAnsweredYet);
                }
            }
            Some(chosen)
        }
    };

    let before = answers(connection, learner, standing.as_ref()).await?;
    if let Some(before) = before.into_iter().find(|answer| answer.question_id == question_id) {
        return if before.given.is_same(&given) {
            Ok(Outcome { question, given: before.given, is_right: before.is_right, standing })
        } else {
            Err(Error::AlreadyAnswered)
        };
    }
    let standing = if let Some(standing) = standing {
        standing
    } else {
        result::start(connection, learner, lesson, result::Kind::Graded, question_count, now).await?
    };
    let answer = Answer { question_id, is_right: question.key.admits(&given), given };
    let standing = result::keep(connection, learner, standing.id, &answer, question_count, now).await?;
    if !answer.is_right {
        review::schedule(connection, learner, question_id, now).await?;
    }
    Ok(Outcome { question, given: answer.given, is_right: answer.is_right, standing: Some(standing) })
}

/// Begins a round of practice, or gives the one in which nothing is answered yet.
pub(crate) async fn practise(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    now: OffsetDateTime,
    rules: Rules,
) -> Result<i64, Error> {
    learner::lock(connection, learner).await?;
    lesson::find_usable(connection, learner, lesson, now).await?;
    let questions = question::of_lesson(connection, lesson).await?;
    if questions.is_empty() {
        return Err(Error::NotFound);
    }
    let graded = result::graded(connection, learner, lesson).await?;
    let tried = answers(connection, learner, graded.as_ref()).await?;
    let is_tried = |question: &Question| tried.iter().any(|answer| answer.question_id == question.id);
    if !questions.iter().all(is_tried) {
        return Err(Error::NotAnsweredYet);
    }
    if let Some(id) = result::untouched(connection, learner, lesson).await? {
        return Ok(id);
    }
    if result::practice_count(connection, learner, lesson, day::start(now)).await? >= rules.practice_limit {
        return Err(Error::PracticeLimit);
    }
    let question_count = i32::try_from(questions.len()).unwrap_or(i32::MAX);
    let kind = result::Kind::Practice;
    Ok(result::start(connection, learner, lesson, kind, question_count, now).await?.id)
}

/// The answers of a result; none of none.
async fn answers(
    connection: &mut PgConnection,
    learner: Uuid,
    standing: Option<&Standing>,
) -> sqlx::Result<Vec<Answer>> {
    match standing {
        Some(standing) => result::answers(connection, learner, standing.id).await,
        None => Ok(Vec::new()),
    }
}
