//! `exam.v1.CheckService`.

use kit::page::Page;
use proto::exam::check_service_server::CheckService;
use proto::exam::{
    self as wire, CheckOutcome, GetCheckRequest, GetCheckResponse, GradeCheckRequest, GradeCheckResponse,
    ListChecksRequest, ListChecksResponse,
};
use tonic::{Request, Response, Status};

use super::Exam;
use super::question::{decode_answer, encode_answer, encode_key};
use crate::check::{self, Check, Outcome};
use crate::error::Error;
use crate::{exam, question};

#[tonic::async_trait]
impl CheckService for Exam {
    async fn list_checks(
        &self,
        request: Request<ListChecksRequest>,
    ) -> Result<Response<ListChecksResponse>, Status> {
        let page = Page::parse(request.into_inner().page, check::PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let (rows, checks) = check::list_page(&mut connection, page).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let count = page.encode_count(rows).ok_or(Error::NotFound)?;
        Ok(Response::new(ListChecksResponse { count, checks: checks.into_iter().map(Into::into).collect() }))
    }

    async fn get_check(
        &self,
        request: Request<GetCheckRequest>,
    ) -> Result<Response<GetCheckResponse>, Status> {
        let id = request.into_inner().id;
        let mut connection = self.acquire().await?;
        let check = check::find(&mut connection, id).await.map_err(Error::from)?.ok_or(Error::NotFound)?;
        let questions = question::list_by_check(&mut connection, id).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let questions = questions.into_iter().map(Into::into).collect();
        Ok(Response::new(GetCheckResponse { check: Some(check.into()), questions }))
    }

    async fn grade_check(
        &self,
        request: Request<GradeCheckRequest>,
    ) -> Result<Response<GradeCheckResponse>, Status> {
        let GradeCheckRequest { id, answers } = request.into_inner();
        let answers =
            answers.into_iter().map(|given| (given.question_id, given.answer.and_then(decode_answer)));
        let mut connection = self.acquire().await?;
        let check = check::find(&mut connection, id).await.map_err(Error::from)?.ok_or(Error::NotFound)?;
        let questions = question::list_by_check(&mut connection, id).await.map_err(Error::from)?;
        let outcomes = check::grade(questions, answers.collect())?;
        let next = exam::find_next(&mut connection, &check.school_year, self.clock.now()).await;
        let next = next.map_err(Error::from)?;
        self.pool.keep(connection);
        let right = outcomes.iter().filter(|outcome| outcome.is_right).count();
        Ok(Response::new(GradeCheckResponse {
            right_count: i32::try_from(right).unwrap_or(i32::MAX),
            outcomes: outcomes.into_iter().map(Into::into).collect(),
            course_ids: check.course_ids,
            exam: next.map(Into::into),
        }))
    }
}

impl From<Check> for wire::Check {
    fn from(check: Check) -> Self {
        Self {
            id: check.id,
            school_year: check.school_year,
            subject: check.subject,
            title: check.title,
            question_count: check.question_count,
        }
    }
}

impl From<Outcome> for CheckOutcome {
    fn from(outcome: Outcome) -> Self {
        Self {
            question_id: outcome.question.id,
            is_right: outcome.is_right,
            answer: outcome.given.map(encode_answer),
            key: Some(encode_key(outcome.question.content.key)),
            explanation: outcome.question.content.explanation,
        }
    }
}
