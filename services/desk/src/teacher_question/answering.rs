//! The side of the teachers: the queue of waiting questions, answers, and its figures.

use std::sync::atomic::{AtomicI64, Ordering};

use kit::encryption::Encryptor;
use kit::metrics::{Kind, Metric, Sample, watch};
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::message::{self, NewMessage};
use super::picture::{self, Author, Picture};
use crate::error::Error;

/// An answer to store.
pub(crate) struct NewAnswer<'a> {
    pub(crate) question: Uuid,
    pub(crate) teacher: &'a str,
    pub(crate) text: &'a str,
    /// A lesson, and a second of it.
    pub(crate) place: Option<(i64, i32)>,
    pub(crate) pictures: &'a [AnswerPicture],
}

/// A picture of an answer.
pub(crate) enum AnswerPicture {
    /// A JPEG.
    New(Vec<u8>),
    /// The id from [`store_picture`].
    Stored(Uuid),
}

/// Finds the waiting question whose answer is due first; without promises, the one that waits the longest. With a
/// teacher, the teacher takes it: one that another teacher has taken is passed over.
pub(crate) async fn find_next(
    database: &mut PgConnection,
    teacher: Option<&str>,
) -> sqlx::Result<Option<Uuid>> {
    let id = sqlx::query_scalar!(
        "SELECT id FROM teacher_question \
         WHERE state = 'waiting' AND ($1::text IS NULL OR teacher IS NULL OR teacher = $1) \
         ORDER BY due_at NULLS LAST, waiting_since, id LIMIT 1 FOR UPDATE SKIP LOCKED",
        teacher
    )
    .fetch_optional(&mut *database)
    .instrument(span("SELECT teacher_question"))
    .await?;
    if let (Some(id), Some(teacher)) = (id, teacher) {
        sqlx::query!("UPDATE teacher_question SET teacher = $2 WHERE id = $1", id, teacher)
            .execute(database)
            .instrument(span("UPDATE teacher_question"))
            .await?;
    }
    Ok(id)
}

/// Returns a waiting question to the queue, for any teacher. The result is the teacher who had taken it, if any.
/// Requires a transaction.
///
/// # Errors
///
/// [`Error::NotFound`], or [`Error::AlreadyAnswered`] if it does not wait.
pub(crate) async fn release(database: &mut PgConnection, question: Uuid) -> Result<Option<String>, Error> {
    let found =
        sqlx::query!("SELECT teacher, state FROM teacher_question WHERE id = $1 FOR UPDATE", question)
            .fetch_optional(&mut *database)
            .instrument(span("SELECT teacher_question"))
            .await?
            .ok_or(Error::NotFound)?;
    if found.state != "waiting" {
        return Err(Error::AlreadyAnswered);
    }
    sqlx::query!("UPDATE teacher_question SET teacher = NULL WHERE id = $1", question)
        .execute(database)
        .instrument(span("UPDATE teacher_question"))
        .await?;
    Ok(found.teacher)
}

/// Stores an answer and returns the account that asked. Requires a transaction.
///
/// # Errors
///
/// [`Error::NotFound`], or [`Error::AlreadyAnswered`] if it does not wait. The field `pictures` is `UNKNOWN_CHOICE` as in
/// [`message::add`].
pub(crate) async fn answer(
    database: &mut PgConnection,
    new: &NewAnswer<'_>,
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    let question =
        sqlx::query!("SELECT account, state FROM teacher_question WHERE id = $1 FOR UPDATE", new.question)
            .fetch_optional(&mut *database)
            .instrument(span("SELECT teacher_question"))
            .await?
            .ok_or(Error::NotFound)?;
    if question.state != "waiting" {
        return Err(Error::AlreadyAnswered);
    }
    sqlx::query!(
        "UPDATE teacher_question SET state = 'answered', teacher = $2, answered_at = $3 WHERE id = $1",
        new.question,
        new.teacher,
        now
    )
    .execute(&mut *database)
    .instrument(span("UPDATE teacher_question"))
    .await?;
    let mut pictures = Vec::with_capacity(new.pictures.len());
    for picture in new.pictures {
        let id = match picture {
            AnswerPicture::New(jpeg) => {
                picture::insert(database, (question.account, Author::Teacher), jpeg, encryptor, now).await?
            }
            AnswerPicture::Stored(id) => *id,
        };
        pictures.push(Picture { id, description: String::new() });
    }
    let message = NewMessage {
        question: new.question,
        account: question.account,
        teacher: Some(new.teacher),
        text: new.text,
        place: new.place,
        pictures: &pictures,
    };
    message::add(database, &message, encryptor, now).await?;
    Ok(question.account)
}

/// Stores a picture for the answer to a question, for a day. Requires a transaction.
///
/// # Errors
///
/// [`Error::NotFound`].
pub(crate) async fn store_picture(
    database: &mut PgConnection,
    question: Uuid,
    jpeg: &[u8],
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    // An erasure waits for this lock and then deletes the picture.
    let account =
        sqlx::query_scalar!("SELECT account FROM teacher_question WHERE id = $1 FOR UPDATE", question)
            .fetch_optional(&mut *database)
            .instrument(span("SELECT teacher_question"))
            .await?
            .ok_or(Error::NotFound)?;
    picture::insert(database, (account, Author::Teacher), jpeg, encryptor, now).await
}

/// The questions that wait.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) count: i64,
    /// Those whose promise has passed.
    pub(crate) overdue: i64,
    pub(crate) oldest: Option<OffsetDateTime>,
}

/// Counts the questions that wait.
pub(crate) async fn count_waiting(database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<Waiting> {
    // No span: the sweep runs it every minute.
    sqlx::query_as!(
        Waiting,
        r#"SELECT count(*) AS "count!", count(*) FILTER (WHERE due_at <= $1) AS "overdue!", min(waiting_since) AS oldest
        FROM teacher_question WHERE state = 'waiting'"#,
        now
    )
    .fetch_one(database)
    .await
}

/// Lists the questions whose promise has passed, most overdue first, at most 100.
pub(crate) async fn list_overdue(
    database: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<(Uuid, OffsetDateTime, Option<String>)>> {
    let rows = sqlx::query!(
        r#"SELECT id, due_at AS "due_at!", teacher FROM teacher_question
        WHERE state = 'waiting' AND due_at <= $1 ORDER BY due_at, id LIMIT 100"#,
        now
    )
    .fetch_all(database)
    .instrument(span("SELECT teacher_question"))
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.due_at, row.teacher)).collect())
}

const WAITING: Metric = Metric {
    name: "konomana_teacher_questions",
    kind: Kind::Gauge,
    labels: &["state"],
    help: "Questions to teachers: waiting, without an answer to the last message; overdue, those of them whose promised time has passed. Counted every minute",
};
pub(crate) const METRICS: &[Metric] = &[WAITING];

static COUNTS: [AtomicI64; 2] = [const { AtomicI64::new(0) }; 2];

/// Registers the metric of waiting questions.
pub(crate) fn register_metrics() {
    watch(&WAITING, || {
        let count =
            |state: &AtomicI64| i32::try_from(state.load(Ordering::Relaxed)).map_or(f64::MAX, f64::from);
        let [waiting, overdue] = &COUNTS;
        vec![Sample::new(["waiting"], count(waiting)), Sample::new(["overdue"], count(overdue))]
    });
}

/// Counts the waiting questions for the metric.
pub(crate) async fn update_metrics(database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<()> {
    let waiting = count_waiting(database, now).await?;
    for (state, count) in COUNTS.iter().zip([waiting.count, waiting.overdue]) {
        state.store(count, Ordering::Relaxed);
    }
    Ok(())
}
