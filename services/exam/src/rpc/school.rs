//! `exam.v1.SchoolService`.

use forms::search::Words;
use kit::error::FieldError;
use kit::page::Page;
use proto::exam::school_service_server::SchoolService;
use proto::exam::{self as wire, ListSchoolsRequest, ListSchoolsResponse};
use tonic::{Request, Response, Status};

use super::Exam;
use crate::error::Error;
use crate::school::{self, Department, School};

#[tonic::async_trait]
impl SchoolService for Exam {
    async fn list_schools(
        &self,
        request: Request<ListSchoolsRequest>,
    ) -> Result<Response<ListSchoolsResponse>, Status> {
        let ListSchoolsRequest { page, query, prefecture } = request.into_inner();
        let page = Page::parse(page, school::PAGE_SIZE)?;
        let words = query.as_deref().map(Words::parse).transpose();
        let words = words.map_err(|wrong| Error::Field(FieldError::new("query", wrong.code())))?;
        let prefecture =
            prefecture.as_deref().map(|name| forms::choice(name, &forms::PREFECTURES)).transpose();
        let prefecture =
            prefecture.map_err(|wrong| Error::Field(FieldError::new("prefecture", wrong.code())))?;
        let mut connection = self.acquire().await?;
        let (rows, schools) = school::list_page(&mut connection, words.as_ref(), prefecture, page)
            .await
            .map_err(Error::from)?;
        self.pool.keep(connection);
        let count = page.encode_count(rows).ok_or(Error::NotFound)?;
        Ok(Response::new(ListSchoolsResponse {
            count,
            schools: schools.into_iter().map(Into::into).collect(),
        }))
    }
}

impl From<School> for wire::School {
    fn from(school: School) -> Self {
        Self {
            id: school.id,
            name: school.name,
            kana: school.kana,
            prefecture: school.prefecture,
            departments: school.departments.into_iter().map(Into::into).collect(),
            counts_school_marks: school.counts_school_marks,
        }
    }
}

impl From<Department> for wire::Department {
    fn from(department: Department) -> Self {
        Self { id: department.id, name: department.name }
    }
}
