//! Slots: times at which a teacher can be met, and which of them are free.

use kit_db::span;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::{Kind, NOTICE};
use crate::japan_time::midnight_in_japan;

/// A slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) id: Uuid,
    /// Id of the [`Kind`].
    pub(crate) kind: i16,
    /// The name without 先生.
    pub(crate) teacher: String,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) ends_at: OffsetDateTime,
}

/// Slots to open.
pub(crate) struct NewSlots<'a> {
    pub(crate) kind: Kind,
    pub(crate) teacher: &'a str,
    pub(crate) join_url: &'a str,
    /// The weekly hours that they belong to.
    pub(crate) hours: Option<i64>,
}

/// Opens slots at these times, except where the teacher has another slot. Requires a transaction. Returns the number of
/// opened slots.
pub(crate) async fn open(
    database: &mut PgConnection,
    new: &NewSlots<'_>,
    times: &[(OffsetDateTime, OffsetDateTime)],
) -> sqlx::Result<u64> {
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended('interview teacher ' || $1, 0)) IS NULL AS locked",
        new.teacher
    )
    .fetch_one(&mut *database)
    .instrument(span("SELECT pg_advisory_xact_lock"))
    .await?;
    let mut opened = 0;
    for (starts_at, ends_at) in times {
        let inserted = sqlx::query!(
            "INSERT INTO interview_slot (id, kind, teacher, starts_at, ends_at, join_url, hours) \
             SELECT $1, $2, $3, $4, $5, $6, $7 WHERE NOT EXISTS (\
                SELECT FROM interview_slot WHERE teacher = $3 AND starts_at < $5 AND ends_at > $4)",
            Uuid::now_v7(),
            new.kind.id(),
            new.teacher,
            starts_at,
            ends_at,
            new.join_url,
            new.hours
        )
        .execute(&mut *database)
        .instrument(span("INSERT interview_slot"))
        .await?;
        opened += inserted.rows_affected();
    }
    Ok(opened)
}

/// Divides a time into slots of this length. A rest that is too short has none.
pub(crate) fn divide(
    from: OffsetDateTime,
    until: OffsetDateTime,
    length: Duration,
) -> Vec<(OffsetDateTime, OffsetDateTime)> {
    let starts = std::iter::successors(Some(from), |start| Some(*start + length));
    starts.map(|start| (start, start + length)).take_while(|(_, end)| *end <= until).collect()
}

/// Locks a slot, and another one if given. Returns the first, and whether staff closed it.
pub(super) async fn lock(
    database: &mut PgConnection,
    id: Uuid,
    other: Option<Uuid>,
) -> sqlx::Result<Option<(Slot, bool)>> {
    let rows = sqlx::query!(
        r#"SELECT id, kind, teacher, starts_at, ends_at, closed_at IS NOT NULL AS "is_closed!" FROM interview_slot
        WHERE id = $1 OR id = $2 ORDER BY id FOR UPDATE"#,
        id,
        other
    )
    .fetch_all(database)
    .instrument(span("SELECT interview_slot"))
    .await?;
    let found = rows.into_iter().find(|row| row.id == id);
    Ok(found.map(|row| {
        let slot = Slot {
            id: row.id,
            kind: row.kind,
            teacher: row.teacher,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
        };
        (slot, row.is_closed)
    }))
}

