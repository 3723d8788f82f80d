//! Questions of learners to teachers: asking, the monthly limit, reading, thanking and sharing. Texts are encrypted.

pub(crate) mod answering;
pub(crate) mod message;
pub(crate) mod picture;
pub(crate) mod shared;

use kit::encryption::Encryptor;
use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use time::{Date, Duration, Month, OffsetDateTime, UtcOffset};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::japan_time::date_in_japan;
use crate::learner_contact::{self, LearnerContact};
use crate::question_plan;
use message::{Message, NewMessage};
use picture::Picture;

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

/// A question to store.
pub(crate) struct NewQuestion<'a> {
    pub(crate) account: Uuid,
    pub(crate) text: &'a str,
    pub(crate) place: Option<&'a Place>,
    pub(crate) is_shared: bool,
    /// Stored pictures of the account without a message.
    pub(crate) pictures: &'a [Picture],
}

/// What an account may ask.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// Questions left this month; `None`: without a limit.
    pub(crate) left: Option<u32>,
    /// Answered questions that were not opened since.
    pub(crate) unread: u32,
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

/// The first day of the month in Tokyo.
fn find_month(now: OffsetDateTime) -> Date {
    date_in_japan(now).replace_day(1).unwrap_or(Date::MIN)
}

/// When the next month begins in Tokyo.
pub(crate) fn next_month(now: OffsetDateTime) -> OffsetDateTime {
    let month = find_month(now);
    let year = if month.month() == Month::December { month.year() + 1 } else { month.year() };
    let first = Date::from_calendar_date(year, month.month().next(), 1).unwrap_or(month);
    first.midnight().assume_offset(UtcOffset::from_hms(9, 0, 0).unwrap_or(UtcOffset::UTC))
}

/// Returns what the account may ask now.
pub(crate) async fn find_allowance(
    database: &mut PgConnection,
    account: Uuid,
    rules: Rules,
    now: OffsetDateTime,
) -> sqlx::Result<Allowance> {
    let left = if question_plan::is_active(database, account).await? {
        None
    } else {
        Some(rules.monthly.saturating_sub(count_month(database, account, now).await?))
    };
    let unread = sqlx::query_scalar!(
        r#"SELECT count(*) AS "unread!" FROM teacher_question
        WHERE account = $1 AND answered_at IS NOT NULL AND (read_at IS NULL OR read_at < answered_at)"#,
        account
    )
    .fetch_one(database)
    .instrument(span("SELECT teacher_question"))
    .await?;
    Ok(Allowance { left, unread: u32::try_from(unread).unwrap_or(u32::MAX) })
}

/// The questions of this month that count toward the limit.
async fn count_month(database: &mut PgConnection, account: Uuid, now: OffsetDateTime) -> sqlx::Result<u32> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM teacher_question WHERE account = $1 AND month = $2 AND is_counted"#,
        account,
        find_month(now)
    )
    .fetch_one(database)
    .instrument(span("SELECT teacher_question"))
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Stores a question. Requires a transaction: the account stays locked until it ends, so that two questions at once
/// never exceed the limit.
///
/// # Errors
///
/// [`Error::QuestionsUsedUp`] beyond the monthly limit. The field `pictures` is `UNKNOWN_CHOICE` as in [`message::add`].
pub(crate) async fn ask(
    database: &mut PgConnection,
    new: &NewQuestion<'_>,
    asker: &LearnerContact,
    encryptor: &Encryptor,
    rules: Rules,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    learner_contact::lock(database, new.account).await?;
    learner_contact::save(database, new.account, asker, encryptor).await?;
    let has_plan = question_plan::is_active(database, new.account).await?;
    if !has_plan && count_month(database, new.account, now).await? >= rules.monthly {
        return Err(Error::QuestionsUsedUp);
    }
    let id = Uuid::now_v7();
    let exercise = new.place.and_then(|place| place.exercise.as_ref());
    sqlx::query!(
        "INSERT INTO teacher_question (id, account, asked_at, month, is_counted, course_id, course_name, lesson_id, \
            lesson_name, at_second, exercise_id, exercise_text, state, waiting_since, due_at, is_shared) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'waiting', $3, $13, $14)",
        id,
        new.account,
        now,
        find_month(now),
        !has_plan,
        new.place.map(|place| place.course),
        new.place.map(|place| place.course_name.as_str()),
        new.place.map(|place| place.lesson),
        new.place.map(|place| place.lesson_name.as_str()),
        new.place.and_then(|place| place.at),
        exercise.map(|(id, _)| *id),
        exercise.map(|(_, text)| text.as_str()),
        has_plan.then_some(now + rules.promise),
        new.is_shared && new.place.is_some()
    )
    .execute(&mut *database)
    .instrument(span("INSERT teacher_question"))
    .await?;
    let first = NewMessage {
        question: id,
        account: new.account,
        teacher: None,
        text: new.text,
        place: None,
        pictures: new.pictures,
    };
    message::add(database, &first, encryptor, now).await?;
    Ok(id)
}

/// Asks again below an answer. Requires a transaction.
///
/// # Errors
///
/// [`Error::NotFound`], [`Error::AnswerPending`] while it waits, [`Error::QuestionClosed`] after the last further
/// question. The field `pictures` is `UNKNOWN_CHOICE` as in [`message::add`].
pub(crate) async fn ask_again(
    database: &mut PgConnection,
    (id, account): (Uuid, Uuid),
    (text, pictures): (&str, &[Picture]),
    asker: &LearnerContact,
    encryptor: &Encryptor,
    rules: Rules,
    now: OffsetDateTime,
) -> Result<(), Error> {
    learner_contact::lock(database, account).await?;
    let question = sqlx::query!(
        r#"SELECT state, (SELECT count(*) FROM question_message WHERE question = id AND question_message.teacher IS NULL)
            AS "asked!" FROM teacher_question WHERE id = $1 AND account = $2 FOR UPDATE"#,
        id,
        account
    )
    .fetch_optional(&mut *database)
    .instrument(span("SELECT teacher_question"))
    .await?
    .ok_or(Error::NotFound)?;
    if question.state == "waiting" {
        return Err(Error::AnswerPending);
    }
    if question.asked > i64::from(rules.follow_ups) {
        return Err(Error::QuestionClosed);
    }
    learner_contact::save(database, account, asker, encryptor).await?;
    let has_plan = question_plan::is_active(database, account).await?;
    sqlx::query!(
        "UPDATE teacher_question SET state = 'waiting', waiting_since = $2, due_at = $3, read_at = $2 WHERE id = $1",
        id,
        now,
        has_plan.then_some(now + rules.promise)
    )
    .execute(&mut *database)
    .instrument(span("UPDATE teacher_question"))
    .await?;
    let follow_up = NewMessage { question: id, account, teacher: None, text, place: None, pictures };
    message::add(database, &follow_up, encryptor, now).await
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

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn a_month_begins_and_ends_at_midnight_in_tokyo() {
        let last = datetime!(2026-12-31 14:59:59 UTC);
        assert_eq!(find_month(last), date!(2026 - 12 - 01));
        assert_eq!(next_month(last), datetime!(2026-12-31 15:00 UTC));
        assert_eq!(find_month(next_month(last)), date!(2027 - 01 - 01));
        assert_eq!(next_month(datetime!(2028-02-29 00:00 UTC)), datetime!(2028-02-29 15:00 UTC));
    }
}
