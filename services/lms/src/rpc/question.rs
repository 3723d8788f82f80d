//! Questions, answers, results and reviews.

mod convert;

use kit::page::Page;
use std::collections::HashMap;

use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::lms as wire;
use proto::lms::answer_question_request;
use proto::lms::question_service_server::QuestionService;
use sqlx::PgConnection;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use self::convert::decode_answer;
use super::{Lms, commit};
use crate::answer::{self, Outcome, Round};
use crate::course::SUBJECTS;
use crate::error::Error;
use crate::question::{self, Question};
use crate::result::{self, Answer, ResultProgress, growth};
use crate::{lesson, review};

#[tonic::async_trait]
impl QuestionService for Lms {
    async fn list_questions(
        &self,
        request: Request<wire::ListQuestionsRequest>,
    ) -> Result<Response<wire::ListQuestionsResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let lesson = request.lesson_id;
        let mut connection = self.acquire().await?;
        lesson::find_owned(&mut connection, learner, lesson)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        let questions = question::list_by_lesson(&mut connection, lesson).await.map_err(Error::from)?;
        let (graded, tried) = find_graded(&mut connection, learner, lesson).await.map_err(Error::from)?;
        let questions = questions.into_iter().map(|question| wire::ListedQuestion {
            is_right: tried.get(&question.id).map(|answer| answer.is_right),
            question: Some(question.into()),
        });
        let questions = questions.collect();
        Ok(Response::new(wire::ListQuestionsResponse {
            questions,
            result_id: graded.map(|graded| graded.id),
        }))
    }

    async fn get_question(
        &self,
        request: Request<wire::GetQuestionRequest>,
    ) -> Result<Response<wire::GetQuestionResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut connection = self.acquire().await?;
        let lesson = question::find_lesson_id(&mut connection, request.id)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        let place = lesson::find_named(&mut connection, learner, lesson)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        let questions = question::list_by_lesson(&mut connection, lesson).await.map_err(Error::from)?;
        let index = questions.iter().position(|question| question.id == request.id).ok_or(Error::NotFound)?;
        let id_at = |index: usize| questions.get(index).map(|question| question.id);
        let (previous_id, next_id) = (index.checked_sub(1).and_then(id_at), id_at(index + 1));
        let (progress, mut tried) =
            find_graded(&mut connection, learner, lesson).await.map_err(Error::from)?;
        let question = questions[index].clone();
        let graded = tried.remove(&question.id).map(|answer| {
            let Answer { given, is_right, .. } = answer;
            wire::Outcome::from(Outcome { question: question.clone(), given, is_right, progress })
        });
        Ok(Response::new(wire::GetQuestionResponse {
            hint: question.hint.clone(),
            question: Some(question.into()),
            of: i32::try_from(questions.len()).unwrap_or(i32::MAX),
            lesson: Some(wire::NamedRef { id: lesson, name: place.lesson_name }),
            course: Some(wire::NamedRef { id: place.course_id, name: place.course_name }),
            previous_id,
            next_id,
            graded,
        }))
    }

    async fn answer_question(
        &self,
        request: Request<wire::AnswerQuestionRequest>,
    ) -> Result<Response<wire::AnswerQuestionResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let round = match request.round {
            Some(answer_question_request::Round::ResultId(id)) => Round::Result(id),
            Some(answer_question_request::Round::IsReview(true)) => Round::Review,
            Some(answer_question_request::Round::IsReview(false)) | None => Round::Graded,
        };
        let mut transaction = self.begin().await?;
        let (id, now) = (request.question_id, self.clock.now());
        let answer = request.answer.and_then(decode_answer);
        let outcome = answer::record(&mut transaction, learner, id, answer, round, now).await?;
        commit(transaction).await?;
        Ok(Response::new(wire::AnswerQuestionResponse { outcome: Some(outcome.into()) }))
    }

    async fn start_practice(
        &self,
        request: Request<wire::StartPracticeRequest>,
    ) -> Result<Response<wire::StartPracticeResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut transaction = self.begin().await?;
        let (lesson, now) = (request.lesson_id, self.clock.now());
        let result_id = answer::start_practice(&mut transaction, learner, lesson, now, self.rules).await?;
        commit(transaction).await?;
        Ok(Response::new(wire::StartPracticeResponse { result_id }))
    }

    async fn list_results(
        &self,
        request: Request<wire::ListResultsRequest>,
    ) -> Result<Response<wire::ListResultsResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let page = Page::parse(request.page, result::PAGE_SIZE)?;
        let subject = request.subject.as_deref();
        if subject.is_some_and(|subject| !SUBJECTS.contains(&subject)) {
            return Err(Error::Field(FieldError::new("subject", "UNKNOWN_CHOICE")).into());
        }
        let mut connection = self.acquire().await?;
        let results =
            result::list_page(&mut connection, learner, page, subject).await.map_err(Error::from)?;
        let count =
            page.encode_count(results.first().map_or(0, |result| result.count)).ok_or(Error::NotFound)?;
        let results = results.into_iter().map(wire::Result::from).collect();
        Ok(Response::new(wire::ListResultsResponse { count, results }))
    }

    async fn get_result(
        &self,
        request: Request<wire::GetResultRequest>,
    ) -> Result<Response<wire::GetResultResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut connection = self.acquire().await?;
        let result = result::find(&mut connection, learner, request.id)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        let questions =
            question::list_by_lesson(&mut connection, result.lesson_id).await.map_err(Error::from)?;
        let answers = result::list_answers(&mut connection, learner, result.id).await.map_err(Error::from)?;
        let mut answers = by_question(answers);
        let is_open = result.finished_at.is_none();
        let answers = questions.into_iter().filter_map(|question| {
            let answer = answers.remove(&question.id);
            // A finished result omits questions that were added later.
            (is_open || answer.is_some()).then(|| encode_answer(question, answer))
        });
        let answers = answers.collect();
        Ok(Response::new(wire::GetResultResponse { result: Some(result.into()), answers }))
    }

    async fn get_growth(
        &self,
        request: Request<wire::GetGrowthRequest>,
    ) -> Result<Response<wire::GetGrowthResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let mut connection = self.acquire().await?;
        let subjects = growth::find_growth(&mut connection, learner).await.map_err(Error::from)?;
        let subjects = subjects.into_iter().map(wire::SubjectGrowth::from).collect();
        Ok(Response::new(wire::GetGrowthResponse { subjects }))
    }

    async fn list_reviews(
        &self,
        request: Request<wire::ListReviewsRequest>,
    ) -> Result<Response<wire::ListReviewsResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let page = Page::parse(request.page, review::PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let reviews =
            review::list_page(&mut connection, learner, page, self.clock.now()).await.map_err(Error::from)?;
        let count =
            page.encode_count(reviews.first().map_or(0, |review| review.count)).ok_or(Error::NotFound)?;
        let reviews = reviews.into_iter().map(|due| wire::Review {
            question_id: due.question_id,
            prompt: due.prompt,
            lesson: Some(wire::NamedRef { id: due.lesson_id, name: due.lesson_name }),
            course: Some(wire::NamedRef { id: due.course_id, name: due.course_name }),
            due_at: Some(to_timestamp(due.due_at)),
            step: due.step,
        });
        Ok(Response::new(wire::ListReviewsResponse { count, reviews: reviews.collect() }))
    }
}

/// Finds the learner's graded result of a lesson, with its answers by question.
async fn find_graded(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
) -> sqlx::Result<(Option<ResultProgress>, HashMap<i64, Answer>)> {
    let Some(graded) = result::find_graded(connection, learner, lesson).await? else {
        return Ok((None, HashMap::new()));
    };
    let answers = result::list_answers(connection, learner, graded.id).await?;
    Ok((Some(graded), by_question(answers)))
}

fn by_question(answers: Vec<Answer>) -> HashMap<i64, Answer> {
    answers.into_iter().map(|answer| (answer.question_id, answer)).collect()
}

/// Encodes a question of a result. Its key is included only with an answer.
fn encode_answer(question: Question, answer: Option<Answer>) -> wire::ResultAnswer {
    let outcome = answer.map(|Answer { given, is_right, .. }| {
        Outcome { question: question.clone(), given, is_right, progress: None }.into()
    });
    wire::ResultAnswer { question: Some(question.into()), outcome }
}
