//! A lesson for its player, and the right to play it.

use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::lms::lesson_service_server::LessonService;
use proto::lms::{
    CheckStreamRequest, CheckStreamResponse, EndStreamRequest, EndStreamResponse, FindLessonCoursesRequest,
    FindLessonCoursesResponse, GetLessonRequest, GetLessonResponse, Handout, LessonCourse, LessonWatch,
    OpenBundleRequest, OpenBundleResponse, OpenHandoutsRequest, OpenHandoutsResponse, StartStreamRequest,
    StartStreamResponse, VideoMark, WatchEndedStreamsRequest, WatchEndedStreamsResponse,
};
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Lms, commit};
use crate::error::Error;
use crate::lesson::{PlayerLesson, opening};
use crate::stream::ended::{self, EndedStreamsMessage};
use crate::stream::{self, StreamStart};
use crate::{entitlement, inventory, learner, lesson};

/// The maximum number of lessons in one request.
const LESSONS_LIMIT: usize = 100;

#[tonic::async_trait]
impl LessonService for Lms {
    async fn find_lesson_courses(
        &self,
        request: Request<FindLessonCoursesRequest>,
    ) -> Result<Response<FindLessonCoursesResponse>, Status> {
        let learner = request.caller()?.learner().ok();
        let ids = request.into_inner().lesson_ids;
        if ids.len() > LESSONS_LIMIT {
            return Err(Error::Field(FieldError::new("lesson_ids", "TOO_LONG")).into());
        }
        let mut connection = self.acquire().await?;
        let found = lesson::list_courses(&mut connection, learner, &ids, self.clock.now());
        let lessons = found.await.map_err(Error::from)?.into_iter().map(|lesson| LessonCourse {
            lesson_id: lesson.lesson_id,
            lesson_name: lesson.lesson_name,
            course_id: lesson.course_id,
            course_name: lesson.course_name,
            is_usable: lesson.is_usable,
        });
        Ok(Response::new(FindLessonCoursesResponse { lessons: lessons.collect() }))
    }

    async fn get_lesson(
        &self,
        request: Request<GetLessonRequest>,
    ) -> Result<Response<GetLessonResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut connection = self.acquire().await?;
        let lesson = lesson::find_for_player(&mut connection, learner, request.lesson_id)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        Ok(Response::new(encode_lesson(lesson, self.clock.now())))
    }

    async fn start_stream(
        &self,
        request: Request<StartStreamRequest>,
    ) -> Result<Response<StartStreamResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let invalid = |_| Error::Field(FieldError::new("device", "INVALID_FORMAT"));
        let device = request.device.parse().map_err(invalid)?;
        let start = StreamStart { lesson: request.lesson_id, device, take_over: request.take_over };
        let mut transaction = self.begin().await?;
        let started = stream::start(&mut transaction, learner, start, self.clock.now(), self.rules).await?;
        let handouts =
            lesson::list_handouts(&mut transaction, request.lesson_id).await.map_err(Error::from)?;
        commit(transaction).await?;
        Ok(Response::new(StartStreamResponse {
            stream_id: started.id.to_string(),
            paged_handouts: handouts.into_iter().map(Handout::from).collect(),
            expire_at: started.expire_at.map(to_timestamp),
        }))
    }

    async fn end_stream(
        &self,
        request: Request<EndStreamRequest>,
    ) -> Result<Response<EndStreamResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let stream = parse_stream_id(&request.stream_id)?;
        let mut transaction = self.begin().await?;
        if !stream::end(&mut transaction, learner, stream, self.clock.now(), self.rules).await? {
            return Err(Error::NotFound.into());
        }
        commit(transaction).await?;
        Ok(Response::new(EndStreamResponse {}))
    }

    async fn check_stream(
        &self,
        request: Request<CheckStreamRequest>,
    ) -> Result<Response<CheckStreamResponse>, Status> {
        let stream = parse_stream_id(&request.into_inner().stream_id)?;
        let mut connection = self.acquire().await?;
        let ended = ended::has_ended(&mut connection, stream).await.map_err(Error::from)?;
        Ok(Response::new(CheckStreamResponse { alive: !ended }))
    }

    type WatchEndedStreamsStream = BoxStream<'static, Result<WatchEndedStreamsResponse, Status>>;

    async fn watch_ended_streams(
        &self,
        _: Request<WatchEndedStreamsRequest>,
    ) -> Result<Response<Self::WatchEndedStreamsStream>, Status> {
        let messages = self.ended_streams.watch().map(|message| Ok(message.into()));
        Ok(Response::new(messages.boxed()))
    }

    async fn open_handouts(
        &self,
        request: Request<OpenHandoutsRequest>,
    ) -> Result<Response<OpenHandoutsResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let lesson_id = request.into_inner().lesson_id;
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        learner::lock(&mut transaction, learner).await.map_err(Error::from)?;
        let owned = lesson::find_usable(&mut transaction, learner, lesson_id, now).await?;
        let handouts = lesson::list_handouts(&mut transaction, lesson_id).await.map_err(Error::from)?;
        opening::record(&mut transaction, learner, lesson_id, now).await.map_err(Error::from)?;
        commit(transaction).await?;
        Ok(Response::new(OpenHandoutsResponse {
            handouts: handouts.into_iter().map(Handout::from).collect(),
            expire_at: owned.expire_at.map(to_timestamp),
        }))
    }

    async fn open_bundle(
        &self,
        request: Request<OpenBundleRequest>,
    ) -> Result<Response<OpenBundleResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut connection = self.acquire().await?;
        let item = inventory::find(&mut connection, &self.revisions, learner, request.item_id)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        if item.is_expired(self.clock.now()) {
            return Err(Error::ExpiredItem.into());
        }
        Ok(Response::new(OpenBundleResponse {
            course_id: item.course_id,
            expire_at: item.expire_at.map(to_timestamp),
        }))
    }
}

fn parse_stream_id(text: &str) -> Result<Uuid, Error> {
    text.parse().map_err(|_| Error::Field(FieldError::new("stream_id", "INVALID_FORMAT")))
}

fn encode_lesson(lesson: PlayerLesson, now: OffsetDateTime) -> GetLessonResponse {
    GetLessonResponse {
        lesson: Some(lesson.place.into()),
        inventory_id: lesson.inventory_id,
        product_id: lesson.product_id,
        number: i32::try_from(lesson.number).unwrap_or(i32::MAX),
        lesson_count: i32::try_from(lesson.lesson_count).unwrap_or(i32::MAX),
        previous: lesson.previous.map(Into::into),
        next: lesson.next.map(Into::into),
        is_expired: !entitlement::is_active(lesson.expire_at, now),
        expire_at: lesson.expire_at.map(to_timestamp),
        is_favorite: lesson.is_favorite,
        is_check: lesson.is_check,
        watch: lesson.watch.map(|watch| LessonWatch {
            position: watch.position,
            furthest: watch.furthest,
            covered: watch.covered,
            times: watch.times,
            last_seen: Some(to_timestamp(watch.last_seen)),
        }),
        marks: lesson.marks.into_iter().map(VideoMark::from).collect(),
        handouts: lesson.handouts.into_iter().map(Handout::from).collect(),
        has_video: lesson.has_video,
        question_count: lesson.question_count,
    }
}

impl From<EndedStreamsMessage> for WatchEndedStreamsResponse {
    fn from(message: EndedStreamsMessage) -> Self {
        let ended_streams = message.ids.into_iter().map(|id| id.as_bytes().to_vec()).collect();
        Self { snapshot: message.is_snapshot, more: message.has_more, ended_streams }
    }
}
