//! The list of courses, filtered and sorted.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::lms;
use serde::{Deserialize, Serialize};
use tonic::Code;
use utoipa::ToSchema;

use super::courses::OfferedSummary;
use crate::Edge;
use crate::answer::public;
use crate::commerce::offers::OnSale;
use crate::error::Error;
use crate::input::Query;
use crate::links::Links;

/// Courses on a page.
const PAGE_SIZE: u32 = 24;
/// Highest price filter in yen.
const MAX_PRICE_YEN: i32 = 9_999_999;

/// School year that a course is made for.
#[derive(Deserialize, ToSchema)]
pub(crate) enum SchoolYear {
    #[serde(rename = "中1")]
    JuniorOne,
    #[serde(rename = "中2")]
    JuniorTwo,
    #[serde(rename = "中3")]
    JuniorThree,
    #[serde(rename = "高1")]
    SeniorOne,
    #[serde(rename = "高2")]
    SeniorTwo,
    #[serde(rename = "高3")]
    SeniorThree,
}

/// Subject of a course.
#[derive(Deserialize, ToSchema)]
pub(crate) enum Subject {
    #[serde(rename = "英語")]
    English,
    #[serde(rename = "数学")]
    Mathematics,
    #[serde(rename = "国語")]
    Japanese,
    #[serde(rename = "理科")]
    Science,
    #[serde(rename = "社会")]
    SocialStudies,
}

/// Level of a course.
#[derive(Deserialize, ToSchema)]
pub(crate) enum Level {
    #[serde(rename = "基礎")]
    Basic,
    #[serde(rename = "標準")]
    Standard,
    #[serde(rename = "発展")]
    Advanced,
}

/// Order of the courses. Ties are ordered by school year and subject.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sort {
    /// By school year and subject.
    Recommended,
    /// Newest first.
    New,
    /// Cheapest first.
    Price,
    /// Most expensive first.
    #[serde(rename = "-price")]
    PriceDescending,
    /// Shortest first.
    Duration,
}

impl Sort {
    fn wire(self) -> lms::CourseSort {
        match self {
            Self::Recommended => lms::CourseSort::Recommended,
            Self::New => lms::CourseSort::New,
            Self::Price => lms::CourseSort::Price,
            Self::PriceDescending => lms::CourseSort::PriceDescending,
            Self::Duration => lms::CourseSort::Duration,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Recommended => "recommended",
            Self::New => "new",
            Self::Price => "price",
            Self::PriceDescending => "-price",
            Self::Duration => "duration",
        }
    }
}

/// A page of the catalogue.
#[derive(Serialize, ToSchema)]
pub(crate) struct CoursePage {
    /// Number of courses on all pages.
    count: u32,
    #[schema(required, format = "uri")]
    next: Option<String>,
    #[schema(required, format = "uri")]
    previous: Option<String>,
    facets: Facets,
    #[schema(max_items = 24)]
    results: Vec<OfferedSummary>,
}

/// Counts of every value of three filters, in order, each under all filters but its own.
#[derive(Serialize, ToSchema)]
pub(crate) struct Facets {
    school_year: Vec<FacetValue>,
    category: Vec<FacetValue>,
    level: Vec<FacetValue>,
}

/// A value of a filter.
#[derive(Serialize, ToSchema)]
pub(crate) struct FacetValue {
    #[schema(example = "中3")]
    value: String,
    /// Number of courses; may be 0.
    count: u32,
}

