//! Heartbeats of players, recently viewed lessons, and watched time a day.

use axum::extract::State;
use axum::response::Response;
use proto::lms;
use serde::Serialize;
use serde_json::json;
use time::OffsetDateTime;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, Type};
use uuid::Uuid;

use super::courses::incomplete;
use super::marks::CourseRef;
use crate::Edge;
use crate::answer;
use crate::error::Error;
use crate::input::{Fields, Form, Id, JsonBody, LARGEST, Query};
use crate::page::{List, Page};
use crate::session::Learner;
use crate::timestamp::parse_timestamp;

/// Watched intervals of one heartbeat.
const MAX_INTERVALS: usize = 20;
/// Seconds, more than any lesson has.
const MAX_SECOND: i64 = u32::MAX as i64;

/// What a player says every 15 seconds, at a pause, and when it is left.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Beat)]
pub(crate) struct Heartbeat {
    /// Milliseconds since 1970 by the device's clock, another for every beat: the highest has the position.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    sequence: i64,
    /// The place now, in seconds from the start.
    #[schema(minimum = 0, maximum = 4_294_967_295_i64)]
    position: u32,
    /// What was played since the last beat.
    #[schema(schema_with = interval_array)]
    watched: Vec<lms::Stretch>,
    /// The stream that plays; null where there is none.
    #[schema(nullable, required = false)]
    stream: Option<Uuid>,
}

impl Form for Heartbeat {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (sequence, position) = (fields.whole("sequence", LARGEST), fields.whole("position", MAX_SECOND));
        let watched = fields.intervals("watched", MAX_INTERVALS, MAX_SECOND);
        let stream = fields.optional_uuid("stream");
        let second = |second: i64| u32::try_from(second).ok();
        let interval = |[from, to]: [i64; 2]| Some(lms::Stretch { from: second(from)?, to: second(to)? });
        Some(Self {
            sequence: sequence?,
            position: second(position?)?,
            watched: watched?.into_iter().map(interval).collect::<Option<_>>()?,
            stream: stream?,
        })
    }
}

/// Pairs of seconds.
fn interval_array() -> Array {
    let second = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(MAX_SECOND));
    let interval = ArrayBuilder::new().items(second).min_items(Some(2)).max_items(Some(2));
    ArrayBuilder::new()
        .description(Some(
            "What was played since the last beat, as it was: start and end of each stretch, in seconds.",
        ))
        .items(interval)
        .max_items(Some(MAX_INTERVALS))
        .examples([json!([[0, 15]])])
        .build()
}

/// How a lesson stands.
#[derive(Serialize, ToSchema)]
#[schema(as = WatchStanding)]
pub(crate) struct LessonProgress {
    /// Where to go on, in seconds.
    position: u32,
    /// The furthest place ever reached, in seconds.
    furthest: u32,
    /// Seconds seen at least once.
    covered: u32,
    /// Whether it is ticked.
    is_check: bool,
    /// Whether as much of it was watched as makes it done.
    is_done: bool,
}

/// Keep what was watched of a lesson. Late, twice or from several devices is no harm; 403 `EXPIRED_ITEM` where the
/// caller's item has run out, 409 `STREAM_ENDED` where another player took the stream's place: nothing is kept then.
#[utoipa::path(
    post,
    path = "/api/lms/lesson/{id}/beat/",
    operation_id = "beat",
    tag = "lms",
    params(("id" = i64, Path, description = "The lesson", minimum = 1)),
    request_body = Heartbeat,
    responses((status = 200, description = "It is kept", body = LessonProgress))
)]
pub(crate) async fn record_heartbeat(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
    JsonBody(heartbeat): JsonBody<Heartbeat>,
) -> Result<Response, Error> {
    let request = lms::RecordBeatRequest {
        learner_id: learner.id(),
        lesson_id,
        position: heartbeat.position,
        sequence: heartbeat.sequence,
        watched: heartbeat.watched,
        stream: heartbeat.stream.map(|stream| stream.to_string()),
    };
    let progress = edge.watching(&learner).record_beat(request).await?.into_inner();
    Ok(answer::json(&LessonProgress {
        position: progress.position,
        furthest: progress.furthest,
        covered: progress.covered,
        is_check: progress.is_check,
        is_done: progress.is_done,
    }))
}

