//! Classes as authors write them, and how an import stores them.

use kit_content::date_time::find_monday;
use kit_db::span;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use sqlx::types::Json;
use time::{Date, Duration, OffsetDateTime, Time};
use tracing::Instrument as _;

use super::timetable::{date_in_tokyo, end_of_day, list_starts, time_in_tokyo};

/// The authored content of a class.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct ClassContent {
    pub(crate) id: i64,
    pub(crate) course: i64,
    pub(crate) name: String,
    pub(crate) teacher: i64,
    pub(crate) join_url: String,
    pub(crate) first: FirstDay,
    pub(crate) time: Time,
    /// Length of a lesson.
    pub(crate) minutes: u16,
    /// The value of an RRULE.
    pub(crate) rule: String,
    /// Days without a lesson.
    pub(crate) except: Vec<Date>,
    /// The lessons with more than a date.
    pub(crate) lessons: Vec<LessonContent>,
}

/// The day from which a timetable counts.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) enum FirstDay {
    On(Date),
    /// The Monday this many weeks after the week of the class's first import.
    Weeks(i16),
}

impl FirstDay {
    /// The day for a class that is imported for the first time.
    pub(crate) fn resolve(self, now: OffsetDateTime) -> Date {
        match self {
            Self::On(day) => day,
            Self::Weeks(weeks) => {
                find_monday(date_in_tokyo(now)).saturating_add(Duration::weeks(weeks.into()))
            }
        }
    }
}

/// A lesson of a class.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct LessonContent {
    /// From 1, in the order of the timetable.
    pub(crate) number: u16,
    pub(crate) title: String,
    pub(crate) moved: Option<Move>,
    /// Why it is cancelled.
    pub(crate) cancelled: Option<String>,
    /// The lesson of the course with the recording.
    pub(crate) recording: Option<i64>,
    pub(crate) homework: Option<HomeworkContent>,
}

/// The new time of a moved lesson.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Move {
    /// Days after the day in the timetable; negative before it.
    pub(crate) days: i16,
    pub(crate) time: Time,
    pub(crate) reason: String,
}

/// The homework of a lesson.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct HomeworkContent {
    pub(crate) text: String,
    /// Due at the end of the day this many days after the day in the timetable.
    pub(crate) due_days: u16,
}

impl ClassContent {
    /// Lists the starts of the lessons in the timetable.
    pub(crate) fn list_starts(&self, first: Date) -> Result<Vec<OffsetDateTime>, String> {
        list_starts(first, self.time, &self.rule, &self.except)
    }
}

/// A class in the database.
pub(crate) struct StoredClass {
    pub(crate) first_day: Date,
    pub(crate) content: ClassContent,
}

