//! The right to play a lesson, and to load what belongs to it.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::courses::incomplete;
use super::lesson::HandoutKind;
use crate::Edge;
use crate::answer::{json, json_of};
use crate::error::Error;
use crate::input::{Empty, Fields, Form, Id, JsonBody, Key, Named};
use crate::media::Part;
use crate::session::Learner;
use crate::timestamp::parse_optional_timestamp;

/// A player that begins.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StreamStart {
    /// This tab of this browser: any UUID that it keeps.
    device: Uuid,
    /// Whether it ends another one where there is no room.
    take_over: bool,
}

impl Form for StreamStart {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (device, take_over) = (fields.uuid("device"), fields.flag("take_over"));
        Some(Self { device: device?, take_over: take_over? })
    }
}

/// What a player needs. Its addresses work for the caller's session alone.
#[derive(Serialize, ToSchema)]
pub(crate) struct LessonStream {
    /// What its beats name it by.
    stream: String,
    /// HLS.
    playlist: String,
    /// `WebVTT`.
    captions: String,
    /// PNG.
    poster: String,
    handouts: Vec<HandoutFile>,
    /// Until when the addresses work.
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
}

/// Something to read.
#[derive(Serialize, ToSchema)]
pub(crate) struct HandoutFile {
    kind: HandoutKind,
    /// A PDF.
    url: String,
    /// Its pages in order, each as a PNG.
    pictures: Vec<String>,
}

impl HandoutFile {
    /// `file` gives a file's address.
    fn new(handout: &lms::Handout, file: impl Fn(&str) -> String) -> Result<Self, Error> {
        let kind = HandoutKind::parse(&handout.kind).ok_or_else(|| incomplete("a handout's kind"))?;
        let pictures = (1..=handout.page_count).map(|page| file(&kind.picture(page)));
        Ok(Self { kind, url: file(&kind.file()), pictures: pictures.collect() })
    }
}

/// What may be read beside a video. Its addresses work for the caller's session alone.
#[derive(Serialize, ToSchema)]
pub(crate) struct HandoutFiles {
    handouts: Vec<HandoutFile>,
    /// Until when the addresses work.
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
}

/// Something to load. Its address works for the caller's session alone.
#[derive(Serialize, ToSchema)]
pub(crate) struct Bundle {
    /// A PDF.
    url: String,
    /// Until when the address works.
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
}

/// Begin to play a lesson: at most two players of a learner's at once, beyond that 409 `TOO_MANY_STREAMS`.
///
/// With `take_over` the one that was silent the longest ends. A device that begins again goes on with its own. 403
/// `EXPIRED_ITEM` where the caller's item has run out.
#[utoipa::path(
    post,
    path = "/api/lms/lesson/{id}/stream/",
    operation_id = "start_stream",
    tag = "lms",
    params(("id" = i64, Path, description = "The lesson", minimum = 1)),
    request_body = StreamStart,
    responses((status = 201, description = "It may play", body = LessonStream))
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
    // What is read beside the video stays open when the stream ends.
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

/// End the caller's stream at once, as its player goes: its addresses die, and another has room from then on. Again is no
/// harm; another learner's, or one whose place another took, is 404.
#[utoipa::path(
    delete,
    path = "/api/lms/stream/{stream}/",
    operation_id = "end_stream",
    tag = "lms",
    params(("stream" = Uuid, Path, description = "The stream")),
    responses((status = 204, description = "It has ended"))
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

/// Where what may be read beside a lesson's video can be loaded. It begins no stream.
///
/// 403 `EXPIRED_ITEM` where the caller's item has run out.
#[utoipa::path(
    get,
    path = "/api/lms/lesson/{id}/handout/",
    operation_id = "handout_list",
    tag = "lms",
    params(("id" = i64, Path, description = "The lesson", minimum = 1)),
    responses((status = 200, description = "Where", body = HandoutFiles))
)]
pub(crate) async fn handouts(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
) -> Result<Response, Error> {
    let request = lms::OpenHandoutsRequest { learner_id: learner.id(), lesson_id };
    let opened = edge.lessons(&learner).open_handouts(request).await?.into_inner();
    let end = parse_optional_timestamp(opened.expire_at)?;
    let part = Part::Handouts(lesson_id);
    let (signed, expires_at) = edge.url_signer().sign(learner.holder(), part, end);
    let file = |name: &str| format!("/api/media/{signed}/{}{name}", part.folder());
    let handouts = opened.handouts.iter().map(|handout| HandoutFile::new(handout, file));
    Ok(json(&HandoutFiles { handouts: handouts.collect::<Result<_, _>>()?, expires_at }))
}

/// Where all textbooks or all whiteboards of an item's course can be loaded.
///
/// 403 `EXPIRED_ITEM` where the item has run out.
#[utoipa::path(
    get,
    path = "/api/lms/inventory/{id}/bundle/{kind}/",
    operation_id = "bundle",
    tag = "lms",
    params(
        ("id" = i64, Path, description = "The item", minimum = 1),
        ("kind" = HandoutKind, Path, description = "Which of them")
    ),
    responses((status = 200, description = "Where", body = Bundle))
)]
pub(crate) async fn bundle(
    State(edge): State<Edge>,
    learner: Learner,
    Named(item_id, kind): Named,
) -> Result<Response, Error> {
    let kind = HandoutKind::parse(&kind).ok_or(Error::NotFound)?;
    let request = lms::OpenBundleRequest { learner_id: learner.id(), item_id };
    let opened = edge.lessons(&learner).open_bundle(request).await?.into_inner();
    let end = parse_optional_timestamp(opened.expire_at)?;
    let part = Part::Course(opened.course_id);
    let (signed, expires_at) = edge.url_signer().sign(learner.holder(), part, end);
    Ok(json(&Bundle { url: format!("/api/media/{signed}/{}{}", part.folder(), kind.file()), expires_at }))
}
