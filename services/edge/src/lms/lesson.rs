//! One lesson, as its player shows it.

use axum::extract::State;
use axum::response::Response;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::courses::incomplete;
use super::handouts::HandoutKind;
use super::marks::CourseRef;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::Id;
use crate::session::Learner;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// A lesson of a course that the caller owns or owned.
#[derive(Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub(crate) struct OwnedLesson {
    id: i64,
    name: String,
    /// One sentence.
    summary: String,
    /// Length in seconds.
    duration: i32,
    course: CourseRef,
    chapter: PartRef,
    unit: PartRef,
    /// Id of the inventory item that grants access. Of several, the one that expires last.
    inventory_id: i64,
    /// Id of the product that granted access.
    product_id: i64,
    /// Position of the lesson in its course, from 1.
    #[schema(minimum = 1)]
    number: i32,
    /// Number of lessons in the course.
    lesson_count: i32,
    /// Previous lesson of the course; null for the first.
    #[schema(required)]
    previous: Option<Neighbour>,
    /// Next lesson of the course; null for the last.
    #[schema(required)]
    next: Option<Neighbour>,
    /// Whether access has expired, by the server's clock.
    is_expired: bool,
    /// End of access; null: no end.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    expire_at: Option<OffsetDateTime>,
    /// Whether the lesson is a favorite.
    is_favorite: bool,
    /// Whether the lesson is checked.
    is_check: bool,
    /// Playback progress; null: nothing watched.
    #[schema(required)]
    watch: Option<Watched>,
    /// Sections of the video, earliest first.
    marks: Vec<VideoMark>,
    /// Documents that accompany the video.
    handouts: Vec<Handout>,
    has_video: bool,
    question_count: i32,
}

/// Id and name of a chapter or unit.
#[derive(Serialize, ToSchema)]
pub(crate) struct PartRef {
    id: i64,
    name: String,
}

/// The previous or next lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct Neighbour {
    id: i64,
    name: String,
    /// Length in seconds.
    duration: i32,
}

impl From<lms::Lesson> for Neighbour {
    fn from(lms::Lesson { id, name, duration, .. }: lms::Lesson) -> Self {
        Self { id, name, duration }
    }
}

/// Playback progress in a lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct Watched {
    /// Resume position in seconds.
    position: i32,
    /// Furthest position reached, in seconds.
    furthest: i32,
    /// Seconds watched at least once.
    covered: i32,
    /// Number of sittings.
    times: i32,
    /// Time of the last heartbeat.
    #[serde(with = "time::serde::rfc3339")]
    last_seen: OffsetDateTime,
}

impl Watched {
    fn new(watch: lms::LessonWatch) -> Result<Self, Error> {
        let lms::LessonWatch { position, furthest, covered, times, last_seen } = watch;
        Ok(Self { position, furthest, covered, times, last_seen: parse_timestamp(last_seen)? })
    }
}

/// The start of a section of the video.
#[derive(Serialize, ToSchema)]
pub(crate) struct VideoMark {
    /// Seconds from the start.
    at: i32,
    /// Title of the section.
    name: String,
}

/// A document that accompanies the video.
#[derive(Serialize, ToSchema)]
pub(crate) struct Handout {
    kind: HandoutKind,
    page_count: i32,
    /// Times at which each page is shown, earliest first.
    pages: Vec<HandoutPage>,
}

/// The time from which a page is shown.
#[derive(Serialize, ToSchema)]
pub(crate) struct HandoutPage {
    /// Page number, from 1.
    page: i32,
    /// Seconds from the start.
    at: i32,
}

impl Handout {
    fn new(handout: lms::Handout) -> Result<Self, Error> {
        let kind = HandoutKind::parse(&handout.kind).ok_or_else(|| incomplete("a handout's kind"))?;
        let pages = handout.pages.into_iter().map(|lms::HandoutPage { page, at }| HandoutPage { page, at });
        Ok(Self { kind, page_count: handout.page_count, pages: pages.collect() })
    }
}

impl OwnedLesson {
    fn new(shown: lms::GetLessonResponse) -> Result<Self, Error> {
        let way = shown.lesson.ok_or_else(|| incomplete("lesson"))?;
        let lesson = way.lesson.ok_or_else(|| incomplete("lesson"))?;
        let marks = shown.marks.into_iter().map(|lms::VideoMark { at, name }| VideoMark { at, name });
        Ok(Self {
            id: lesson.id,
            name: lesson.name,
            summary: lesson.summary,
            duration: lesson.duration,
            course: CourseRef { id: way.course_id, name: way.course_name },
            chapter: PartRef { id: way.chapter_id, name: way.chapter_name },
            unit: PartRef { id: way.unit_id, name: way.unit_name },
            inventory_id: shown.inventory_id,
            product_id: shown.product_id,
            number: shown.number,
            lesson_count: shown.lesson_count,
            previous: shown.previous.map(Neighbour::from),
            next: shown.next.map(Neighbour::from),
            is_expired: shown.is_expired,
            expire_at: parse_optional_timestamp(shown.expire_at)?,
            is_favorite: shown.is_favorite,
            is_check: shown.is_check,
            watch: shown.watch.map(Watched::new).transpose()?,
            marks: marks.collect(),
            handouts: shown.handouts.into_iter().map(Handout::new).collect::<Result<_, _>>()?,
            has_video: shown.has_video,
            question_count: shown.question_count,
        })
    }
}

/// Returns a lesson of a course that the caller owns or owned.
#[utoipa::path(
    get,
    path = "/api/lms/lesson/{id}/",
    operation_id = "lesson",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the lesson.", minimum = 1)),
    responses((status = 200, description = "The lesson.", body = OwnedLesson))
)]
pub(crate) async fn lesson(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
) -> Result<Response, Error> {
    let request = lms::GetLessonRequest { learner_id: learner.id(), lesson_id };
    let shown = edge.lessons(&learner).get_lesson(request).await?.into_inner();
    Ok(json(&OwnedLesson::new(shown)?))
}
