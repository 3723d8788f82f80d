//! The results of a learner.

mod convert;

use kit::caller::CallerOf as _;
use kit::timestamp::to_timestamp;
use proto::exam as wire;
use proto::exam::result_service_server::ResultService;
use sqlx::PgConnection;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use self::convert::{encode_judgement, encode_paper, encode_question, encode_standing};
use super::Exam;
use crate::application::{self, Application};
use crate::error::Error;
use crate::exam;
use crate::judgement::department;
use crate::result::report::make_report;
use crate::result::{ExamResult, paper};
use crate::seat;

#[tonic::async_trait]
impl ResultService for Exam {
    async fn get_exam_result(
        &self,
        request: Request<wire::GetExamResultRequest>,
    ) -> Result<Response<wire::GetExamResultResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let id = request.into_inner().exam_id;
        let mut connection = self.acquire().await?;
        let exam = exam::find(&mut connection, id).await.map_err(Error::from)?.ok_or(Error::NotFound)?;
        let result = find_result(&mut connection, learner, id).await?;
        let judgements =
            result.judge_desired_schools(&mut connection, learner, id).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let judgements =
            judgements.into_iter().map(|(rank, judgement)| encode_judgement(Some(rank), judgement));
        Ok(Response::new(wire::GetExamResultResponse {
            exam_id: exam.id,
            exam_name: exam.name,
            ends_at: Some(to_timestamp(exam.ends_at)),
            is_final: result.is_final,
            computed_at: result.computed_at.map(to_timestamp),
            papers: result.papers.iter().map(encode_paper).collect(),
            total: result.total.as_ref().map(encode_standing),
            judgements: judgements.collect(),
        }))
    }

    async fn get_exam_result_pdf(
        &self,
        request: Request<wire::GetExamResultPdfRequest>,
    ) -> Result<Response<wire::GetExamResultPdfResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let id = request.into_inner().exam_id;
        let permit = self.pdf_writer.permit().await.map_err(Error::from)?;
        let mut connection = self.acquire().await?;
        let application = application::find(&mut connection, learner, id).await.map_err(Error::from)?;
        let Application { exam, basic_info, .. } = application.ok_or(Error::NotFound)?;
        let result = find_result(&mut connection, learner, id).await?;
        let judgements =
            result.judge_desired_schools(&mut connection, learner, id).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let report = make_report(&exam, basic_info.as_ref(), &result, &judgements);
        let pdf = permit.write(move |fonts| report.write_pdf(fonts)).await.map_err(Error::from)?;
        Ok(Response::new(wire::GetExamResultPdfResponse { pdf }))
    }

    async fn get_paper_result(
        &self,
        request: Request<wire::GetPaperResultRequest>,
    ) -> Result<Response<wire::GetPaperResultResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let id = request.into_inner().paper_id;
        let mut connection = self.acquire().await?;
        let result = paper::find(&mut connection, learner, id).await?;
        self.pool.keep(connection);
        let questions = result.questions.into_iter().map(|question| encode_question(learner, question));
        Ok(Response::new(wire::GetPaperResultResponse {
            exam_id: result.exam_id,
            paper_id: id,
            subject: result.subject,
            standing: Some(encode_standing(&result.standing)),
            questions: questions.collect(),
        }))
    }

    async fn judge_department(
        &self,
        request: Request<wire::JudgeDepartmentRequest>,
    ) -> Result<Response<wire::JudgeDepartmentResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut connection = self.acquire().await?;
        let result = find_result(&mut connection, learner, request.exam_id).await?;
        let department = department::find(&mut connection, request.school_id, request.department_id)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        self.pool.keep(connection);
        let judgement = Some(encode_judgement(None, result.judge(department)));
        Ok(Response::new(wire::JudgeDepartmentResponse { judgement }))
    }
}

/// Finds the result of an exam in which the learner has handed in a paper.
async fn find_result(connection: &mut PgConnection, learner: Uuid, exam: i64) -> Result<ExamResult, Error> {
    let result = ExamResult::find(connection, learner, exam).await?;
    if !result.is_empty() {
        return Ok(result);
    }
    Err(if seat::has_seat(connection, learner, exam).await? {
        Error::NothingHandedIn
    } else {
        Error::NotFound
    })
}
