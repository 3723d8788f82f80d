//! Handouts: the documents of a lesson, and the bundles of a course, as signed URLs.

use axum::extract::State;
use axum::response::Response;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::courses::incomplete;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Id, IdAndSegment};
use crate::media::Part;
use crate::session::Learner;
use crate::timestamp::parse_optional_timestamp;

/// Kind of a handout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HandoutKind {
    /// The lesson's text.
    Textbook,
    /// The whiteboard as written during the lesson.
    Whiteboard,
}

impl HandoutKind {
    /// Parses the name that JSON, proto and paths share.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "textbook" => Some(Self::Textbook),
            "whiteboard" => Some(Self::Whiteboard),
            _ => None,
        }
    }

    /// Returns the file name of a handout of this kind.
    pub(crate) fn file(self) -> String {
        format!("{}.pdf", self.name())
    }

    /// Returns the file name of a page's picture.
    pub(crate) fn picture(self, page: i32) -> String {
        format!("{}/{page}.png", self.name())
    }

    fn name(self) -> &'static str {
        match self {
            Self::Textbook => "textbook",
            Self::Whiteboard => "whiteboard",
        }
    }
}

/// Signed URLs of a handout.
#[derive(Serialize, ToSchema)]
pub(crate) struct HandoutFile {
    kind: HandoutKind,
    /// URL of the PDF.
    url: String,
    /// URLs of the pages as PNG, in order.
    pictures: Vec<String>,
}

impl HandoutFile {
    /// Creates the URLs. `file` signs the URL of a file name.
    pub(crate) fn new(handout: &lms::Handout, file: impl Fn(&str) -> String) -> Result<Self, Error> {
        let kind = HandoutKind::parse(&handout.kind).ok_or_else(|| incomplete("a handout's kind"))?;
        let pictures = (1..=handout.page_count).map(|page| file(&kind.picture(page)));
        Ok(Self { kind, url: file(&kind.file()), pictures: pictures.collect() })
    }
}

/// Signed URLs of a lesson's handouts. They are valid only for the caller's session.
#[derive(Serialize, ToSchema)]
pub(crate) struct HandoutFiles {
    handouts: Vec<HandoutFile>,
    /// When the URLs expire.
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
}

/// Signed URL of a bundle. It is valid only for the caller's session.
#[derive(Serialize, ToSchema)]
pub(crate) struct Bundle {
    /// URL of the PDF.
    url: String,
    /// When the URL expires.
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
}

/// Returns signed URLs of a lesson's handouts. Does not start a stream.
///
/// 403 `EXPIRED_ITEM` if the caller's item has expired.
#[utoipa::path(
    get,
    path = "/api/lms/lesson/{id}/handout/",
    operation_id = "handout_list",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the lesson.", minimum = 1)),
    responses((status = 200, description = "The signed URLs of the handouts.", body = HandoutFiles))
)]
pub(crate) async fn list(
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

/// Returns a signed URL of all textbooks or all whiteboards of an item's course.
///
/// 403 `EXPIRED_ITEM` if the item has expired.
#[utoipa::path(
    get,
    path = "/api/lms/inventory/{id}/bundle/{kind}/",
    operation_id = "bundle",
    tag = "lms",
    params(
        ("id" = i64, Path, description = "Id of the inventory item.", minimum = 1),
        ("kind" = HandoutKind, Path, description = "Kind of the handouts.")
    ),
    responses((status = 200, description = "The signed URL of the bundle.", body = Bundle))
)]
pub(crate) async fn bundle(
    State(edge): State<Edge>,
    learner: Learner,
    IdAndSegment(item_id, kind): IdAndSegment,
) -> Result<Response, Error> {
    let kind = HandoutKind::parse(&kind).ok_or(Error::NotFound)?;
    let request = lms::OpenBundleRequest { learner_id: learner.id(), item_id };
    let opened = edge.lessons(&learner).open_bundle(request).await?.into_inner();
    let end = parse_optional_timestamp(opened.expire_at)?;
    let part = Part::Course(opened.course_id);
    let (signed, expires_at) = edge.url_signer().sign(learner.holder(), part, end);
    Ok(json(&Bundle { url: format!("/api/media/{signed}/{}{}", part.folder(), kind.file()), expires_at }))
}
