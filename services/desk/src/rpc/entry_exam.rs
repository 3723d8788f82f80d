//! `desk.v1.EntryExamService`.

use kit::error::FieldError;
use proto::desk::entry_exam_service_server::EntryExamService;
use proto::desk::{EntryExam, ListEntryExamsRequest, ListEntryExamsResponse};
use tonic::{Request, Response, Status};

use super::Desk;
use crate::entry_exam::{self, Exam, REGIONS};
use crate::error::Error;

#[tonic::async_trait]
impl EntryExamService for Desk {
    async fn list_entry_exams(
        &self,
        request: Request<ListEntryExamsRequest>,
    ) -> Result<Response<ListEntryExamsResponse>, Status> {
        let prefecture = request.into_inner().prefecture;
        if prefecture.as_deref().is_some_and(|name| !REGIONS.contains(&name)) {
            return Err(Error::Field(FieldError::new("prefecture", "UNKNOWN_CHOICE")).into());
        }
        let mut connection = self.acquire().await?;
        let exams = entry_exam::list_exams(&mut connection, prefecture.as_deref(), self.today())
            .await
            .map_err(Error::from)?;
        Ok(Response::new(ListEntryExamsResponse { exams: exams.into_iter().map(encode).collect() }))
    }
}

fn encode(exam: Exam) -> EntryExam {
    EntryExam {
        id: exam.id,
        prefecture: exam.prefecture,
        kind: exam.kind,
        name: exam.name,
        apply_from: exam.apply_from.to_string(),
        apply_until: exam.apply_until.to_string(),
        exam_on: exam.exam_on.to_string(),
        result_on: exam.result_on.to_string(),
        subjects: exam.subjects,
        note: exam.note,
    }
}
