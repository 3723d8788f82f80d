//! The public list of teachers.

use kit::page::Page;
use proto::lms as wire;
use proto::lms::teacher_service_server::TeacherService;
use proto::lms::{GetTeacherRequest, GetTeacherResponse, ListTeachersRequest, ListTeachersResponse};
use tonic::{Request, Response, Status};

use super::Lms;
use crate::course::catalogue;
use crate::error::Error;
use crate::teacher::{self, Teacher};

#[tonic::async_trait]
impl TeacherService for Lms {
    async fn list_teachers(
        &self,
        request: Request<ListTeachersRequest>,
    ) -> Result<Response<ListTeachersResponse>, Status> {
        let page = Page::parse(request.into_inner().page, teacher::PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let (rows, teachers) = teacher::list_page(&mut connection, page).await.map_err(Error::from)?;
        let count = page.encode_count(rows).ok_or(Error::NotFound)?;
        let teachers = teachers.into_iter().map(wire::Teacher::from).collect();
        Ok(Response::new(ListTeachersResponse { count, teachers }))
    }

    async fn get_teacher(
        &self,
        request: Request<GetTeacherRequest>,
    ) -> Result<Response<GetTeacherResponse>, Status> {
        let id = request.into_inner().id;
        let mut connection = self.acquire().await?;
        let teacher =
            teacher::find(&mut connection, id).await.map_err(Error::from)?.ok_or(Error::NotFound)?;
        let versions = catalogue::list_by_teacher(&mut connection, id).await.map_err(Error::from)?;
        let courses = self.courses.get(&mut connection, &versions).await.map_err(Error::from)?;
        let courses = courses.iter().filter_map(|course| course.summary.clone()).collect();
        Ok(Response::new(GetTeacherResponse { teacher: Some(teacher.into()), courses }))
    }
}

impl From<Teacher> for wire::Teacher {
    fn from(Teacher { id, name, kana, subjects, message, career }: Teacher) -> Self {
        Self { id, name, kana, subjects, message, career }
    }
}