/// Lists all stored classes by id.
pub(crate) async fn list_stored(connection: &mut PgConnection) -> sqlx::Result<Vec<StoredClass>> {
    let rows =
        sqlx::query!(r#"SELECT first_day, content AS "content: Json<ClassContent>" FROM class ORDER BY id"#)
            .fetch_all(connection)
            .instrument(span("SELECT class"))
            .await?;
    let classes =
        rows.into_iter().map(|row| StoredClass { first_day: row.first_day, content: row.content.0 });
    Ok(classes.collect())
}

/// Inserts or replaces a class and its live lessons, which start at `starts`.
///
/// A lesson keeps its row by its number. A lesson that has ended keeps its times unless the content moves it, so a new term
/// is a new class. Lessons to come that are no longer in the timetable are deleted.
pub(crate) async fn put(
    connection: &mut PgConnection,
    content: &ClassContent,
    first_day: Date,
    starts: &[OffsetDateTime],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO class (id, course_id, teacher_id, name, join_url, first_day, content)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (id) DO UPDATE SET
            course_id = excluded.course_id,
            teacher_id = excluded.teacher_id,
            name = excluded.name,
            join_url = excluded.join_url,
            first_day = excluded.first_day,
            content = excluded.content
        ",
        content.id,
        content.course,
        content.teacher,
        content.name,
        content.join_url,
        first_day,
        Json(content) as _,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT class"))
    .await?;
    for (start, number) in starts.iter().zip(1_u16..) {
        let lesson = content.lessons.iter().find(|lesson| lesson.number == number);
        put_lesson(connection, content, number, *start, lesson, now).await?;
    }
    let count = i32::try_from(starts.len()).unwrap_or(i32::MAX);
    sqlx::query!(
        "DELETE FROM live_lesson WHERE class_id = $1 AND number > $2 AND starts_at > $3",
        content.id,
        count,
        now,
    )
    .execute(connection)
    .instrument(span("DELETE live_lesson"))
    .await?;
    Ok(())
}

/// The end of a day in Tokyo, counted from the day of the lesson.
fn find_due(starts_at: OffsetDateTime, due_days: u16) -> OffsetDateTime {
    end_of_day(date_in_tokyo(starts_at).saturating_add(Duration::days(due_days.into())))
}

async fn put_lesson(
    connection: &mut PgConnection,
    content: &ClassContent,
    number: u16,
    planned_at: OffsetDateTime,
    lesson: Option<&LessonContent>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let day = date_in_tokyo(planned_at);
    let moved = lesson.and_then(|lesson| lesson.moved.as_ref());
    let cancelled = lesson.and_then(|lesson| lesson.cancelled.as_ref());
    let homework = lesson.and_then(|lesson| lesson.homework.as_ref());
    let starts_at = moved.map_or(planned_at, |moved| {
        time_in_tokyo(day.saturating_add(Duration::days(moved.days.into())), moved.time)
    });
    let reason = cancelled.or(moved.map(|moved| &moved.reason));
    sqlx::query!(
        "
        INSERT INTO live_lesson AS known (
            class_id, number, title, planned_at, starts_at, ends_at, is_cancelled, reason, recording_id, homework,
            homework_due_at
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        ON CONFLICT (class_id, number) DO UPDATE SET
            title = excluded.title,
            planned_at = CASE WHEN known.ends_at > $12 OR $13 THEN excluded.planned_at ELSE known.planned_at END,
            starts_at = CASE WHEN known.ends_at > $12 OR $13 THEN excluded.starts_at ELSE known.starts_at END,
            ends_at = CASE WHEN known.ends_at > $12 OR $13 THEN excluded.ends_at ELSE known.ends_at END,
            is_cancelled = excluded.is_cancelled,
            reason = excluded.reason,
            revision = known.revision + CASE
                WHEN (known.title, known.is_cancelled) <> (excluded.title, excluded.is_cancelled) THEN 1
                WHEN
                    (known.ends_at > $12 OR $13)
                    AND (known.starts_at, known.ends_at) <> (excluded.starts_at, excluded.ends_at)
                    THEN 1
                ELSE 0
            END,
            recording_id = excluded.recording_id,
            homework = excluded.homework,
            homework_due_at = CASE
                WHEN known.ends_at > $12 OR $13 THEN excluded.homework_due_at
                -- Counted from the day that the lesson keeps.
                ELSE excluded.homework_due_at + interval '24 hours' * (
                    (known.starts_at AT TIME ZONE 'Asia/Tokyo')::date
                    - (excluded.starts_at AT TIME ZONE 'Asia/Tokyo')::date
                )
            END
        ",
        content.id,
        i32::from(number),
        lesson.map_or("", |lesson| &lesson.title),
        planned_at,
        starts_at,
        starts_at + Duration::minutes(content.minutes.into()),
        cancelled.is_some(),
        reason.map_or("", String::as_str),
        lesson.and_then(|lesson| lesson.recording),
        homework.map(|homework| homework.text.as_str()),
        homework.map(|homework| find_due(starts_at, homework.due_days)),
        now,
        moved.is_some(),
    )
    .execute(connection)
    .instrument(span("INSERT live_lesson"))
    .await?;
    Ok(())
}
