//! A learner's notes at positions of lessons.

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
use crate::input::{Empty, Fields, Form, JsonBody, Key, MAX_SAFE_INTEGER, Query};
use crate::page::{List, Page};
use crate::session::Learner;
use crate::timestamp::parse_timestamp;

/// Longest note in characters.
const MAX_LENGTH: usize = 2000;

/// A note at a position of a lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct Note {
    #[schema(format = Uuid)]
    id: String,
    lesson: NotedLesson,
    course: CourseRef,
    /// Position in seconds from the start of the lesson.
    at: u32,
    /// As typed.
    text: String,
    /// When the note was created.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// When the note last changed.
    #[serde(with = "time::serde::rfc3339")]
    modified: OffsetDateTime,
}

/// Id and name of a lesson.
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

/// A note to store.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteDraft {
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    lesson: i64,
    /// Position in seconds from the start of the lesson; clamped to its end.
    #[schema(minimum = 0, maximum = 4_294_967_295_i64)]
    at: u32,
    /// At least one character must not be white space. New lines and tabs are the only control characters
    /// allowed.
    #[schema(min_length = 1, max_length = 2000)]
    text: String,
}

impl Form for NoteDraft {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (lesson, at) = (fields.whole("lesson", MAX_SAFE_INTEGER), fields.whole("at", u32::MAX.into()));
        let text = fields.text("text", MAX_LENGTH);
        Some(Self { lesson: lesson?, at: u32::try_from(at?).ok()?, text: text? })
    }
}

/// Lists the caller's notes: of one lesson by position, of all lessons newest first.
#[utoipa::path(
    get,
    path = "/api/lms/note/",
    operation_id = "note_list",
    tag = "lms",
    params(
        ("lesson" = Option<i64>, Query, description = "Filter by lesson id.", minimum = 1),
        ("q" = Option<String>, Query, description = "Search words; every word must match. Width, case and kind of kana are ignored.", min_length = 1, max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$", example = "解の公式"),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses((status = 200, description = "A page of notes.", body = Page<Note>))
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
    let listing = List { path: "/api/lms/note/", filters: &filters, page, count: list.count };
    Ok(json(&Page::new(&edge, &listing, list.notes, Note::new)?))
}

/// Creates or replaces a note on a lesson of an owned course. Idempotent.
///
/// 409 `MARK_LIMIT` beyond 500. 404 for another learner's note.
#[utoipa::path(
    put,
    path = "/api/lms/note/{id}/",
    operation_id = "set_note",
    tag = "lms",
    params(("id" = uuid::Uuid, Path, description = "Id of the note. A new note needs a new UUID.")),
    request_body = NoteDraft,
    responses((status = 200, description = "The stored note.", body = Note))
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

/// Deletes a note. Idempotent. 404 for another learner's note.
#[utoipa::path(
    delete,
    path = "/api/lms/note/{id}/",
    operation_id = "remove_note",
    tag = "lms",
    params(("id" = uuid::Uuid, Path, description = "Id of the note.")),
    responses((status = 204, description = "The note was deleted."))
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
