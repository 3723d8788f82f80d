//! Live lessons, as one learner sees them.

use kit_db::span;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime, Time};
use tracing::Instrument as _;
use uuid::Uuid;

use super::timetable::{date_in_tokyo, end_of_day, time_in_tokyo};
use crate::error::Error;

/// How long before the start a learner can join.
const JOIN_EARLY: Duration = Duration::minutes(10);
/// Done homework stays in the list for this long after it was due or done, whichever is later.
const HOMEWORK_KEPT: Duration = Duration::days(14);

/// Whether a learner took part in a live lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attendance {
    Joined,
    /// Did not join, but has checked the lesson with the recording.
    Watched,
    Absent,
}

/// The homework of a live lesson, as one learner sees it.
pub(crate) struct Homework<'a> {
    pub(crate) text: &'a str,
    pub(crate) due_at: OffsetDateTime,
    /// `None` until the learner marks it as done.
    pub(crate) done_at: Option<OffsetDateTime>,
}

impl Homework<'_> {
    /// Whether it was done after it was due, or is overdue.
    pub(crate) fn is_late(&self, now: OffsetDateTime) -> bool {
        self.done_at.unwrap_or(now) >= self.due_at
    }
}

/// A live lesson of a class of the learner.
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub(crate) struct LiveLesson {
    pub(crate) id: i64,
    pub(crate) class_id: i64,
    pub(crate) class_name: String,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    /// When the course expires. `None` for no end, and for a course that is renewed by itself.
    pub(crate) expire_at: Option<OffsetDateTime>,
    pub(crate) number: i32,
    /// Empty: none.
    pub(crate) title: String,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) ends_at: OffsetDateTime,
    pub(crate) is_cancelled: bool,
    /// Why it is moved or cancelled. Empty: neither.
    pub(crate) reason: String,
    /// How often the title, the times or the cancellation have changed.
    pub(crate) revision: i32,
    planned_at: OffsetDateTime,
    join_url: String,
    recording_id: Option<i64>,
    homework: Option<String>,
    pub(crate) homework_due_at: Option<OffsetDateTime>,
    /// Whether the learner could use the course during the live lesson.
    was_member: bool,
    has_joined: bool,
    is_recording_checked: bool,
    homework_done_at: Option<OffsetDateTime>,
}

impl LiveLesson {
    /// The start in the timetable. `None` unless the lesson is moved.
    pub(crate) fn moved_from(&self) -> Option<OffsetDateTime> {
        (self.planned_at != self.starts_at).then_some(self.planned_at)
    }

    /// The address of the meeting, from 10 minutes before the start until the end.
    pub(crate) fn join_url(&self, now: OffsetDateTime) -> Option<&str> {
        let is_open = self.starts_at - JOIN_EARLY <= now && now < self.ends_at;
        (is_open && !self.is_cancelled).then_some(self.join_url.as_str())
    }

    /// The lesson of the course with the recording, from the day after the live lesson.
    pub(crate) fn recording(&self, now: OffsetDateTime) -> Option<i64> {
        let is_ready = end_of_day(date_in_tokyo(self.ends_at)) <= now;
        self.recording_id.filter(|_| is_ready && !self.is_cancelled)
    }

    /// `None` before the end, if it is cancelled, and if the learner was no member then.
    pub(crate) fn attendance(&self, now: OffsetDateTime) -> Option<Attendance> {
        if self.has_joined {
            return Some(Attendance::Joined);
        }
        if self.is_cancelled || now < self.ends_at || !self.was_member {
            return None;
        }
        let has_watched = self.is_recording_checked && self.recording(now).is_some();
        Some(if has_watched { Attendance::Watched } else { Attendance::Absent })
    }

    /// The homework. `None` before the start, and if the lesson is cancelled.
    pub(crate) fn homework(&self, now: OffsetDateTime) -> Option<Homework<'_>> {
        let is_given = self.starts_at <= now && !self.is_cancelled;
        let (text, due_at) = self.homework.as_deref().zip(self.homework_due_at).filter(|_| is_given)?;
        Some(Homework { text, due_at, done_at: self.homework_done_at })
    }
}

/// Which live lessons to list.
#[derive(Clone, Copy)]
pub(crate) enum Filter {
    Class(i64),
    /// The week from this Monday in Tokyo.
    Week(Date),
    /// One, by its id.
    Id(i64),
    /// The one of each class that is on or comes next.
    Next,
    /// Those with homework that is not done, or was due or done recently.
    Homework,
    /// Those with homework that is due on a day of the week from this Monday in Tokyo.
    HomeworkWeek(Date),
}

