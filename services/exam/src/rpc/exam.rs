//! `exam.v1.ExamService`: public content.

use kit::page::Page;
use kit::timestamp::to_timestamp;
use proto::exam::exam_service_server::ExamService;
use proto::exam::{
    self as wire, GetExamRequest, GetExamResponse, GetFigureRequest, GetFigureResponse, ListExamsRequest,
    ListExamsResponse,
};
use tonic::{Request, Response, Status};

use super::Exam;
use crate::error::Error;
use crate::{exam, figure};

#[tonic::async_trait]
impl ExamService for Exam {
    async fn list_exams(
        &self,
        request: Request<ListExamsRequest>,
    ) -> Result<Response<ListExamsResponse>, Status> {
        let page = Page::parse(request.into_inner().page, exam::PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let now = self.clock.now();
        let (rows, exams) = exam::list_current(&mut connection, page, now).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let count = page.encode_count(rows).ok_or(Error::NotFound)?;
        Ok(Response::new(ListExamsResponse { count, exams: exams.into_iter().map(Into::into).collect() }))
    }

    async fn get_exam(&self, request: Request<GetExamRequest>) -> Result<Response<GetExamResponse>, Status> {
        let mut connection = self.acquire().await?;
        let exam = exam::find(&mut connection, request.into_inner().id).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let exam = exam.ok_or(Error::NotFound)?;
        Ok(Response::new(GetExamResponse { exam: Some(exam.into()) }))
    }

    async fn get_figure(
        &self,
        request: Request<GetFigureRequest>,
    ) -> Result<Response<GetFigureResponse>, Status> {
        let name = request.into_inner().name;
        if !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Error::NotFound.into());
        }
        let mut connection = self.acquire().await?;
        let svg = figure::find(&mut connection, &name).await.map_err(Error::from)?;
        self.pool.keep(connection);
        Ok(Response::new(GetFigureResponse { svg: svg.ok_or(Error::NotFound)? }))
    }
}

impl From<exam::Exam> for wire::Exam {
    fn from(exam: exam::Exam) -> Self {
        Self {
            seats_left: exam.seats_left(),
            id: exam.id,
            name: exam.name,
            description: exam.description,
            school_year: exam.school_year,
            product_id: exam.product_id,
            capacity: exam.capacity,
            application_opens_at: Some(to_timestamp(exam.application_opens_at)),
            application_closes_at: Some(to_timestamp(exam.application_closes_at)),
            starts_at: Some(to_timestamp(exam.starts_at)),
            ends_at: Some(to_timestamp(exam.ends_at)),
            results_at: Some(to_timestamp(exam.results_at)),
            papers: exam.papers.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<exam::Paper> for wire::Paper {
    fn from(paper: exam::Paper) -> Self {
        Self {
            id: paper.id,
            subject: paper.subject,
            minutes: paper.minutes,
            question_count: paper.question_count,
            points: paper.points,
        }
    }
}
