//! The side of the learners: asking, asking again, and the monthly limit.

use kit::encryption::Encryptor;
use kit_db::span;
use sqlx::PgConnection;
use time::{Date, Month, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::message::{self, NewMessage};
use super::picture::Picture;
use super::{Place, Rules};
use crate::error::Error;
use crate::japan_time::{date_in_japan, midnight_in_japan};
use crate::learner_contact::{self, LearnerContact};
use crate::question_plan;

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

/// The first day of the month in Tokyo.
fn find_month(now: OffsetDateTime) -> Date {
    date_in_japan(now).replace_day(1).unwrap_or(Date::MIN)
}

/// When the next month begins in Tokyo.
pub(crate) fn next_month(now: OffsetDateTime) -> OffsetDateTime {
    let month = find_month(now);
    let year = if month.month() == Month::December { month.year() + 1 } else { month.year() };
    let first = Date::from_calendar_date(year, month.month().next(), 1).unwrap_or(month);
    midnight_in_japan(first)
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
/// [`Error::NotFound`], [`Error::AnswerPending`] while it waits, [`Error::QuestionClosed`] after the last follow-up.
/// The field `pictures` is `UNKNOWN_CHOICE` as in [`message::add`].
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