/// Lists live lessons of the learner's classes, soonest first.
pub(crate) async fn list(
    connection: &mut PgConnection,
    learner: Uuid,
    filter: Filter,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<LiveLesson>> {
    let class = if let Filter::Class(class) = filter { Some(class) } else { None };
    let id = if let Filter::Id(id) = filter { Some(id) } else { None };
    let week = if let Filter::Week(monday) = filter { Some(find_bounds(monday)) } else { None };
    let due = if let Filter::HomeworkWeek(monday) = filter { Some(find_bounds(monday)) } else { None };
    let mut lessons = sqlx::query_as!(
        LiveLesson,
        r#"
        SELECT
            live_lesson.id,
            live_lesson.class_id,
            class.name AS class_name,
            class.course_id,
            course.name AS course_name,
            CASE WHEN item.is_auto_renewal THEN NULL ELSE entitlement.expire_at END AS expire_at,
            live_lesson.number,
            live_lesson.title,
            live_lesson.planned_at,
            live_lesson.starts_at,
            live_lesson.ends_at,
            live_lesson.is_cancelled,
            live_lesson.reason,
            live_lesson.revision,
            class.join_url,
            live_lesson.recording_id,
            live_lesson.homework,
            live_lesson.homework_due_at,
            member.at_lesson AS "was_member!",
            EXISTS (
                SELECT FROM attendance
                WHERE attendance.learner_id = $1 AND attendance.live_lesson_id = live_lesson.id
            ) AS "has_joined!",
            EXISTS (
                SELECT FROM lesson_check
                WHERE lesson_check.learner_id = $1 AND lesson_check.lesson_id = live_lesson.recording_id
            ) AS "is_recording_checked!",
            homework_mark.done_at AS "homework_done_at?"
        FROM live_lesson
        JOIN class ON class.id = live_lesson.class_id
        JOIN course ON course.id = class.course_id
        JOIN entitlement ON entitlement.course_id = class.course_id
        JOIN inventory AS item ON item.id = entitlement.inventory_id
        CROSS JOIN LATERAL (
            SELECT
                coalesce(bool_or(inventory.created < live_lesson.ends_at), false) AS at_lesson,
                coalesce(bool_or(inventory.created < live_lesson.homework_due_at), false) AS before_due
            FROM inventory
            WHERE
                inventory.learner_id = $1
                AND inventory.course_id = class.course_id
                AND (inventory.expire_at IS NULL OR inventory.expire_at > live_lesson.starts_at)
        ) AS member
        LEFT JOIN homework_mark
            ON homework_mark.learner_id = $1 AND homework_mark.live_lesson_id = live_lesson.id
        WHERE
            entitlement.learner_id = $1
            AND entitlement.active_until > $2
            AND ($3::bigint IS NULL OR live_lesson.class_id = $3)
            AND ($4::bigint IS NULL OR live_lesson.id = $4)
            AND ($5::timestamptz IS NULL OR live_lesson.starts_at >= $5 AND live_lesson.starts_at < $6)
            AND (
                NOT $7
                OR live_lesson.id IN (
                    SELECT DISTINCT ON (class_id) id
                    FROM live_lesson
                    WHERE ends_at > $2 AND NOT is_cancelled
                    ORDER BY class_id, starts_at, id
                )
            )
            AND (
                NOT $8
                OR live_lesson.starts_at <= $2
                AND NOT live_lesson.is_cancelled
                AND member.before_due
                AND (homework_mark.done_at IS NULL OR greatest(live_lesson.homework_due_at, homework_mark.done_at) > $9)
            )
            -- Homework is due at the end of a day, which is the midnight after it.
            AND (
                $10::timestamptz IS NULL
                OR live_lesson.homework_due_at > $10
                AND live_lesson.homework_due_at <= $11
                AND member.before_due
            )
        ORDER BY live_lesson.starts_at, live_lesson.id
        "#,
        learner,
        now,
        class,
        id,
        week.map(|(from, _)| from),
        week.map(|(_, until)| until),
        matches!(filter, Filter::Next),
        matches!(filter, Filter::Homework),
        now - HOMEWORK_KEPT,
        due.map(|(from, _)| from),
        due.map(|(_, until)| until),
    )
    .fetch_all(connection)
    .instrument(span("SELECT live_lesson"))
    .await?;
    if matches!(filter, Filter::Homework | Filter::HomeworkWeek(_)) {
        lessons.sort_by_key(|lesson| (lesson.homework_due_at, lesson.id));
    }
    Ok(lessons)
}

/// Finds a live lesson of the learner's classes. Fails with [`Error::NotFound`] if there is none.
pub(crate) async fn find(
    connection: &mut PgConnection,
    learner: Uuid,
    id: i64,
    now: OffsetDateTime,
) -> Result<LiveLesson, Error> {
    list(connection, learner, Filter::Id(id), now).await?.pop().ok_or(Error::NotFound)
}

/// The start and the end of a week in Tokyo.
fn find_bounds(monday: Date) -> (OffsetDateTime, OffsetDateTime) {
    let start = time_in_tokyo(monday, Time::MIDNIGHT);
    (start, start + Duration::WEEK)
}

/// Whether the learner's classes have live lessons before and after a week.
pub(crate) async fn find_neighbours(
    connection: &mut PgConnection,
    learner: Uuid,
    monday: Date,
    now: OffsetDateTime,
) -> sqlx::Result<(bool, bool)> {
    let (from, until) = find_bounds(monday);
    let row = sqlx::query!(
        r#"
        SELECT
            coalesce(min(live_lesson.starts_at) < $3, false) AS "has_previous!",
            coalesce(max(live_lesson.starts_at) >= $4, false) AS "has_next!"
        FROM live_lesson
        JOIN class ON class.id = live_lesson.class_id
        JOIN entitlement ON entitlement.course_id = class.course_id
        WHERE entitlement.learner_id = $1 AND entitlement.active_until > $2
        "#,
        learner,
        now,
        from,
        until,
    )
    .fetch_one(connection)
    .instrument(span("SELECT live_lesson"))
    .await?;
    Ok((row.has_previous, row.has_next))
}
