//! A learner's notes.

use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::page::Page;
use kit::timestamp::to_timestamp;
use proto::lms;
use proto::lms::note_service_server::NoteService;
use proto::lms::{
    ClearNoteRequest, ClearNoteResponse, ListNotesRequest, ListNotesResponse, SetNoteRequest, SetNoteResponse,
};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Lms, commit, parse_words};
use crate::error::Error;
use crate::note::{self, Note, NoteDraft, NoteFilter, Text};

/// Number of notes on a page.
const PAGE_SIZE: u32 = 20;

#[tonic::async_trait]
impl NoteService for Lms {
    async fn list_notes(
        &self,
        request: Request<ListNotesRequest>,
    ) -> Result<Response<ListNotesResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let page = Page::parse(request.page, PAGE_SIZE)?;
        let words = request.query.as_deref().map(parse_words).transpose()?;
        let filter = NoteFilter { lesson: request.lesson_id, words };
        let mut connection = self.acquire().await?;
        let notes = note::list_page(&mut connection, learner, page, &filter).await.map_err(Error::from)?;
        let count = page.encode_count(notes.first().map_or(0, |note| note.count)).ok_or(Error::NotFound)?;
        let notes = notes.into_iter().map(lms::Note::from).collect();
        Ok(Response::new(ListNotesResponse { count, notes }))
    }

    async fn set_note(&self, request: Request<SetNoteRequest>) -> Result<Response<SetNoteResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let draft = NoteDraft {
            id: parse_id(&request.id)?,
            lesson: request.lesson_id,
            at: i32::try_from(request.at).unwrap_or(i32::MAX),
            text: Text::parse(request.text)
                .map_err(|wrong| Error::Field(FieldError::new("text", wrong.code())))?,
        };
        let mut transaction = self.begin().await?;
        let (now, limit) = (self.clock.now(), self.rules.mark_limit);
        let note = note::set(&mut transaction, learner, draft, now, limit).await?;
        commit(transaction).await?;
        Ok(Response::new(SetNoteResponse { note: Some(note.into()) }))
    }

    async fn clear_note(
        &self,
        request: Request<ClearNoteRequest>,
    ) -> Result<Response<ClearNoteResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let id = parse_id(&request.into_inner().id)?;
        let mut connection = self.acquire().await?;
        note::clear(&mut connection, learner, id).await?;
        Ok(Response::new(ClearNoteResponse {}))
    }
}

fn parse_id(text: &str) -> Result<Uuid, Error> {
    text.parse().map_err(|_| Error::Field(FieldError::new("id", "INVALID_FORMAT")))
}

impl From<Note> for lms::Note {
    fn from(note: Note) -> Self {
        Self {
            id: note.id.to_string(),
            lesson_id: note.lesson_id,
            lesson_name: note.lesson_name,
            course_id: note.course_id,
            course_name: note.course_name,
            at: note.at.unsigned_abs(),
            text: note.text,
            created: Some(to_timestamp(note.created)),
            modified: Some(to_timestamp(note.modified)),
        }
    }
}
