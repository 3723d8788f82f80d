//! A public course with its tree.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::Edge;
use crate::answer::public;
use crate::commerce::offers::{Offer, OnSale};
use crate::error::Error;
use crate::input::Id;
use crate::timestamp::parse_timestamp;

/// A course without its tree.
#[derive(Serialize, ToSchema)]
pub(crate) struct CourseSummary {
    id: i64,
    name: String,
    /// Subject.
    #[schema(example = "英語")]
    category: String,
    /// School year that the course is made for.
    #[schema(example = "中1")]
    school_year: String,
    /// 基礎, 標準 or 発展.
    #[schema(example = "標準")]
    level: String,
    /// Paragraphs, separated by an empty line.
    description: String,
    /// One line.
    summary: String,
    /// Length of all lessons in seconds.
    duration_sum: i32,
    /// Number of lessons in all chapters.
    lesson_count: i32,
    /// URL of the introduction video; null: none.
    #[schema(required)]
    orientation: Option<String>,
    /// URL of the sample video; null: none.
    #[schema(required)]
    sample_video: Option<String>,
    /// URL of the thumbnail; null: none.
    #[schema(required)]
    thumbnail: Option<String>,
    /// URL of one file with all textbooks; null: none.
    #[schema(required)]
    textbook_bundle: Option<String>,
    /// URL of one file with all whiteboards; null: none.
    #[schema(required)]
    whiteboard_bundle: Option<String>,
    teacher: TeacherRef,
    /// When the course was published.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// When any part of the course last changed.
    #[serde(with = "time::serde::rfc3339")]
    modified: OffsetDateTime,
}

impl CourseSummary {
    pub(crate) fn new(course: Option<lms::CourseSummary>) -> Result<Self, Error> {
        let course = course.ok_or_else(|| incomplete("course"))?;
        let teacher = course.teacher.ok_or_else(|| incomplete("teacher"))?;
        Ok(Self {
            id: course.id,
            name: course.name,
            category: course.category,
            school_year: course.school_year,
            level: course.level,
            description: course.description,
            summary: course.summary,
            duration_sum: course.duration_sum,
            lesson_count: course.lesson_count,
            orientation: course.orientation,
            sample_video: course.sample_video,
            thumbnail: course.thumbnail,
            textbook_bundle: course.textbook_bundle,
            whiteboard_bundle: course.whiteboard_bundle,
            teacher: TeacherRef { id: teacher.id, name: teacher.name },
            created: parse_timestamp(course.created)?,
            modified: parse_timestamp(course.modified)?,
        })
    }
}

/// Id and name of a teacher.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeacherRef {
    id: i64,
    name: String,
}

/// A course without its tree, with its current offer.
#[derive(Serialize, ToSchema)]
pub(crate) struct OfferedSummary {
    #[serde(flatten)]
    summary: CourseSummary,
    /// Current offer; null: not on sale.
    #[schema(required)]
    product: Option<Offer>,
}

impl OfferedSummary {
    pub(crate) fn new(course: lms::CourseSummary, on_sale: &OnSale) -> Result<Self, Error> {
        let product = on_sale.find_offer(course.id).cloned();
        Ok(Self { summary: CourseSummary::new(Some(course))?, product })
    }
}

/// A course with its tree and its current offer.
#[derive(Serialize, ToSchema)]
pub(crate) struct OfferedCourse {
    #[serde(flatten)]
    course: Course,
    /// Current offer; null: not on sale.
    #[schema(required)]
    product: Option<Offer>,
}

/// A course with its tree.
#[derive(Serialize, ToSchema)]
pub(crate) struct Course {
    #[serde(flatten)]
    summary: CourseSummary,
    /// In teaching order.
    course_chapter: Vec<Chapter>,
}

/// A chapter of a course.
#[derive(Serialize, ToSchema)]
pub(crate) struct Chapter {
    id: i64,
    name: String,
    /// In teaching order.
    units: Vec<Unit>,
}

/// A unit of a chapter.
#[derive(Serialize, ToSchema)]
pub(crate) struct Unit {
    id: i64,
    name: String,
    /// In teaching order.
    lessons: Vec<Lesson>,
}

/// A video lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct Lesson {
    id: i64,
    name: String,
    /// One sentence.
    summary: String,
    /// Length in seconds.
    duration: i32,
}

impl Course {
    pub(crate) fn new(course: lms::Course) -> Result<Self, Error> {
        let lesson = |lesson: lms::Lesson| Lesson {
            id: lesson.id,
            name: lesson.name,
            summary: lesson.summary,
            duration: lesson.duration,
        };
        let unit = |unit: lms::Unit| Unit {
            id: unit.id,
            name: unit.name,
            lessons: unit.lessons.into_iter().map(lesson).collect(),
        };
        let chapter = |chapter: lms::Chapter| Chapter {
            id: chapter.id,
            name: chapter.name,
            units: chapter.units.into_iter().map(unit).collect(),
        };
        Ok(Self {
            summary: CourseSummary::new(course.summary)?,
            course_chapter: course.chapters.into_iter().map(chapter).collect(),
        })
    }
}

/// Returns a course with its chapters, units and lessons.
#[utoipa::path(
    get,
    path = "/api/lms/course/{id}/",
    operation_id = "course",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the course.", minimum = 1)),
    responses(
        (status = 200, description = "The course.", body = OfferedCourse),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn course(
    State(edge): State<Edge>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let request = lms::GetCoursesRequest { ids: vec![id] };
    let found = edge.catalogue().get_courses(request).await?.into_inner().courses;
    let course = found.into_iter().next().ok_or(Error::NotFound)?;
    let product = edge.offers().now().await?.find_offer(id).cloned();
    public(&edge, &headers, &OfferedCourse { course: Course::new(course)?, product })
}

pub(crate) fn incomplete(what: &str) -> Error {
    Error::incomplete("lms", what)
}
