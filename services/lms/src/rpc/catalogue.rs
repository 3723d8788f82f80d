//! The courses anybody may look at.

use proto::lms::catalogue_service_server::CatalogueService;
use proto::lms::{GetCoursesRequest, GetCoursesResponse, ListCoursesRequest, ListCoursesResponse};
use tonic::{Request, Response, Status};

use super::{Lms, count, page};
use crate::course;
use crate::error::Error;

/// The most courses that are given out at once.
const COURSES_LIMIT: usize = 100;

#[tonic::async_trait]
impl CatalogueService for Lms {
    async fn list_courses(
        &self,
        request: Request<ListCoursesRequest>,
    ) -> Result<Response<ListCoursesResponse>, Status> {
        let request = request.into_inner();
        let page = page(request.page, course::PAGE_SIZE)?;
        let school_year = filter("school_year", request.school_year.as_deref())?;
        let category = filter("category", request.category.as_deref())?;
        let mut connection = self.acquire().await?;
        let (rows, editions) =
            course::page(&mut connection, page, school_year, category).await.map_err(Error::from)?;
        let count = count(page, rows)?;
        let courses = self.shelf.get(&mut connection, &editions).await.map_err(Error::from)?;
        let courses = courses.iter().filter_map(|course| course.summary.clone()).collect();
        Ok(Response::new(ListCoursesResponse { count, courses }))
    }

    async fn get_courses(
        &self,
        request: Request<GetCoursesRequest>,
    ) -> Result<Response<GetCoursesResponse>, Status> {
        let ids = request.into_inner().ids;
        if ids.len() > COURSES_LIMIT {
            return Err(Error::Invalid { field: "ids", reason: "TOO_LONG" }.into());
        }
        let mut connection = self.acquire().await?;
        let editions = course::editions(&mut connection, &ids).await.map_err(Error::from)?;
        let courses = self.shelf.get(&mut connection, &editions).await.map_err(Error::from)?;
        let courses = courses.iter().map(|course| course.as_ref().clone()).collect();
        Ok(Response::new(GetCoursesResponse { courses }))
    }
}

/// A word to look for; PostgreSQL takes no text with a NUL in it.
fn filter<'a>(field: &'static str, word: Option<&'a str>) -> Result<Option<&'a str>, Error> {
    if word.is_some_and(|word| word.contains('\0')) {
        return Err(Error::Invalid { field, reason: "INVALID_FORMAT" });
    }
    Ok(word)
}
