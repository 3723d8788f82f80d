//! The public catalogue.

use kit::error::FieldError;
use kit::page::Page;
use std::collections::HashMap;

use proto::lms::catalogue_service_server::CatalogueService;
use proto::lms::{
    CourseSort, FacetValue, GetCoursesRequest, GetCoursesResponse, GetOverviewRequest, GetOverviewResponse,
    ListCoursesRequest, ListCoursesResponse, Shelf,
};
use tonic::{Request, Response, Status};

use super::{Lms, parse_words};
use crate::course::catalogue::{self, CourseFilter, Sort};
use crate::course::{self, LEVELS, SCHOOL_YEARS, SUBJECTS};
use crate::error::Error;
use crate::search;

/// The maximum number of courses in one request.
const COURSES_LIMIT: usize = 100;
/// The maximum number of prices in one request.
const PRICES_LIMIT: usize = 10_000;

#[tonic::async_trait]
impl CatalogueService for Lms {
    async fn list_courses(
        &self,
        request: Request<ListCoursesRequest>,
    ) -> Result<Response<ListCoursesResponse>, Status> {
        let request = request.into_inner();
        let page = Page::parse(request.page, catalogue::PAGE_SIZE)?;
        let sort = match request.sort() {
            CourseSort::Unspecified | CourseSort::Recommended => Sort::Recommended,
            CourseSort::New => Sort::New,
            CourseSort::Price => Sort::Price,
            CourseSort::PriceDescending => Sort::PriceDescending,
            CourseSort::Duration => Sort::Duration,
        };
        #[expect(deprecated, reason = "an edge of an earlier release sends prices")]
        let sent_prices = request.prices.iter().map(|price| (price.course_id, price.price));
        let sent_prices: HashMap<i64, i32> = sent_prices.take(PRICES_LIMIT + 1).collect();
        if sent_prices.len() > PRICES_LIMIT {
            return Err(Error::Field(FieldError::new("prices", "TOO_LONG")).into());
        }
        let mut filter = CourseFilter {
            school_years: parse_choices("school_years", request.school_years, &SCHOOL_YEARS)?,
            categories: parse_choices("categories", request.categories, &SUBJECTS)?,
            levels: parse_choices("levels", request.levels, &LEVELS)?,
            teacher: request.teacher_id,
            price_min: request.price_min,
            price_max: request.price_max,
            words: request.query.as_deref().map(parse_words).transpose()?,
        };
        let mut connection = self.acquire().await?;
        if let Some(words) = filter.words {
            filter.words = Some(search::choose_words(&mut connection, words).await.map_err(Error::from)?);
        }
        let listed = catalogue::list(&mut connection, &filter, &sent_prices, sort, page, self.clock.now());
        let listed = listed.await.map_err(Error::from)?;
        let count = page.encode_count(listed.count).ok_or(Error::NotFound)?;
        if page.is_beyond(count) {
            return Err(Error::NotFound.into());
        }
        let courses = self.courses.get(&mut connection, &listed.page).await.map_err(Error::from)?;
        Ok(Response::new(ListCoursesResponse {
            count,
            courses: courses.iter().filter_map(|course| course.summary.clone()).collect(),
            school_years: encode_facet(listed.school_years),
            categories: encode_facet(listed.categories),
            levels: encode_facet(listed.levels),
            has_price_list: listed.has_price_list,
        }))
    }

    async fn get_courses(
        &self,
        request: Request<GetCoursesRequest>,
    ) -> Result<Response<GetCoursesResponse>, Status> {
        let ids = request.into_inner().ids;
        if ids.len() > COURSES_LIMIT {
            return Err(Error::Field(FieldError::new("ids", "TOO_LONG")).into());
        }
        let mut connection = self.acquire().await?;
        let versions = course::find_versions(&mut connection, &ids).await.map_err(Error::from)?;
        let courses = self.courses.get(&mut connection, &versions).await.map_err(Error::from)?;
        let courses = courses.iter().map(|course| course.as_ref().clone()).collect();
        Ok(Response::new(GetCoursesResponse { courses }))
    }

    async fn get_overview(
        &self,
        _request: Request<GetOverviewRequest>,
    ) -> Result<Response<GetOverviewResponse>, Status> {
        let mut connection = self.acquire().await?;
        let shelves = catalogue::list_shelves(&mut connection).await.map_err(Error::from)?;
        let versions = catalogue::list_featured(&mut connection).await.map_err(Error::from)?;
        let featured = self.courses.get(&mut connection, &versions).await.map_err(Error::from)?;
        Ok(Response::new(GetOverviewResponse {
            shelves: shelves.into_iter().map(encode_shelf).collect(),
            featured: featured.iter().filter_map(|course| course.summary.clone()).collect(),
        }))
    }
}

/// Checks that every choice is known.
fn parse_choices(field: &'static str, chosen: Vec<String>, all: &[&str]) -> Result<Vec<String>, Error> {
    if chosen.iter().all(|choice| all.contains(&choice.as_str())) {
        Ok(chosen)
    } else {
        Err(Error::Field(FieldError::new(field, "UNKNOWN_CHOICE")))
    }
}

fn encode_facet(values: Vec<catalogue::FacetValue>) -> Vec<FacetValue> {
    values.into_iter().map(|catalogue::FacetValue { value, count }| FacetValue { value, count }).collect()
}

fn encode_shelf(shelf: catalogue::Shelf) -> Shelf {
    let encode_sum = |sum| u32::try_from(sum).unwrap_or(u32::MAX);
    Shelf {
        school_year: shelf.school_year,
        category: shelf.category,
        course_count: encode_sum(shelf.course_count),
        lesson_count: encode_sum(shelf.lesson_count),
        duration_sum: encode_sum(shelf.duration_sum),
    }
}
