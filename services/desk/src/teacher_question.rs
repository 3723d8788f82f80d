//! Questions of learners to teachers: reading and thanking. Texts are encrypted.

pub(crate) mod answering;
pub(crate) mod asking;
pub(crate) mod message;
pub(crate) mod picture;
pub(crate) mod shared;

use kit::encryption::Encryptor;
use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use message::Message;

/// Questions a page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// The limits of questions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Questions a month without a plan.
    pub(crate) monthly: u32,
    /// The time within which an answer is promised to a learner with a plan.
    pub(crate) promise: Duration,
    /// Most follow-ups of a question.
    pub(crate) follow_ups: u32,
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) course: i64,
    pub(crate) course_name: String,
    pub(crate) lesson: i64,
    pub(crate) lesson_name: String,
    /// Position in the video, in seconds.
    pub(crate) at: Option<i32>,
    /// A question of the lesson, and its text.
    pub(crate) exercise: Option<(i64, String)>,
}

/// A question with its first message.
pub(crate) struct TeacherQuestion {
    pub(crate) id: Uuid,
    pub(crate) text: String,
    pub(crate) place: Option<Place>,
    pub(crate) asked_at: OffsetDateTime,
    pub(crate) is_waiting: bool,
    pub(crate) due_at: Option<OffsetDateTime>,
    pub(crate) teacher: Option<String>,
    pub(crate) answered_at: Option<OffsetDateTime>,
    pub(crate) read_at: Option<OffsetDateTime>,
    pub(crate) is_thanked: bool,
    pub(crate) is_shared: bool,
    /// Follow-ups so far.
    pub(crate) follow_ups: u32,
}

impl TeacherQuestion {
    /// Whether the last answer was not opened yet.
    pub(crate) fn is_unread(&self) -> bool {
        self.answered_at.is_some_and(|answered| self.read_at.is_none_or(|read| read < answered))
    }

    /// Whether the learner can ask again.
    pub(crate) fn can_ask_again(&self, rules: Rules) -> bool {
        !self.is_waiting && self.follow_ups < rules.follow_ups
    }
}

/// A stored question, with its first message still encrypted.
struct Row {
    id: Uuid,
    asked_at: OffsetDateTime,
    course_id: Option<i64>,
    course_name: Option<String>,
    lesson_id: Option<i64>,
    lesson_name: Option<String>,
    at_second: Option<i32>,
    exercise_id: Option<i64>,
    exercise_text: Option<String>,
    state: String,
    due_at: Option<OffsetDateTime>,
    teacher: Option<String>,
    answered_at: Option<OffsetDateTime>,
    read_at: Option<OffsetDateTime>,
    thanked_at: Option<OffsetDateTime>,
    is_shared: bool,
    sealed: Vec<u8>,
    asked: i64,
}

impl Row {
    fn open(self, encryptor: &Encryptor) -> Result<TeacherQuestion, Error> {
        let text = message::open(encryptor, self.id, 1, &self.sealed)?;
        let place = match (self.course_id, self.course_name, self.lesson_id, self.lesson_name) {
            (Some(course), Some(course_name), Some(lesson), Some(lesson_name)) => Some(Place {
                course,
                course_name,
                lesson,
                lesson_name,
                at: self.at_second,
                exercise: self.exercise_id.zip(self.exercise_text),
            }),
            _ => None,
        };
        Ok(TeacherQuestion {
            id: self.id,
            text,
            place,
            asked_at: self.asked_at,
            is_waiting: self.state == "waiting",
            due_at: self.due_at,
            teacher: self.teacher,
            answered_at: self.answered_at,
            read_at: self.read_at,
            is_thanked: self.thanked_at.is_some(),
            is_shared: self.is_shared,
            follow_ups: u32::try_from(self.asked - 1).unwrap_or(0),
        })
    }
}

