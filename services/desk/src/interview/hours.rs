//! Weekly hours of teachers: imported with the content. Their slots are opened for the coming weeks.

use kit_content::Difference;
use kit_db::span;
use serde::Serialize;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use tracing::Instrument as _;

use super::Kind;
use super::slot::{self, NewSlots};
use crate::japan_time::{date_in_japan, midnight_in_japan};

/// Slots are open for this long.
const AHEAD: Duration = Duration::weeks(4);

/// Weekly hours as authors write them.
#[derive(PartialEq, Serialize)]
pub(crate) struct Content {
    pub(crate) id: i64,
    /// Id of the [`Kind`].
    pub(crate) kind: i16,
    pub(crate) teacher: String,
    /// 1 is Monday.
    pub(crate) weekday: i16,
    /// Minutes after midnight in Tokyo.
    pub(crate) from_minute: i32,
    pub(crate) until_minute: i32,
    pub(crate) slot_minutes: i32,
    pub(crate) join_url: String,
}

/// Replaces the stored hours by `wanted`, and opens their slots. Slots of changed or removed hours are deleted, except those
/// with an interview.
pub(crate) async fn import_hours(
    database: &mut PgConnection,
    wanted: &[Content],
    now: OffsetDateTime,
    difference: &mut Difference,
) -> sqlx::Result<()> {
    let before = sqlx::query_as!(
        Content,
        "SELECT id, kind, teacher, weekday, from_minute, until_minute, slot_minutes, join_url FROM interview_hours \
         ORDER BY id"
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT interview_hours"))
    .await?;
    for hours in wanted {
        let old = before.iter().find(|old| old.id == hours.id);
        if difference.note("interview hours", hours.id, &hours.teacher, old, hours) {
            delete_slots(database, hours.id, now).await?;
            write_hours(database, hours, date_in_japan(now)).await?;
        }
    }
    for old in &before {
        if !wanted.iter().any(|hours| hours.id == old.id) {
            difference.gone("interview hours", old.id, &old.teacher);
            delete_slots(database, old.id, now).await?;
            sqlx::query!("DELETE FROM interview_hours WHERE id = $1", old.id)
                .execute(&mut *database)
                .instrument(span("DELETE interview_hours"))
                .await?;
        }
    }
    open_due(database, now).await
}

async fn write_hours(database: &mut PgConnection, hours: &Content, today: Date) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO interview_hours (id, kind, teacher, weekday, from_minute, until_minute, slot_minutes, join_url, \
            opened_until) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
         ON CONFLICT ON CONSTRAINT interview_hours_pkey DO UPDATE SET kind = $2, teacher = $3, weekday = $4, \
            from_minute = $5, until_minute = $6, slot_minutes = $7, join_url = $8, opened_until = $9",
        hours.id,
        hours.kind,
        hours.teacher,
        hours.weekday,
        hours.from_minute,
        hours.until_minute,
        hours.slot_minutes,
        hours.join_url,
        today
    )
    .execute(database)
    .instrument(span("INSERT interview_hours"))
    .await?;
    Ok(())
}

async fn delete_slots(database: &mut PgConnection, hours: i64, now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM interview_slot WHERE hours = $1 AND starts_at > $2 \
            AND NOT EXISTS (SELECT FROM interview WHERE slot = interview_slot.id)",
        hours,
        now
    )
    .execute(database)
    .instrument(span("DELETE interview_slot"))
    .await?;
    Ok(())
}

/// Opens the slots of the coming weeks that are not open yet. Requires a transaction. Replicas may do so at the same time.
pub(crate) async fn open_due(database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<()> {
    let today = date_in_japan(now);
    let until = today.saturating_add(AHEAD);
    // No span: the sweep runs it every minute and mostly finds nothing.
    let due = sqlx::query!(
        "SELECT id, kind, teacher, weekday, from_minute, until_minute, slot_minutes, join_url, opened_until \
         FROM interview_hours WHERE opened_until < $1 ORDER BY id FOR UPDATE SKIP LOCKED",
        until
    )
    .fetch_all(&mut *database)
    .await?;
    for hours in due {
        let Some(kind) = Kind::from_id(hours.kind.into()) else { continue };
        let mut day = hours.opened_until.max(today);
        let mut times = Vec::new();
        while day < until {
            day = day.saturating_add(Duration::DAY);
            if i16::from(day.weekday().number_from_monday()) == hours.weekday {
                let at = |minute: i32| midnight_in_japan(day) + Duration::minutes(minute.into());
                let length = Duration::minutes(hours.slot_minutes.into());
                times.extend(slot::divide(at(hours.from_minute), at(hours.until_minute), length));
            }
        }
        let new =
            NewSlots { kind, teacher: &hours.teacher, join_url: &hours.join_url, hours: Some(hours.id) };
        slot::open(database, &new, &times).await?;
        sqlx::query!("UPDATE interview_hours SET opened_until = $2 WHERE id = $1", hours.id, until)
            .execute(&mut *database)
            .instrument(span("UPDATE interview_hours"))
            .await?;
    }
    Ok(())
}
