//! The results of a learner.

mod convert;
pub(super) mod overview;
mod week;

use kit::caller::CallerOf as _;
use kit::timestamp::to_timestamp;
use proto::exam as wire;
use proto::exam::result_service_server::ResultService;
use sqlx::PgConnection;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use self::convert::{encode_judgement, encode_paper, encode_question, encode_standing};
use super::Exam;
use crate::application;
use crate::error::Error;
use crate::judgement::department;
use crate::result::report::make_report;
use crate::result::{ExamResult, paper};
use crate::{exam, question, seat, sitting};

#[tonic::async_trait]
impl ResultService for Exam {
    async fn get_exam_result(
        &self,
        request: Request<wire::GetExamResultRequest>,
    ) -> Result<Response<wire::GetExamResultResponse>, Status> {
        let learner = request.caller()?.learner()?;
        Ok(Response::new(self.exam_result(learner, request.into_inner().exam_id).await?))
    }

    async fn get_exam_result_pdf(
        &self,
        request: Request<wire::GetExamResultPdfRequest>,
    ) -> Result<Response<wire::GetExamResultPdfResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let pdf = self.exam_result_pdf(learner, request.into_inner().exam_id).await?;
        Ok(Response::new(wire::GetExamResultPdfResponse { pdf }))
    }

    async fn get_paper_result(
        &self,
        request: Request<wire::GetPaperResultRequest>,
    ) -> Result<Response<wire::GetPaperResultResponse>, Status> {
        let learner = request.caller()?.learner()?;
        Ok(Response::new(self.paper_result(learner, request.into_inner().paper_id).await?))
    }

    async fn get_question_result(
        &self,
        request: Request<wire::GetQuestionResultRequest>,
    ) -> Result<Response<wire::GetQuestionResultResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let id = request.into_inner().question_id;
        let mut connection = self.acquire().await?;
        let paper = question::find_paper(&mut connection, id).await.map_err(Error::from)?;
        let result = paper::find(&mut connection, learner, paper.ok_or(Error::NotFound)?).await?;
        let exam =
            exam::find(&mut connection, result.exam_id).await.map_err(Error::from)?.ok_or(Error::NotFound)?;
        self.pool.keep(connection);
        let mut questions = result.questions.into_iter();
        let question = questions.find(|result| result.question.id == id).ok_or(Error::NotFound)?;
        Ok(Response::new(wire::GetQuestionResultResponse {
            exam_id: exam.id,
            exam_name: exam.name,
            subject: result.subject,
            result: Some(encode_question(learner, question)),
        }))
    }

    async fn judge_department(
        &self,
        request: Request<wire::JudgeDepartmentRequest>,
    ) -> Result<Response<wire::JudgeDepartmentResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let wire::JudgeDepartmentRequest { exam_id, school_id, department_id } = request.into_inner();
        let judgement = self.judgement(learner, exam_id, school_id, department_id).await?;
        Ok(Response::new(wire::JudgeDepartmentResponse { judgement: Some(judgement) }))
    }

    async fn get_exam_overview(
        &self,
        request: Request<wire::GetExamOverviewRequest>,
    ) -> Result<Response<wire::GetExamOverviewResponse>, Status> {
        let learner = request.caller()?.learner_or_child()?;
        Ok(Response::new(self.exam_overview(learner).await?))
    }

    async fn get_exam_week(
        &self,
        request: Request<wire::GetExamWeekRequest>,
    ) -> Result<Response<wire::GetExamWeekResponse>, Status> {
        let learner = request.caller()?.learner_or_child()?;
        let exams = self.find_exam_weeks(&request.into_inner().week, &[learner]).await?.pop();
        Ok(Response::new(wire::GetExamWeekResponse { exams }))
    }

    async fn list_exam_weeks(
        &self,
        request: Request<wire::ListExamWeeksRequest>,
    ) -> Result<Response<wire::ListExamWeeksResponse>, Status> {
        let wire::ListExamWeeksRequest { week, learner_ids } = request.into_inner();
        let learners = week::parse_learners(&learner_ids)?;
        let weeks = self.find_exam_weeks(&week, &learners).await?;
        Ok(Response::new(wire::ListExamWeeksResponse { weeks }))
    }
}

impl Exam {
    /// Finds the learner's result of an exam.
    pub(super) async fn exam_result(
        &self,
        learner: Uuid,
        id: i64,
    ) -> Result<wire::GetExamResultResponse, Error> {
        let mut connection = self.acquire().await?;
        let exam = exam::find(&mut connection, id).await?.ok_or(Error::NotFound)?;
        let result = find_result(&mut connection, learner, id).await?;
        let judgements = result.judge_desired_schools(&mut connection, learner, id).await?;
        let mut records = sitting::list_records(&mut connection, learner, id).await?;
        self.pool.keep(connection);
        let papers = result.papers.iter().map(|paper| encode_paper(paper, records.remove(&paper.paper_id)));
        let judgements =
            judgements.into_iter().map(|(rank, judgement)| encode_judgement(Some(rank), judgement));
        Ok(wire::GetExamResultResponse {
            exam_id: exam.id,
            exam_name: exam.name,
            ends_at: Some(to_timestamp(exam.ends_at)),
            is_final: result.is_final,
            computed_at: result.computed_at.map(to_timestamp),
            papers: papers.collect(),
            total: result.total.as_ref().map(encode_standing),
            judgements: judgements.collect(),
        })
    }

    /// Writes the learner's result of an exam as a PDF.
    pub(super) async fn exam_result_pdf(&self, learner: Uuid, id: i64) -> Result<Vec<u8>, Error> {
        let permit = self.pdf_writer.permit().await?;
        let mut connection = self.acquire().await?;
        let application = application::find(&mut connection, learner, id).await?;
        let application = application.ok_or(Error::NotFound)?;
        let result = find_result(&mut connection, learner, id).await?;
        let judgements = result.judge_desired_schools(&mut connection, learner, id).await?;
        let papers = result.find_final_papers(&mut connection, learner).await?;
        self.pool.keep(connection);
        let report = make_report(&application, &result, &judgements, &papers);
        Ok(permit.write(move |fonts| report.write_pdf(fonts)).await?)
    }

    /// Judges a department by the learner's result of an exam.
    pub(super) async fn judgement(
        &self,
        learner: Uuid,
        exam_id: i64,
        school_id: i64,
        department_id: i64,
    ) -> Result<wire::Judgement, Error> {
        let mut connection = self.acquire().await?;
        let result = find_result(&mut connection, learner, exam_id).await?;
        let department = department::find(&mut connection, school_id, department_id).await?;
        let department = department.ok_or(Error::NotFound)?;
        self.pool.keep(connection);
        Ok(encode_judgement(None, result.judge(department)))
    }

    /// Finds the learner's final result of a paper.
    pub(super) async fn paper_result(
        &self,
        learner: Uuid,
        id: i64,
    ) -> Result<wire::GetPaperResultResponse, Error> {
        let mut connection = self.acquire().await?;
        let result = paper::find(&mut connection, learner, id).await?;
        self.pool.keep(connection);
        let questions = result.questions.into_iter().map(|question| encode_question(learner, question));
        Ok(wire::GetPaperResultResponse {
            exam_id: result.exam_id,
            paper_id: id,
            subject: result.subject,
            standing: Some(encode_standing(&result.standing)),
            questions: questions.collect(),
        })
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