/// Lists a page of the account's questions, last changed first. Also returns the number on all pages, which is 0 if
/// this page is empty.
pub(crate) async fn list_page(
    database: &mut PgConnection,
    account: Uuid,
    page: Page,
    encryptor: &Encryptor,
) -> Result<(i64, Vec<TeacherQuestion>), Error> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM teacher_question WHERE account = $1"#,
        account
    )
    .fetch_one(&mut *database)
    .instrument(span("SELECT teacher_question"))
    .await?;
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id, asked_at, course_id, course_name, teacher_question.lesson_id, lesson_name,
            teacher_question.at_second, exercise_id, exercise_text, state, due_at, teacher_question.teacher,
            answered_at, read_at, thanked_at, is_shared, sealed,
            (SELECT count(*) FROM question_message AS own WHERE own.question = id AND own.teacher IS NULL) AS "asked!"
        FROM teacher_question JOIN question_message ON question = id AND n = 1
        WHERE account = $1 ORDER BY greatest(waiting_since, answered_at) DESC, id DESC LIMIT $2 OFFSET $3"#,
        account,
        page.limit(),
        page.offset()
    )
    .fetch_all(database)
    .instrument(span("SELECT teacher_question"))
    .await?;
    let count = if rows.is_empty() { 0 } else { count };
    Ok((count, rows.into_iter().map(|row| row.open(encryptor)).collect::<Result<_, _>>()?))
}

/// Finds a question of the account with its messages. Its answer counts as read at `now`.
pub(crate) async fn open(
    database: &mut PgConnection,
    (id, account): (Uuid, Uuid),
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<(TeacherQuestion, Vec<Message>), Error> {
    sqlx::query!(
        "UPDATE teacher_question SET read_at = greatest($3, answered_at) \
         WHERE id = $1 AND account = $2 AND answered_at IS NOT NULL AND (read_at IS NULL OR read_at < answered_at)",
        id,
        account,
        now
    )
    .execute(&mut *database)
    .instrument(span("UPDATE teacher_question"))
    .await?;
    let question = find(database, id, Some(account), encryptor).await?.ok_or(Error::NotFound)?;
    let messages = message::list(database, id, encryptor).await?;
    Ok((question, messages))
}

/// Finds a question: of this account, or of any.
pub(crate) async fn find(
    database: &mut PgConnection,
    id: Uuid,
    account: Option<Uuid>,
    encryptor: &Encryptor,
) -> Result<Option<TeacherQuestion>, Error> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, asked_at, course_id, course_name, teacher_question.lesson_id, lesson_name,
            teacher_question.at_second, exercise_id, exercise_text, state, due_at, teacher_question.teacher,
            answered_at, read_at, thanked_at, is_shared, sealed,
            (SELECT count(*) FROM question_message AS own WHERE own.question = id AND own.teacher IS NULL) AS "asked!"
        FROM teacher_question JOIN question_message ON question = id AND n = 1
        WHERE id = $1 AND ($2::uuid IS NULL OR account = $2)"#,
        id,
        account
    )
    .fetch_optional(database)
    .instrument(span("SELECT teacher_question"))
    .await?;
    row.map(|row| row.open(encryptor)).transpose()
}

/// Lists the ids of the account's questions, oldest first.
pub(crate) async fn list_ids(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM teacher_question WHERE account = $1 ORDER BY id", account)
        .fetch_all(database)
        .instrument(span("SELECT teacher_question"))
        .await
}

/// Thanks for the answer. Idempotent.
///
/// # Errors
///
/// [`Error::NotFound`], or [`Error::AnswerPending`].
pub(crate) async fn thank(
    database: &mut PgConnection,
    (id, account): (Uuid, Uuid),
    now: OffsetDateTime,
) -> Result<(), Error> {
    let thanked = sqlx::query_scalar!(
        r#"UPDATE teacher_question
        SET thanked_at = CASE WHEN answered_at IS NOT NULL THEN coalesce(thanked_at, $3::timestamptz) END
        WHERE id = $1 AND account = $2 RETURNING answered_at IS NOT NULL AS "is_answered!""#,
        id,
        account,
        now
    )
    .fetch_optional(database)
    .instrument(span("UPDATE teacher_question"))
    .await?;
    if thanked.ok_or(Error::NotFound)? { Ok(()) } else { Err(Error::AnswerPending) }
}
