//! The messages of a question, encrypted.

use kit::encryption::Encryptor;
use kit::error::FieldError;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::picture::{self, Author, Picture};
use crate::error::Error;

/// A message to store.
pub(crate) struct NewMessage<'a> {
    pub(crate) question: Uuid,
    /// The learner of the question.
    pub(crate) account: Uuid,
    /// `None`: the learner.
    pub(crate) teacher: Option<&'a str>,
    pub(crate) text: &'a str,
    /// A lesson, and a second of it.
    pub(crate) place: Option<(i64, i32)>,
    /// Pictures that the author stored, without a message.
    pub(crate) pictures: &'a [Picture],
}

/// A message.
pub(crate) struct Message {
    /// `None`: the learner.
    pub(crate) teacher: Option<String>,
    pub(crate) text: String,
    pub(crate) sent_at: OffsetDateTime,
    /// A lesson, and a second of it.
    pub(crate) place: Option<(i64, i32)>,
    /// In their order.
    pub(crate) pictures: Vec<Picture>,
}

/// Adds a message after the last one. The caller has locked the question, or has created it.
///
/// # Errors
///
/// The field `pictures` is `UNKNOWN_CHOICE` if a picture is not stored by the author or has a message.
pub(super) async fn add(
    database: &mut PgConnection,
    new: &NewMessage<'_>,
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let n = sqlx::query_scalar!(
        r#"SELECT coalesce(max(n), 0) + 1 AS "n!" FROM question_message WHERE question = $1"#,
        new.question
    )
    .fetch_one(&mut *database)
    .instrument(span("SELECT question_message"))
    .await?;
    let sealed = encryptor.seal(&owner(new.question, n), new.text.as_bytes()).map_err(|_| Error::Sealing)?;
    sqlx::query!(
        "INSERT INTO question_message (question, n, sent_at, teacher, sealed, lesson_id, at_second) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        new.question,
        n,
        now,
        new.teacher,
        sealed,
        new.place.map(|(lesson, _)| lesson),
        new.place.map(|(_, at)| at)
    )
    .execute(&mut *database)
    .instrument(span("INSERT question_message"))
    .await?;
    let author = if new.teacher.is_some() { Author::Teacher } else { Author::Learner };
    for (position, picture) in (1..).zip(new.pictures) {
        let message = (new.question, n, position);
        if !picture::attach(database, picture, (new.account, author), message, encryptor).await? {
            return Err(Error::Field(FieldError::new("pictures", "UNKNOWN_CHOICE")));
        }
    }
    Ok(())
}

/// Lists the messages of a question, oldest first.
pub(crate) async fn list(
    database: &mut PgConnection,
    question: Uuid,
    encryptor: &Encryptor,
) -> Result<Vec<Message>, Error> {
    let rows = sqlx::query!(
        "SELECT n, sent_at, teacher, sealed, lesson_id, at_second FROM question_message \
         WHERE question = $1 ORDER BY n",
        question
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT question_message"))
    .await?;
    let mut pictures = picture::list(database, question, encryptor).await?;
    let messages = rows.into_iter().map(|row| {
        Ok(Message {
            text: open(encryptor, question, row.n, &row.sealed)?,
            teacher: row.teacher,
            sent_at: row.sent_at,
            place: row.lesson_id.zip(row.at_second),
            pictures: pictures.extract_if(.., |(n, _)| *n == row.n).map(|(_, picture)| picture).collect(),
        })
    });
    messages.collect()
}

/// Decrypts the text of a message.
pub(super) fn open(encryptor: &Encryptor, question: Uuid, n: i32, sealed: &[u8]) -> Result<String, Error> {
    let text = encryptor.open(&owner(question, n), sealed).map_err(|_| Error::Sealing)?;
    String::from_utf8(text).map_err(|_| Error::Sealing)
}

/// What a text is encrypted for.
fn owner(question: Uuid, n: i32) -> String {
    format!("{question} {n}")
}