/// Lists courses, filtered, sorted and paged.
#[utoipa::path(
    get,
    path = "/api/lms/course/",
    operation_id = "course_list",
    tag = "lms",
    params(
        ("school_year[]" = Option<Vec<SchoolYear>>, Query, description = "Filter by school year.", max_items = 100),
        ("category[]" = Option<Vec<Subject>>, Query, description = "Filter by subject.", max_items = 100),
        ("level[]" = Option<Vec<Level>>, Query, description = "Filter by level.", max_items = 100),
        ("teacher" = Option<i64>, Query, description = "Filter by teacher id.", minimum = 1),
        ("price_min" = Option<i32>, Query, description = "Lowest price in whole yen, tax included. Excludes courses that are not on sale.", minimum = 0, maximum = 9_999_999),
        ("price_max" = Option<i32>, Query, description = "Highest price in whole yen, tax included. Excludes courses that are not on sale.", minimum = 0, maximum = 9_999_999),
        ("q" = Option<String>, Query, description = "Search words; every word must match. Width, case and kind of kana are ignored.", min_length = 1, max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$", example = "二次方程式"),
        ("sort" = Option<Sort>, Query, description = "Order of the courses. Default: recommended."),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses(
        (status = 200, description = "A page of courses.", body = CoursePage),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let page = query.page()?;
    let sort = query.choice::<Sort>("sort")?;
    let request = lms::ListCoursesRequest {
        page,
        school_years: query.choices::<SchoolYear>("school_year[]")?,
        categories: query.choices::<Subject>("category[]")?,
        levels: query.choices::<Level>("level[]")?,
        teacher_id: query.id("teacher")?,
        price_min: query.whole("price_min", MAX_PRICE_YEN)?,
        price_max: query.whole("price_max", MAX_PRICE_YEN)?,
        query: query.words("q")?,
        sort: sort.map_or(lms::CourseSort::Recommended, Sort::wire).into(),
        ..lms::ListCoursesRequest::default()
    };
    let filters = filters(&request, sort);
    let on_sale = edge.offers().now().await?;
    let list = list_courses(&edge, request, &on_sale).await?;
    let links = Links::new(edge.origin(), "/api/lms/course/", &filters, page, PAGE_SIZE, list.count);
    let results = list.courses.into_iter().map(|course| OfferedSummary::new(course, &on_sale));
    let page = CoursePage {
        count: list.count,
        next: links.next,
        previous: links.previous,
        facets: Facets {
            school_year: facet(list.school_years),
            category: facet(list.categories),
            level: facet(list.levels),
        },
        results: results.collect::<Result<_, _>>()?,
    };
    public(&edge, &headers, &page)
}

/// Lists courses. An lms without a price list, for example of an earlier release, gets the prices in a second
/// call.
async fn list_courses(
    edge: &Edge,
    request: lms::ListCoursesRequest,
    on_sale: &OnSale,
) -> Result<lms::ListCoursesResponse, Error> {
    let listed = edge.catalogue().list_courses(request.clone()).await;
    let lacks_prices = match &listed {
        Ok(list) => !list.get_ref().has_price_list,
        // A price filter matches no course then, so every page but the first is beyond the last.
        Err(status) => status.code() == Code::NotFound,
    };
    if !(lacks_prices && needs_prices(&request)) {
        return Ok(listed?.into_inner());
    }
    let prices = on_sale.prices().map(|(course_id, price)| lms::CoursePrice { course_id, price }).collect();
    let request = lms::ListCoursesRequest { prices, ..request };
    Ok(edge.catalogue().list_courses(request).await?.into_inner())
}

fn needs_prices(request: &lms::ListCoursesRequest) -> bool {
    let by_price = matches!(request.sort(), lms::CourseSort::Price | lms::CourseSort::PriceDescending);
    by_price || request.price_min.is_some() || request.price_max.is_some()
}

/// The filters to repeat in links to other pages.
fn filters(request: &lms::ListCoursesRequest, sort: Option<Sort>) -> Vec<(&'static str, String)> {
    let many = |name, values: &[String]| values.iter().map(|value| (name, value.clone())).collect::<Vec<_>>();
    let whole = |name, value: Option<i32>| value.map(|value| (name, value.to_string()));
    let mut filters = many("school_year[]", &request.school_years);
    filters.extend(many("category[]", &request.categories));
    filters.extend(many("level[]", &request.levels));
    filters.extend(request.teacher_id.map(|id| ("teacher", id.to_string())));
    filters.extend(whole("price_min", request.price_min));
    filters.extend(whole("price_max", request.price_max));
    filters.extend(request.query.clone().map(|words| ("q", words)));
    filters.extend(sort.map(|sort| ("sort", sort.name().to_owned())));
    filters
}

fn facet(values: Vec<lms::FacetValue>) -> Vec<FacetValue> {
    values.into_iter().map(|lms::FacetValue { value, count }| FacetValue { value, count }).collect()
}
