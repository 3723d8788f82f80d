//! Heartbeats of players, recently viewed lessons, and watch time by day.

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
use crate::input::{Fields, Form, Id, JsonBody, MAX_SAFE_INTEGER, Query};
use crate::page::{List, Page};
use crate::session::Learner;
use crate::timestamp::parse_timestamp;

/// Largest number of watched intervals in one heartbeat.
const MAX_INTERVALS: usize = 20;
/// Largest position in seconds, beyond the length of any lesson.
const MAX_SECOND: i64 = u32::MAX as i64;

/// A heartbeat of a player, sent every 15 seconds, at a pause and when the player closes.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Beat)]
pub(crate) struct Heartbeat {
    /// Milliseconds since 1970 by the device's clock, different for each heartbeat. The highest sequence wins
    /// the position.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    sequence: i64,
    /// Current position in seconds.
    #[schema(minimum = 0, maximum = 4_294_967_295_i64)]
    position: u32,
    /// Intervals watched since the last heartbeat.
    #[schema(schema_with = interval_array)]
    watched: Vec<lms::Stretch>,
    /// Id of the playing stream; null for playback that was recorded offline.
    #[schema(nullable, required = false)]
    stream: Option<Uuid>,
}

impl Form for Heartbeat {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (sequence, position) =
            (fields.whole("sequence", MAX_SAFE_INTEGER), fields.whole("position", MAX_SECOND));
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

/// JSON schema of pairs of seconds.
fn interval_array() -> Array {
    let second = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(MAX_SECOND));
    let interval = ArrayBuilder::new().items(second).min_items(Some(2)).max_items(Some(2));
    ArrayBuilder::new()
        .description(Some("Intervals watched since the last heartbeat, as played: start and end in seconds."))
        .items(interval)
        .max_items(Some(MAX_INTERVALS))
        .examples([json!([[0, 15]])])
        .build()
}

/// Playback progress in a lesson.
#[derive(Serialize, ToSchema)]
#[schema(as = WatchStanding)]
pub(crate) struct LessonProgress {
    /// Resume position in seconds.
    position: u32,
    /// Furthest position reached, in seconds.
    furthest: u32,
    /// Seconds watched at least once.
    covered: u32,
    /// Whether the lesson is checked.
    is_check: bool,
    /// Whether enough was watched and every required question is answered.
    is_done: bool,
}

/// Records a heartbeat of a lesson.
///
/// Heartbeats may arrive late, twice or from several devices. 403 `EXPIRED_ITEM` if the caller's item has
/// expired. 409 `STREAM_ENDED` if another player replaced the stream; nothing is stored then.
#[utoipa::path(
    post,
    path = "/api/lms/lesson/{id}/beat/",
    operation_id = "beat",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the lesson.", minimum = 1)),
    request_body = Heartbeat,
    responses((status = 200, description = "The progress after the heartbeat.", body = LessonProgress))
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

/// A recently viewed lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecentLesson {
    lesson: WatchedLesson,
    course: CourseRef,
    /// Resume position in seconds.
    position: i32,
    /// Seconds watched at least once.
    covered: i32,
    /// Whether the lesson is checked.
    is_check: bool,
    /// Whether access has expired.
    is_expired: bool,
    /// Time of the last heartbeat.
    #[serde(with = "time::serde::rfc3339")]
    last_seen: OffsetDateTime,
}

/// Id and name of a lesson, with its length.
#[derive(Serialize, ToSchema)]
pub(crate) struct WatchedLesson {
    id: i64,
    name: String,
    /// Length in seconds.
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

/// Lists the caller's recently viewed lessons, of one course or of all, last watched first.
#[utoipa::path(
    get,
    path = "/api/lms/recent/",
    operation_id = "recent_list",
    tag = "lms",
    params(
        ("course" = Option<i64>, Query, description = "Filter by course id.", minimum = 1),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses((status = 200, description = "A page of recently viewed lessons.", body = Page<RecentLesson>))
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
    let listing = List { path: "/api/lms/recent/", filters: &filters, page, count: list.count };
    Ok(answer::json(&Page::new(&edge, &listing, list.lessons, RecentLesson::new)?))
}

/// Watch time of the last seven days. A day begins at 04:00 in Tokyo.
#[derive(Serialize, ToSchema)]
pub(crate) struct Week {
    /// Seven days, oldest first.
    #[schema(min_items = 7, max_items = 7)]
    days: Vec<WatchedDay>,
    /// Number of consecutive days with playback, up to today, or up to yesterday if nothing was watched today
    /// yet.
    streak: u32,
    /// The current day; the last of `days`.
    #[schema(format = Date)]
    today: String,
}

/// Watch time of one day.
#[derive(Serialize, ToSchema)]
pub(crate) struct WatchedDay {
    #[schema(format = Date)]
    date: String,
    /// Seconds of lesson time, not of clock time: one minute at double speed counts as two.
    #[schema(minimum = 0)]
    seconds: i32,
}

impl From<lms::WatchedDay> for WatchedDay {
    fn from(day: lms::WatchedDay) -> Self {
        Self { date: day.date, seconds: day.seconds }
    }
}

/// Returns the caller's watch time of each of the last seven days.
#[utoipa::path(
    get,
    path = "/api/lms/week/",
    operation_id = "week",
    tag = "lms",
    responses((status = 200, description = "The watch time of the last seven days.", body = Week))
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
