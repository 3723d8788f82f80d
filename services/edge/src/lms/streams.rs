//! Streams of lessons: their signed URLs, and their end.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::courses::incomplete;
use super::handouts::HandoutFile;
use crate::Edge;
use crate::answer::json_of;
use crate::error::Error;
use crate::input::{Empty, Fields, Form, Id, JsonBody, Key};
use crate::media::Part;
use crate::session::Learner;
use crate::timestamp::parse_optional_timestamp;

/// A request to start a stream.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StreamStart {
    /// Id of the browser tab: any UUID that the tab keeps.
    device: Uuid,
    /// Whether to end another stream if the limit is reached.
    take_over: bool,
}

impl Form for StreamStart {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (device, take_over) = (fields.uuid("device"), fields.flag("take_over"));
        Some(Self { device: device?, take_over: take_over? })
    }
}

/// Signed URLs of a lesson's video. They are valid only for the caller's session.
#[derive(Serialize, ToSchema)]
pub(crate) struct LessonStream {
    /// Id of the stream, for its heartbeats.
    stream: String,
    /// URL of the HLS playlist.
    playlist: String,
    /// URL of the captions (`WebVTT`).
    captions: String,
    /// URL of the poster image (PNG).
    poster: String,
    handouts: Vec<HandoutFile>,
    /// When the URLs expire.
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
}

/// Starts a stream of a lesson.
///
/// A learner has at most two streams: 409 `TOO_MANY_STREAMS` beyond that. With `take_over`, the stream with
/// the oldest heartbeat ends instead. A device that starts again continues its own stream. 403 `EXPIRED_ITEM`
/// if the caller's item has expired.
#[utoipa::path(
    post,
    path = "/api/lms/lesson/{id}/stream/",
    operation_id = "start_stream",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the lesson.", minimum = 1)),
    request_body = StreamStart,
    responses((status = 201, description = "The started stream.", body = LessonStream))
)]
pub(crate) async fn start(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
    JsonBody(start): JsonBody<StreamStart>,
) -> Result<Response, Error> {
    let request = lms::StartStreamRequest {
        learner_id: learner.id(),
        lesson_id,
        device: start.device.to_string(),
        take_over: start.take_over,
    };
    let started = edge.lessons(&learner).start_stream(request).await?.into_inner();
    let end = parse_optional_timestamp(started.expire_at)?;
    let stream = Uuid::parse_str(&started.stream_id).map_err(|_| incomplete("a stream's id"))?;
    let files = |part: Part| {
        let (signed, expires_at) = edge.url_signer().sign(learner.holder(), part, end);
        (move |name: &str| format!("/api/media/{signed}/{}{name}", part.folder()), expires_at)
    };
    let (file, expires_at) = files(Part::Lesson { id: lesson_id, stream });
    // Signed without the stream, so handouts stay readable when it ends.
    let (handout_file, _) = files(Part::Handouts(lesson_id));
    let handouts = started.paged_handouts.iter().map(|handout| HandoutFile::new(handout, &handout_file));
    let stream = LessonStream {
        stream: started.stream_id,
        playlist: file("master.m3u8"),
        captions: file("ja.vtt"),
        poster: file("poster.png"),
        handouts: handouts.collect::<Result<_, _>>()?,
        expires_at,
    };
    Ok(json_of(StatusCode::CREATED, "application/json", &stream))
}

/// Ends a stream of the caller at once. Idempotent.
///
/// Its signed URLs become invalid, and another stream can start. 404 for another learner's stream, or for one
/// that another stream replaced.
#[utoipa::path(
    delete,
    path = "/api/lms/stream/{stream}/",
    operation_id = "end_stream",
    tag = "lms",
    params(("stream" = Uuid, Path, description = "Id of the stream.")),
    responses((status = 204, description = "The stream has ended."))
)]
pub(crate) async fn end(
    State(edge): State<Edge>,
    learner: Learner,
    Key(stream): Key,
    _: Empty,
) -> Result<Response, Error> {
    let request = lms::EndStreamRequest { learner_id: learner.id(), stream_id: stream.to_string() };
    edge.lessons(&learner).end_stream(request).await?;
    edge.ended_streams().add(stream);
    Ok(StatusCode::NO_CONTENT.into_response())
}