/// Lists the slots of a kind that the account can book and that start in this week, soonest first. They include the one
/// that it holds.
pub(crate) async fn list_week(
    database: &mut PgConnection,
    kind: Kind,
    monday: Date,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Slot>> {
    let starts_at = midnight_in_japan(monday);
    sqlx::query_as!(
        Slot,
        "SELECT id, kind, teacher, starts_at, ends_at FROM interview_slot AS slot \
         WHERE kind = $1 AND starts_at >= $2 AND starts_at < $3 AND starts_at >= $4 AND closed_at IS NULL \
            AND NOT EXISTS (SELECT FROM interview WHERE slot = slot.id \
                AND (state = 'booked' OR state = 'held' AND held_until > $5 AND account <> $6)) \
         ORDER BY starts_at, teacher",
        kind.id(),
        starts_at,
        starts_at + Duration::WEEK,
        now + NOTICE,
        now,
        account
    )
    .fetch_all(database)
    .instrument(span("SELECT interview_slot"))
    .await
}

/// The start of the first slot of a kind that the account can book, from this time on.
pub(crate) async fn find_next(
    database: &mut PgConnection,
    kind: Kind,
    from: OffsetDateTime,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<OffsetDateTime>> {
    sqlx::query_scalar!(
        "SELECT starts_at FROM interview_slot AS slot \
         WHERE kind = $1 AND starts_at >= $2 AND starts_at >= $3 AND closed_at IS NULL \
            AND NOT EXISTS (SELECT FROM interview WHERE slot = slot.id \
                AND (state = 'booked' OR state = 'held' AND held_until > $4 AND account <> $5)) \
         ORDER BY starts_at LIMIT 1",
        kind.id(),
        from,
        now + NOTICE,
        now,
        account
    )
    .fetch_optional(database)
    .instrument(span("SELECT interview_slot"))
    .await
}

/// Counts the slots of a kind that the account can book.
pub(crate) async fn count_free(
    database: &mut PgConnection,
    kind: Kind,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<u32> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM interview_slot AS slot
        WHERE kind = $1 AND starts_at >= $2 AND closed_at IS NULL
            AND NOT EXISTS (SELECT FROM interview WHERE slot = slot.id
                AND (state = 'booked' OR state = 'held' AND held_until > $3 AND account <> $4))"#,
        kind.id(),
        now + NOTICE,
        now,
        account
    )
    .fetch_one(database)
    .instrument(span("SELECT interview_slot"))
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A slot as staff see it.
pub(crate) struct ListedSlot {
    pub(crate) id: Uuid,
    pub(crate) kind: i16,
    pub(crate) teacher: String,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) is_closed: bool,
    /// `held` or `booked`; `None`: free.
    pub(crate) state: Option<String>,
    pub(crate) interview: Option<Uuid>,
    pub(crate) account: Option<Uuid>,
    pub(crate) is_missed: bool,
    pub(crate) has_feedback: bool,
}

/// Lists the slots that start in a period: of one teacher, or of all.
pub(crate) async fn list_period(
    database: &mut PgConnection,
    teacher: Option<&str>,
    from: OffsetDateTime,
    until: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<ListedSlot>> {
    sqlx::query_as!(
        ListedSlot,
        r#"SELECT interview_slot.id, kind, teacher, starts_at, closed_at IS NOT NULL AS "is_closed!",
            state AS "state?", interview.id AS "interview?", account AS "account?",
            coalesce(is_missed, false) AS "is_missed!", feedback IS NOT NULL AS "has_feedback!"
        FROM interview_slot LEFT JOIN interview ON slot = interview_slot.id
            AND (state = 'booked' OR state = 'held' AND held_until > $4)
        WHERE starts_at >= $1 AND starts_at < $2 AND ($3::text IS NULL OR teacher = $3)
        ORDER BY starts_at, teacher"#,
        from,
        until,
        teacher,
        now
    )
    .fetch_all(database)
    .instrument(span("SELECT interview_slot"))
    .await
}

/// Closes a slot that has not started: holds end, and a booked interview is cancelled. Requires a transaction. Returns the
/// slot, and the account whose interview was cancelled.
pub(crate) async fn close(
    database: &mut PgConnection,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<(Slot, Option<Uuid>)>> {
    let Some((slot, _)) = lock(database, id, None).await? else { return Ok(None) };
    if slot.starts_at <= now {
        return Ok(None);
    }
    sqlx::query!("UPDATE interview_slot SET closed_at = coalesce(closed_at, $2) WHERE id = $1", id, now)
        .execute(&mut *database)
        .instrument(span("UPDATE interview_slot"))
        .await?;
    sqlx::query!("DELETE FROM interview WHERE slot = $1 AND state = 'held'", id)
        .execute(&mut *database)
        .instrument(span("DELETE interview"))
        .await?;
    let account = sqlx::query_scalar!(
        "UPDATE interview SET state = 'cancelled', cancelled_at = $2 WHERE slot = $1 AND state = 'booked' \
         RETURNING account",
        id,
        now
    )
    .fetch_optional(database)
    .instrument(span("UPDATE interview"))
    .await?;
    Ok(Some((slot, account)))
}

/// Deletes at most `limit` past slots without an interview. Returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM interview_slot WHERE id IN (SELECT id FROM interview_slot slot WHERE ends_at <= $1 \
            AND NOT EXISTS (SELECT FROM interview WHERE slot = slot.id) LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit
    )
    .execute(database)
    .instrument(span("DELETE interview_slot"))
    .await?;
    Ok(deleted.rows_affected())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_time_is_divided_without_its_rest() {
        let from = datetime!(2026-12-01 08:00 UTC);
        let starts = |minutes| -> Vec<_> {
            let slots = divide(from, from + Duration::minutes(minutes), Duration::minutes(30));
            slots.into_iter().map(|(start, _)| (start - from).whole_minutes()).collect()
        };
        assert_eq!(starts(90), [0, 30, 60]);
        assert_eq!(starts(89), [0, 30]);
        assert_eq!(starts(29), [0_i64; 0]);
    }
}
