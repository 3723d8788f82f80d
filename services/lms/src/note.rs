//! Notes that learners write at a position of a lesson.

use forms::Wrong;
use forms::search::{self, Words};
use kit::page::Page;
use kit_db::{constraint, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::{learner, lesson};

/// The maximum length of a text, in characters.
const LONGEST: usize = 2000;

/// A stored note with the names of its lesson and course.
pub(crate) struct Note {
    pub(crate) id: Uuid,
    pub(crate) lesson_id: i64,
    pub(crate) lesson_name: String,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    /// Seconds from the start.
    pub(crate) at: i32,
    pub(crate) text: String,
    pub(crate) created: OffsetDateTime,
    pub(crate) modified: OffsetDateTime,
    /// The number of notes on all pages.
    pub(crate) count: i64,
}

/// A note to store.
pub(crate) struct NoteDraft {
    pub(crate) id: Uuid,
    pub(crate) lesson: i64,
    /// Seconds from the start. A position beyond the end of the lesson is stored as its end.
    pub(crate) at: i32,
    pub(crate) text: Text,
}

/// A text of 1 to 2,000 characters that are not all spaces.
pub(crate) struct Text(String);

impl Text {
    /// Validates a typed text. It is stored unchanged.
    pub(crate) fn parse(typed: String) -> Result<Self, Wrong> {
        if typed.trim().is_empty() {
            return Err(Wrong::Required);
        }
        if typed.chars().nth(LONGEST).is_some() {
            return Err(Wrong::TooLong);
        }
        if typed.chars().any(|char| char.is_control() && !char.is_whitespace()) {
            return Err(Wrong::InvalidFormat);
        }
        Ok(Self(typed))
    }
}

/// A filter of notes.
pub(crate) struct NoteFilter {
    /// `Some` for the notes of a lesson, by position. `None` for all notes, newest first.
    pub(crate) lesson: Option<i64>,
    /// Notes must contain all of these words.
    pub(crate) words: Option<Words>,
}

/// Lists one page of the learner's notes. Empty beyond the last page.
pub(crate) async fn list_page(
    connection: &mut PgConnection,
    learner: Uuid,
    page: Page,
    filter: &NoteFilter,
) -> sqlx::Result<Vec<Note>> {
    let patterns = filter.words.as_ref().map_or_else(Vec::new, Words::patterns);
    sqlx::query_as!(
        Note,
        r#"
        SELECT
            note.id,
            lesson.id AS lesson_id,
            lesson.name AS lesson_name,
            course.id AS course_id,
            course.name AS course_name,
            note.at,
            note.text,
            note.created,
            note.modified,
            count(*) OVER () AS "count!"
        FROM note
        JOIN lesson ON lesson.id = note.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE
            note.learner_id = $1
            AND ($4::bigint IS NULL OR note.lesson_id = $4)
            AND note.words LIKE ALL ($5)
        ORDER BY CASE WHEN $4 IS NOT NULL THEN note.at END, note.created DESC, note.id DESC
        LIMIT $2 OFFSET $3
        "#,
        learner,
        page.limit(),
        page.offset(),
        filter.lesson,
        &patterns,
    )
    .fetch_all(connection)
    .instrument(span("SELECT note"))
    .await
}

/// Adds or changes a note on a lesson of a course that the learner owns or owned. A repeated call
/// changes nothing.
pub(crate) async fn set(
    connection: &mut PgConnection,
    learner: Uuid,
    draft: NoteDraft,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Note, Error> {
    learner::lock(connection, learner).await?;
    let owned = lesson::find_owned(connection, learner, draft.lesson).await?.ok_or(Error::NotFound)?;
    let state = sqlx::query!(
        r#"
        SELECT count(*) AS "count!", count(*) FILTER (WHERE id = $2) > 0 AS "is_set!"
        FROM note
        WHERE learner_id = $1
        "#,
        learner,
        draft.id,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT note"))
    .await?;
    let at = draft.at.min(owned.duration);
    if state.is_set {
        update(connection, &draft, at, now).await?;
    } else if state.count >= limit {
        return Err(Error::MarkLimit);
    } else {
        insert(connection, learner, &draft, at, now).await?;
    }
    Ok(find(connection, draft.id).await?)
}

/// Inserts a note. Fails with [`Error::NotFound`] if the id belongs to another learner's note.
async fn insert(
    connection: &mut PgConnection,
    learner: Uuid,
    draft: &NoteDraft,
    at: i32,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let Text(text) = &draft.text;
    sqlx::query!(
        "
        INSERT INTO note (id, learner_id, lesson_id, at, text, words, created, modified)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
        ",
        draft.id,
        learner,
        draft.lesson,
        at,
        text,
        search::text([text.as_str()]),
        now,
    )
    .execute(connection)
    .instrument(span("INSERT note"))
    .await
    .map_err(|error| match constraint(&error) {
        Some("note_pkey") => Error::NotFound,
        _ => error.into(),
    })?;
    Ok(())
}

async fn update(
    connection: &mut PgConnection,
    draft: &NoteDraft,
    at: i32,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let Text(text) = &draft.text;
    sqlx::query!(
        "
        UPDATE note
        SET lesson_id = $2, at = $3, text = $4, words = $5, modified = $6
        WHERE id = $1 AND (lesson_id, at, text) IS DISTINCT FROM ($2, $3, $4)
        ",
        draft.id,
        draft.lesson,
        at,
        text,
        search::text([text.as_str()]),
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE note"))
    .await?;
    Ok(())
}

async fn find(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Note> {
    sqlx::query_as!(
        Note,
        r#"
        SELECT
            note.id,
            lesson.id AS lesson_id,
            lesson.name AS lesson_name,
            course.id AS course_id,
            course.name AS course_name,
            note.at,
            note.text,
            note.created,
            note.modified,
            1::bigint AS "count!"
        FROM note
        JOIN lesson ON lesson.id = note.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE note.id = $1
        "#,
        id,
    )
    .fetch_one(connection)
    .instrument(span("SELECT note"))
    .await
}

/// Deletes a note. Changes nothing if it does not exist. Fails with [`Error::NotFound`] for another
/// learner's note.
pub(crate) async fn clear(connection: &mut PgConnection, learner: Uuid, id: Uuid) -> Result<(), Error> {
    let owner = sqlx::query_scalar!("SELECT learner_id FROM note WHERE id = $1", id)
        .fetch_optional(&mut *connection)
        .instrument(span("SELECT note"))
        .await?;
    if owner.is_some_and(|owner| owner != learner) {
        return Err(Error::NotFound);
    }
    sqlx::query!("DELETE FROM note WHERE id = $1 AND learner_id = $2", id, learner)
        .execute(connection)
        .instrument(span("DELETE note"))
        .await?;
    Ok(())
}

/// Exports at most `limit` of the learner's notes after the note `after`, oldest first.
pub(crate) async fn export(
    connection: &mut PgConnection,
    learner: Uuid,
    after: Option<(OffsetDateTime, Uuid)>,
    limit: i64,
) -> sqlx::Result<Vec<Note>> {
    let (created, id) = after.unzip();
    sqlx::query_as!(
        Note,
        r#"
        SELECT
            note.id,
            lesson.id AS lesson_id,
            lesson.name AS lesson_name,
            course.id AS course_id,
            course.name AS course_name,
            note.at,
            note.text,
            note.created,
            note.modified,
            count(*) OVER () AS "count!"
        FROM note
        JOIN lesson ON lesson.id = note.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE note.learner_id = $1 AND ($2::timestamptz IS NULL OR (note.created, note.id) > ($2, $3))
        ORDER BY note.created, note.id
        LIMIT $4
        "#,
        learner,
        created,
        id,
        limit,
    )
    .fetch_all(connection)
    .instrument(span("SELECT note"))
    .await
}

/// Deletes the learner's notes.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM note WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE note"))
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Text, Wrong};

    #[test]
    fn a_text_has_1_to_2000_characters_and_something_to_read() {
        let parse = |typed: &str| Text::parse(typed.to_owned()).map(|Text(text)| text);
        assert_eq!(parse(" 二次方程式\n\tの解 "), Ok(" 二次方程式\n\tの解 ".to_owned()));
        assert!(parse(&"あ".repeat(2000)).is_ok());
        assert_eq!(parse(&"あ".repeat(2001)), Err(Wrong::TooLong));
        for nothing in ["", " ", "　\n"] {
            assert_eq!(parse(nothing), Err(Wrong::Required));
        }
        assert_eq!(parse("a\0"), Err(Wrong::InvalidFormat));
    }
}
