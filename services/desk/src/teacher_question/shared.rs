//! Answered questions that their learners share with the other owners of the lesson, without a name.

use kit::encryption::Encryptor;
use kit::error::FieldError;
use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use super::message::{self, Message};
use crate::error::Error;

/// A shared question.
pub(crate) struct SharedQuestion {
    pub(crate) id: Uuid,
    /// Position in the video, in seconds.
    pub(crate) at: Option<i32>,
    pub(crate) is_own: bool,
    /// Oldest first, up to the last answer.
    pub(crate) messages: Vec<Message>,
}

/// Allows or forbids that owners of the lesson read the question. Idempotent.
///
/// # Errors
///
/// [`Error::NotFound`]; the field `is_shared` is `UNKNOWN_CHOICE` for a question without a lesson.
pub(crate) async fn set_shared(
    database: &mut PgConnection,
    (id, account): (Uuid, Uuid),
    is_shared: bool,
) -> Result<(), Error> {
    let has_lesson = sqlx::query_scalar!(
        r#"UPDATE teacher_question SET is_shared = $3 AND lesson_id IS NOT NULL WHERE id = $1 AND account = $2
        RETURNING lesson_id IS NOT NULL AS "has_lesson!""#,
        id,
        account,
        is_shared
    )
    .fetch_optional(database)
    .instrument(span("UPDATE teacher_question"))
    .await?
    .ok_or(Error::NotFound)?;
    if is_shared && !has_lesson {
        return Err(Error::Field(FieldError::new("is_shared", "UNKNOWN_CHOICE")));
    }
    Ok(())
}

/// Lists a page of the shared questions of a lesson, newest first. Also returns the number on all pages, which is 0 if
/// this page is empty.
pub(crate) async fn list_page(
    database: &mut PgConnection,
    lesson: i64,
    reader: Uuid,
    page: Page,
    encryptor: &Encryptor,
) -> Result<(i64, Vec<SharedQuestion>), Error> {
    let rows = sqlx::query!(
        r#"SELECT id, at_second, account = $2 AS "is_own!", count(*) OVER () AS "count!" FROM teacher_question
        WHERE lesson_id = $1 AND is_shared AND answered_at IS NOT NULL
        ORDER BY id DESC LIMIT $3 OFFSET $4"#,
        lesson,
        reader,
        page.limit(),
        page.offset()
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT teacher_question"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let mut questions = Vec::with_capacity(rows.len());
    for row in rows {
        let mut messages = message::list(database, row.id, encryptor).await?;
        while messages.pop_if(|last| last.teacher.is_none()).is_some() {}
        questions.push(SharedQuestion { id: row.id, at: row.at_second, is_own: row.is_own, messages });
    }
    Ok((count, questions))
}
