//! What a learner writes while watching.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::courses::incomplete;
use super::marks::CourseRef;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Empty, Fields, Form, JsonBody, Key, LARGEST, Query};
use crate::page::{List, Page};
use crate::session::Learner;
use crate::timestamp::parse_timestamp;

/// The longest note, in characters.
const LONGEST: usize = 2000;

/// A note at a second of a lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct Note {
    #[schema(format = Uuid)]
    id: String,
    lesson: NotedLesson,
    course: CourseRef,
    /// Seconds from the start of the lesson.
    at: u32,
    /// As it was typed.
    text: String,
    /// When it was first kept.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// When it last changed.
    #[serde(with = "time::serde::rfc3339")]
    modified: OffsetDateTime,
}

/// A lesson by name.
#[derive(Serialize, ToSchema)]
pub(crate) struct NotedLesson {
    id: i64,
    name: String,
}

impl Note {
    pub(crate) fn new(note: lms::Note) -> Result<Self, Error> {
        Ok(Self {
            id: note.id,
            lesson: NotedLesson { id: note.lesson_id, name: note.lesson_name },
            course: CourseRef { id: note.course_id, name: note.course_name },
            at: note.at,
            text: note.text,
            created: parse_timestamp(note.created)?,
            modified: parse_timestamp(note.modified)?,
        })
    }
}

/// A note to keep.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteDraft {
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    lesson: i64,
    /// Seconds from the start of the lesson; beyond its end is its end.
    #[schema(minimum = 0, maximum = 4_294_967_295_i64)]
    at: u32,
    /// At least one character is no space; new lines and tabs may be among them, other control characters not.
    #[schema(min_length = 1, max_length = 2000)]
    text: String,
}

impl Form for NoteDraft {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (lesson, at) = (fields.whole("lesson", LARGEST), fields.whole("at", u32::MAX.into()));
        let text = fields.text("text", LONGEST);
        Some(Self { lesson: lesson?, at: u32::try_from(at?).ok()?, text: text? })
    }
}

/// The caller's notes: of one lesson by their seconds, of all lessons the newest first.
#[utoipa::path(
    get,
    path = "/api/lms/note/",
    operation_id = "note_list",
    tag = "lms",
    params(
        ("lesson" = Option<i64>, Query, description = "Only on this lesson", minimum = 1),
        ("q" = Option<String>, Query, description = "Only what has all these words, in any width, case and kana", min_length = 1, max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$", example = "解の公式"),
        ("page" = Option<u32>, Query, description = "From 1; beyond the last is 404", minimum = 1)
    ),
    responses((status = 200, description = "A page of them", body = Page<Note>))
)]
pub(crate) async fn notes(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
) -> Result<Response, Error> {
    let (page, lesson, words) = (query.page()?, query.id("lesson")?, query.words("q")?);
    let filters = [("lesson", lesson.map(|id| id.to_string())), ("q", words.clone())];
    let filters: Vec<_> =
        filters.into_iter().filter_map(|(name, value)| value.map(|value| (name, value))).collect();
    let request = lms::ListNotesRequest { learner_id: learner.id(), page, lesson_id: lesson, query: words };
    let list = edge.notes(&learner).list_notes(request).await?.into_inner();
    let of = List { path: "/api/lms/note/", filters: &filters, page, count: list.count };
    Ok(json(&Page::new(&edge, &of, list.notes, Note::new)?))
}

/// Keep a note on a lesson of an owned course, new or changed. Again is no harm; more than 500 are 409 `MARK_LIMIT`,
/// another learner's is 404.
#[utoipa::path(
    put,
    path = "/api/lms/note/{id}/",
    operation_id = "set_note",
    tag = "lms",
    params(("id" = uuid::Uuid, Path, description = "A new one for a new note")),
    request_body = NoteDraft,
    responses((status = 200, description = "It is kept", body = Note))
)]
pub(crate) async fn set_note(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    JsonBody(draft): JsonBody<NoteDraft>,
) -> Result<Response, Error> {
    let request = lms::SetNoteRequest {
        learner_id: learner.id(),
        id: id.to_string(),
        lesson_id: draft.lesson,
        at: draft.at,
        text: draft.text,
    };
    let note = edge.notes(&learner).set_note(request).await?.into_inner().note;
    Ok(json(&Note::new(note.ok_or_else(|| incomplete("note"))?)?))
}

/// Throw a note away. Again is no harm; another learner's is 404.
#[utoipa::path(
    delete,
    path = "/api/lms/note/{id}/",
    operation_id = "remove_note",
    tag = "lms",
    params(("id" = uuid::Uuid, Path, description = "The note")),
    responses((status = 204, description = "It is gone"))
)]
pub(crate) async fn remove_note(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    _: Empty,
) -> Result<Response, Error> {
    let request = lms::ClearNoteRequest { learner_id: learner.id(), id: id.to_string() };
    edge.notes(&learner).clear_note(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
