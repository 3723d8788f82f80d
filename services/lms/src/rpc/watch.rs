//! Heartbeats, recently watched lessons, and the week.

use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::page::Page;
use kit::timestamp::to_timestamp;
use proto::lms::watch_service_server::WatchService;
use proto::lms::{
    GetWeekRequest, GetWeekResponse, ListRecentRequest, ListRecentResponse, RecentLesson, RecordBeatRequest,
    RecordBeatResponse, Stretch, WatchedDay,
};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Lms, commit};
use crate::day::{self, WatchDay};
use crate::error::Error;
use crate::watch::{self, Heartbeat, WatchedInterval};

/// The maximum number of watched intervals in a heartbeat.
const INTERVAL_LIMIT: usize = 20;
/// Number of lessons on a page.
const PAGE_SIZE: u32 = 20;

#[tonic::async_trait]
impl WatchService for Lms {
    async fn record_beat(
        &self,
        request: Request<RecordBeatRequest>,
    ) -> Result<Response<RecordBeatResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let heartbeat = decode_heartbeat(&request)?;
        let mut transaction = self.begin().await?;
        let outcome =
            watch::record(&mut transaction, learner, heartbeat, self.clock.now(), self.rules).await?;
        commit(transaction).await?;
        Ok(Response::new(RecordBeatResponse {
            position: outcome.position.unsigned_abs(),
            covered: outcome.covered.unsigned_abs(),
            is_check: outcome.is_check,
            furthest: outcome.furthest.unsigned_abs(),
            is_done: outcome.is_done,
        }))
    }

    async fn list_recent(
        &self,
        request: Request<ListRecentRequest>,
    ) -> Result<Response<ListRecentResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let page = Page::parse(request.page, PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let lessons = watch::list_recent(&mut connection, learner, request.course_id, page, self.clock.now());
        let lessons = lessons.await.map_err(Error::from)?;
        let count =
            page.encode_count(lessons.first().map_or(0, |lesson| lesson.count)).ok_or(Error::NotFound)?;
        let lessons = lessons.into_iter().map(RecentLesson::from).collect();
        Ok(Response::new(ListRecentResponse { count, lessons }))
    }

    async fn get_week(&self, request: Request<GetWeekRequest>) -> Result<Response<GetWeekResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let mut connection = self.acquire().await?;
        let week = day::find_week(&mut connection, learner, self.clock.now()).await.map_err(Error::from)?;
        Ok(Response::new(GetWeekResponse {
            days: week.days.into_iter().map(Into::into).collect(),
            streak: u32::try_from(week.streak).unwrap_or(u32::MAX),
        }))
    }
}

impl From<watch::RecentLesson> for RecentLesson {
    fn from(recent: watch::RecentLesson) -> Self {
        Self {
            lesson_id: recent.lesson_id,
            lesson_name: recent.lesson_name,
            duration: recent.duration,
            course_id: recent.course_id,
            course_name: recent.course_name,
            position: recent.position,
            covered: recent.covered,
            is_check: recent.is_check,
            is_expired: recent.is_expired,
            last_seen: Some(to_timestamp(recent.last_seen)),
        }
    }
}

impl From<WatchDay> for WatchedDay {
    fn from(watched: WatchDay) -> Self {
        Self { date: watched.day.to_string(), seconds: watched.seconds }
    }
}

/// Decodes a heartbeat. Seconds are limited to `i32::MAX`, which is longer than any lesson.
fn decode_heartbeat(request: &RecordBeatRequest) -> Result<Heartbeat, Error> {
    if request.watched.len() > INTERVAL_LIMIT {
        return Err(Error::Field(FieldError::new("watched", "TOO_LONG")));
    }
    if request.sequence < 0 {
        return Err(Error::Field(FieldError::new("sequence", "OUT_OF_RANGE")));
    }
    Ok(Heartbeat {
        lesson: request.lesson_id,
        position: clamp_seconds(request.position),
        watched: request.watched.iter().copied().map(parse_interval).collect::<Result<_, _>>()?,
        sequence: request.sequence,
        stream: request.stream.as_deref().map(parse_stream).transpose()?,
    })
}

fn parse_interval(interval: Stretch) -> Result<WatchedInterval, Error> {
    if interval.to < interval.from {
        return Err(Error::Field(FieldError::new("watched", "OUT_OF_RANGE")));
    }
    Ok(clamp_seconds(interval.from)..clamp_seconds(interval.to))
}

fn parse_stream(text: &str) -> Result<Uuid, Error> {
    text.parse().map_err(|_| Error::Field(FieldError::new("stream", "INVALID_FORMAT")))
}

fn clamp_seconds(seconds: u32) -> i32 {
    i32::try_from(seconds).unwrap_or(i32::MAX)
}
