//! Pictures of messages, encrypted. A learner's picture is stored before its message is sent.

use forms::Wrong;
use kit::encryption::Encryptor;
use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::learner_contact;

/// Most pictures of a message.
pub(crate) const MESSAGE_LIMIT: usize = 3;
/// Pictures of a learner that wait for their message. Older ones are deleted.
const WAITING_LIMIT: i64 = 12;
/// Retention of a picture without a message.
const WAITING_RETENTION: Duration = Duration::DAY;
/// Longest description in characters.
const DESCRIPTION_LIMIT: usize = 100;

/// A picture of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) id: Uuid,
    /// Alternative text; empty: none.
    pub(crate) description: String,
}

/// Who stores a picture, and writes its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Author {
    Learner,
    Teacher,
}

impl Author {
    fn is_teacher(self) -> bool {
        self == Self::Teacher
    }
}

impl Picture {
    /// Trims and checks a typed description.
    pub(crate) fn new(id: Uuid, typed: &str) -> Result<Self, Wrong> {
        let description = typed.trim();
        if description.chars().count() > DESCRIPTION_LIMIT {
            return Err(Wrong::TooLong);
        }
        if forms::has_controls(description) {
            return Err(Wrong::InvalidFormat);
        }
        Ok(Self { id, description: description.to_owned() })
    }
}

/// Stores a learner's JPEG until its message is sent, and deletes older ones beyond the limit. Requires a transaction.
///
/// # Errors
///
/// [`Error::NotFound`] if the account was erased.
pub(crate) async fn store(
    database: &mut PgConnection,
    account: Uuid,
    jpeg: &[u8],
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    learner_contact::lock(database, account).await?;
    if erased_account::contains(database, account).await? {
        return Err(Error::NotFound);
    }
    sqlx::query!(
        "DELETE FROM question_picture WHERE id IN (\
            SELECT id FROM question_picture WHERE account = $1 AND question IS NULL AND NOT for_answer \
            ORDER BY stored_at DESC, id DESC OFFSET $2)",
        account,
        WAITING_LIMIT - 1
    )
    .execute(&mut *database)
    .instrument(span("DELETE question_picture"))
    .await?;
    insert(database, (account, Author::Learner), jpeg, encryptor, now).await
}

/// Stores a JPEG without a message, for the questions of an account.
pub(super) async fn insert(
    database: &mut PgConnection,
    (account, author): (Uuid, Author),
    jpeg: &[u8],
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    let id = Uuid::now_v7();
    let sealed = encryptor.seal(&id.to_string(), jpeg).map_err(|_| Error::Sealing)?;
    sqlx::query!(
        "INSERT INTO question_picture (id, account, stored_at, sealed, for_answer) VALUES ($1, $2, $3, $4, $5)",
        id,
        account,
        now,
        sealed,
        author.is_teacher()
    )
    .execute(database)
    .instrument(span("INSERT question_picture"))
    .await?;
    Ok(id)
}

/// Attaches a stored picture of the author to a message, at a position from 1. Returns false if it is not stored or has a
/// message.
pub(super) async fn attach(
    database: &mut PgConnection,
    picture: &Picture,
    (account, author): (Uuid, Author),
    (question, n, position): (Uuid, i32, i32),
    encryptor: &Encryptor,
) -> Result<bool, Error> {
    let description = match picture.description.as_str() {
        "" => None,
        text => Some(
            encryptor.seal(&description_owner(picture.id), text.as_bytes()).map_err(|_| Error::Sealing)?,
        ),
    };
    let updated = sqlx::query!(
        "UPDATE question_picture SET question = $3, n = $4, position = $5, description = $6 \
         WHERE id = $1 AND account = $2 AND question IS NULL AND for_answer = $7",
        picture.id,
        account,
        question,
        n,
        position,
        description,
        author.is_teacher()
    )
    .execute(database)
    .instrument(span("UPDATE question_picture"))
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Lists the pictures of a question's messages in their order, each with the number of its message.
pub(super) async fn list(
    database: &mut PgConnection,
    question: Uuid,
    encryptor: &Encryptor,
) -> Result<Vec<(i32, Picture)>, Error> {
    let rows = sqlx::query!(
        r#"SELECT id, n AS "n!", description FROM question_picture WHERE question = $1 ORDER BY n, position"#,
        question
    )
    .fetch_all(database)
    .instrument(span("SELECT question_picture"))
    .await?;
    let pictures = rows.into_iter().map(|row| {
        let description = match row.description {
            None => String::new(),
            Some(sealed) => {
                let text = encryptor.open(&description_owner(row.id), &sealed).map_err(|_| Error::Sealing)?;
                String::from_utf8(text).map_err(|_| Error::Sealing)?
            }
        };
        Ok((row.n, Picture { id: row.id, description }))
    });
    pictures.collect()
}

/// Finds the JPEG of a message: of a question of this account, or of any.
pub(crate) async fn find(
    database: &mut PgConnection,
    id: Uuid,
    account: Option<Uuid>,
    encryptor: &Encryptor,
) -> Result<Option<Vec<u8>>, Error> {
    let sealed = sqlx::query_scalar!(
        "SELECT sealed FROM question_picture \
         WHERE id = $1 AND question IS NOT NULL AND ($2::uuid IS NULL OR account = $2)",
        id,
        account
    )
    .fetch_optional(database)
    .instrument(span("SELECT question_picture"))
    .await?;
    sealed.map(|sealed| open(encryptor, id, &sealed)).transpose()
}

/// Finds the JPEG of a message of a shared question about this lesson. A follow-up is shared once it is answered.
pub(crate) async fn find_shared(
    database: &mut PgConnection,
    id: Uuid,
    lesson: i64,
    encryptor: &Encryptor,
) -> Result<Option<Vec<u8>>, Error> {
    let sealed = sqlx::query_scalar!(
        "SELECT sealed FROM question_picture JOIN teacher_question ON teacher_question.id = question \
         WHERE question_picture.id = $1 AND lesson_id = $2 AND is_shared AND answered_at IS NOT NULL AND n <= (\
            SELECT max(message.n) FROM question_message AS message \
            WHERE message.question = teacher_question.id AND message.teacher IS NOT NULL)",
        id,
        lesson
    )
    .fetch_optional(database)
    .instrument(span("SELECT question_picture"))
    .await?;
    sealed.map(|sealed| open(encryptor, id, &sealed)).transpose()
}

/// Lists the ids of the pictures of the account's questions, oldest first.
pub(crate) async fn list_ids(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "SELECT id FROM question_picture WHERE account = $1 AND question IS NOT NULL ORDER BY id",
        account
    )
    .fetch_all(database)
    .instrument(span("SELECT question_picture"))
    .await
}

/// Deletes all pictures of an account. The caller holds its lock.
pub(crate) async fn erase(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM question_picture WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE question_picture"))
        .await?;
    Ok(())
}

/// Deletes at most `limit` pictures whose message was not sent within a day. Returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM question_picture WHERE id IN (SELECT id FROM question_picture \
         WHERE question IS NULL AND stored_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now - WAITING_RETENTION,
        limit
    )
    .execute(database)
    .instrument(span("DELETE question_picture"))
    .await?;
    Ok(deleted.rows_affected())
}

fn open(encryptor: &Encryptor, id: Uuid, sealed: &[u8]) -> Result<Vec<u8>, Error> {
    encryptor.open(&id.to_string(), sealed).map_err(|_| Error::Sealing)
}

/// What a description is encrypted for.
fn description_owner(picture: Uuid) -> String {
    format!("{picture} description")
}
