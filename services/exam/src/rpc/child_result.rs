//! `exam.v1.ChildResultService`: the results of a child, for a guardian.

use kit::caller::CallerOf as _;
use proto::exam as wire;
use proto::exam::child_result_service_server::ChildResultService;
use tonic::{Request, Response, Status};

use super::Exam;
use super::result::overview::encode_listed;
use crate::error::Error;
use crate::result;

#[tonic::async_trait]
impl ChildResultService for Exam {
    async fn list_child_results(
        &self,
        request: Request<wire::ListChildResultsRequest>,
    ) -> Result<Response<wire::ListChildResultsResponse>, Status> {
        let child = request.caller()?.guardian_of()?.child;
        let mut connection = self.acquire().await?;
        let listed = result::list(&mut connection, child).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let results = listed.into_iter().map(encode_listed).collect();
        Ok(Response::new(wire::ListChildResultsResponse { results }))
    }

    async fn get_child_exam_result(
        &self,
        request: Request<wire::GetChildExamResultRequest>,
    ) -> Result<Response<wire::GetChildExamResultResponse>, Status> {
        let child = request.caller()?.guardian_of()?.child;
        let result = self.exam_result(child, request.into_inner().exam_id).await?;
        Ok(Response::new(wire::GetChildExamResultResponse { result: Some(result) }))
    }

    async fn get_child_paper_result(
        &self,
        request: Request<wire::GetChildPaperResultRequest>,
    ) -> Result<Response<wire::GetChildPaperResultResponse>, Status> {
        let child = request.caller()?.guardian_of()?.child;
        let result = self.paper_result(child, request.into_inner().paper_id).await?;
        Ok(Response::new(wire::GetChildPaperResultResponse { result: Some(result) }))
    }

    async fn get_child_exam_result_pdf(
        &self,
        request: Request<wire::GetChildExamResultPdfRequest>,
    ) -> Result<Response<wire::GetChildExamResultPdfResponse>, Status> {
        let child = request.caller()?.guardian_of()?.child;
        let pdf = self.exam_result_pdf(child, request.into_inner().exam_id).await?;
        Ok(Response::new(wire::GetChildExamResultPdfResponse { pdf }))
    }

    async fn judge_child_department(
        &self,
        request: Request<wire::JudgeChildDepartmentRequest>,
    ) -> Result<Response<wire::JudgeChildDepartmentResponse>, Status> {
        let child = request.caller()?.guardian_of()?.child;
        let wire::JudgeChildDepartmentRequest { exam_id, school_id, department_id } = request.into_inner();
        let judgement = self.judgement(child, exam_id, school_id, department_id).await?;
        Ok(Response::new(wire::JudgeChildDepartmentResponse { judgement: Some(judgement) }))
    }

    async fn get_child_picture(
        &self,
        request: Request<wire::GetChildPictureRequest>,
    ) -> Result<Response<wire::GetChildPictureResponse>, Status> {
        let child = request.caller()?.guardian_of()?.child;
        let wire::GetChildPictureRequest { question_id, picture } = request.into_inner();
        let jpeg = self.picture(child, question_id, &picture, true).await?;
        Ok(Response::new(wire::GetChildPictureResponse { jpeg }))
    }
}
