//! Public exams.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::exam as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use super::places::{Place, Places};
use crate::Edge;
use crate::answer::public;
use crate::error::Error;
use crate::input::{Id, Query};
use crate::page::{List, Page};
use crate::timestamp::parse_timestamp;

/// A mock exam.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExamCard {
    id: i64,
    #[schema(example = "コノ模試 第1回")]
    name: String,
    #[schema(example = "中3")]
    school_year: String,
    /// In the order of the papers.
    subjects: Vec<String>,
    #[serde(with = "time::serde::rfc3339")]
    application_opens_at: OffsetDateTime,
    /// When applications close, exclusive.
    #[serde(with = "time::serde::rfc3339")]
    application_closes_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    starts_at: OffsetDateTime,
    /// When the exam ends, exclusive.
    #[serde(with = "time::serde::rfc3339")]
    ends_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    results_at: OffsetDateTime,
    /// The product that grants a seat; null: the exam is free.
    #[schema(required)]
    product_id: Option<i64>,
    /// Whole yen, tax included; null: free, or not on sale now.
    #[schema(required, minimum = 1, example = 4400)]
    price: Option<i32>,
    /// Number of seats of a free exam; null: no limit, or sold.
    #[schema(required)]
    capacity: Option<i32>,
    /// Seats that are left; null: no limit, or not on sale now.
    #[schema(required)]
    seats_left: Option<i64>,
}

/// A mock exam with its papers.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExamDetail {
    #[serde(flatten)]
    card: ExamCard,
    description: String,
    papers: Vec<Paper>,
}

/// A paper: one subject of an exam.
#[derive(Serialize, ToSchema)]
pub(crate) struct Paper {
    id: i64,
    #[schema(example = "数学")]
    subject: String,
    /// Time to answer it.
    minutes: i32,
    question_count: i32,
    /// Sum of the points of its questions.
    points: i32,
}

impl ExamCard {
    /// Converts an exam. `places` has the prices of sold exams.
    pub(super) fn new(exam: &wire::Exam, places: &Places) -> Result<Self, Error> {
        let place = exam.product_id.and_then(|product| places.find(product));
        Ok(Self {
            id: exam.id,
            name: exam.name.clone(),
            school_year: exam.school_year.clone(),
            subjects: exam.papers.iter().map(|paper| paper.subject.clone()).collect(),
            application_opens_at: parse_timestamp(exam.application_opens_at)?,
            application_closes_at: parse_timestamp(exam.application_closes_at)?,
            starts_at: parse_timestamp(exam.starts_at)?,
            ends_at: parse_timestamp(exam.ends_at)?,
            results_at: parse_timestamp(exam.results_at)?,
            product_id: exam.product_id,
            price: place.map(|place| place.price),
            capacity: exam.capacity,
            seats_left: exam.seats_left.map(i64::from).or(place.and_then(Place::seats_left)),
        })
    }
}

impl ExamDetail {
    /// Converts an exam. `places` has the prices of sold exams.
    pub(super) fn new(exam: wire::Exam, places: &Places) -> Result<Self, Error> {
        let card = ExamCard::new(&exam, places)?;
        let paper = |paper: wire::Paper| Paper {
            id: paper.id,
            subject: paper.subject,
            minutes: paper.minutes,
            question_count: paper.question_count,
            points: paper.points,
        };
        let papers = exam.papers.into_iter().map(paper).collect();
        Ok(Self { card, description: exam.description, papers })
    }
}

/// Lists the exams that have not ended, soonest first.
#[utoipa::path(
    get,
    path = "/api/exam/exam/",
    operation_id = "exam_list",
    tag = "exam",
    params(("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)),
    responses(
        (status = 200, description = "A page of exams.", body = Page<ExamCard>),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let page = query.page()?;
    let list = edge.exams().list_exams(wire::ListExamsRequest { page }).await?.into_inner();
    let places = Places::fetch(&edge, &list.exams).await;
    let listing = List { path: "/api/exam/exam/", filters: &[], page, count: list.count };
    public(&edge, &headers, &Page::new(&edge, &listing, list.exams, |exam| ExamCard::new(&exam, &places))?)
}

/// Returns an exam with its papers. It stays readable after its end.
#[utoipa::path(
    get,
    path = "/api/exam/exam/{id}/",
    operation_id = "exam",
    tag = "exam",
    params(("id" = i64, Path, description = "Id of the exam.", minimum = 1)),
    responses(
        (status = 200, description = "The exam.", body = ExamDetail),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn exam(
    State(edge): State<Edge>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let found = edge.exams().get_exam(wire::GetExamRequest { id }).await?.into_inner().exam;
    let found = found.ok_or_else(|| incomplete("exam"))?;
    let places = Places::fetch(&edge, std::slice::from_ref(&found)).await;
    public(&edge, &headers, &ExamDetail::new(found, &places)?)
}