/// A lesson that was watched.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecentLesson {
    lesson: WatchedLesson,
    course: CourseRef,
    /// Where to go on, in seconds.
    position: i32,
    /// Seconds seen at least once.
    covered: i32,
    /// Whether it is ticked.
    is_check: bool,
    /// Whether it can no longer be watched.
    is_expired: bool,
    /// The last beat.
    #[serde(with = "time::serde::rfc3339")]
    last_seen: OffsetDateTime,
}

/// A lesson by name.
#[derive(Serialize, ToSchema)]
pub(crate) struct WatchedLesson {
    id: i64,
    name: String,
    /// Seconds.
    duration: i32,
}

impl RecentLesson {
    fn new(recent: lms::RecentLesson) -> Result<Self, Error> {
        Ok(Self {
            lesson: WatchedLesson {
                id: recent.lesson_id,
                name: recent.lesson_name,
                duration: recent.duration,
            },
            course: CourseRef { id: recent.course_id, name: recent.course_name },
            position: recent.position,
            covered: recent.covered,
            is_check: recent.is_check,
            is_expired: recent.is_expired,
            last_seen: parse_timestamp(recent.last_seen)?,
        })
    }
}

/// The lessons that the caller watched, of one course or of all, the last first.
#[utoipa::path(
    get,
    path = "/api/lms/recent/",
    operation_id = "recent_list",
    tag = "lms",
    params(
        ("course" = Option<i64>, Query, description = "Only lessons of this course", minimum = 1),
        ("page" = Option<u32>, Query, description = "From 1; beyond the last is 404", minimum = 1)
    ),
    responses((status = 200, description = "A page of them", body = Page<RecentLesson>))
)]
pub(crate) async fn recent(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
) -> Result<Response, Error> {
    let (page, course_id) = (query.page()?, query.id("course")?);
    let filters: Vec<_> = course_id.map(|id| ("course", id.to_string())).into_iter().collect();
    let request = lms::ListRecentRequest { learner_id: learner.id(), page, course_id };
    let list = edge.watching(&learner).list_recent(request).await?.into_inner();
    let of = List { path: "/api/lms/recent/", filters: &filters, page, count: list.count };
    Ok(answer::json(&Page::new(&edge, &of, list.lessons, RecentLesson::new)?))
}

/// The last seven days. A day begins at 04:00 in Tokyo.
#[derive(Serialize, ToSchema)]
pub(crate) struct Week {
    /// The oldest first.
    #[schema(min_items = 7, max_items = 7)]
    days: Vec<WatchedDay>,
    /// Days in a row on which something was watched, up to today, or to yesterday as long as today may still join them.
    streak: u32,
    /// The last of the days.
    #[schema(format = Date)]
    today: String,
}

/// How long somebody watched on a day.
#[derive(Serialize, ToSchema)]
pub(crate) struct WatchedDay {
    #[schema(format = Date)]
    date: String,
    /// Of lessons, not of the clock: at double speed a minute counts two.
    #[schema(minimum = 0)]
    seconds: i32,
}

impl From<lms::WatchedDay> for WatchedDay {
    fn from(day: lms::WatchedDay) -> Self {
        Self { date: day.date, seconds: day.seconds }
    }
}

/// How long the caller watched on each of the last seven days.
#[utoipa::path(
    get,
    path = "/api/lms/week/",
    operation_id = "week",
    tag = "lms",
    responses((status = 200, description = "The days", body = Week))
)]
pub(crate) async fn week(State(edge): State<Edge>, learner: Learner) -> Result<Response, Error> {
    let week = edge
        .watching(&learner)
        .get_week(lms::GetWeekRequest { learner_id: learner.id() })
        .await?
        .into_inner();
    let today = week.days.last().ok_or_else(|| incomplete("days"))?.date.clone();
    let days = week.days.into_iter().map(WatchedDay::from);
    Ok(answer::json(&Week { days: days.collect(), streak: week.streak, today }))
}
