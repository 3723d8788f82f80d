//! Interviews of learners with teachers: cancelling, lists, and what staff record afterwards.

pub(crate) mod booking;
pub(crate) mod hours;
pub(crate) mod slot;

use kit::encryption::Encryptor;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::learner_contact;
use slot::Slot;

/// A slot can be booked, and a booking cancelled, until this long before the start.
pub(crate) const NOTICE: Duration = Duration::DAY;
/// Most upcoming interviews of a learner.
pub(crate) const UPCOMING_LIMIT: u32 = 2;
/// How long before the start the link is shown.
const JOIN_EARLY: Duration = Duration::minutes(10);
/// Two missed interviews within this time pause booking.
const MISSED_WITHIN: Duration = Duration::days(60);
/// Length of the pause, from the second missed interview.
const PAUSE: Duration = Duration::days(30);
/// Most past interviews in a list.
const PAST_LIMIT: usize = 50;

/// A kind of interview that can be booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 学習相談
    Study = 1,
    /// 三者面談
    Parents = 3,
}

impl Kind {
    /// In display order.
    pub(crate) const ALL: [Self; 2] = [Self::Study, Self::Parents];
    /// Their names.
    pub(crate) const NAMES: [&str; 2] = [Self::Study.name(), Self::Parents.name()];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Study => "学習相談",
            Self::Parents => "三者面談",
        }
    }

    pub(crate) const fn id(self) -> i16 {
        self as i16
    }

    pub(crate) fn from_id(id: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| i64::from(kind.id()) == id)
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The name of a stored kind.
    pub(crate) fn name_of(id: i16) -> &'static str {
        Self::from_id(id.into()).map_or("", Self::name)
    }
}

/// A booked or cancelled interview.
#[derive(Clone, Debug)]
pub(crate) struct Interview {
    pub(crate) id: Uuid,
    pub(crate) slot: Slot,
    pub(crate) is_cancelled: bool,
    pub(crate) is_missed: bool,
    pub(crate) feedback: Option<String>,
    pub(crate) calendar_id: Uuid,
    pub(crate) calendar_sequence: i32,
    join_url: String,
}

impl Interview {
    /// Whether the learner can cancel or change it.
    pub(crate) fn can_cancel(&self, now: OffsetDateTime) -> bool {
        !self.is_cancelled && is_early(self.slot.starts_at, now)
    }

    /// The address of the video call, from 10 minutes before the start until the end.
    pub(crate) fn join_url(&self, now: OffsetDateTime) -> Option<&str> {
        let is_open = self.slot.starts_at - JOIN_EARLY <= now && now < self.slot.ends_at;
        (is_open && !self.is_cancelled).then_some(self.join_url.as_str())
    }
}

/// Whether an interview can still be booked or cancelled.
fn is_early(starts_at: OffsetDateTime, now: OffsetDateTime) -> bool {
    now + NOTICE <= starts_at
}

/// Cancels a booked interview. Returns its calendar id and sequence.
async fn cancel_row(
    database: &mut PgConnection,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<(Uuid, i32)>> {
    let row = sqlx::query!(
        "UPDATE interview SET state = 'cancelled', cancelled_at = $2 WHERE id = $1 AND state = 'booked' \
         RETURNING calendar_id, calendar_sequence",
        id,
        now
    )
    .fetch_optional(database)
    .instrument(span("UPDATE interview"))
    .await?;
    Ok(row.map(|row| (row.calendar_id, row.calendar_sequence)))
}

/// Cancels an interview of the account. Requires a transaction. Returns its slot, or `None` if it was cancelled before.
///
/// # Errors
///
/// [`Error::NotFound`], [`Error::InterviewFixed`].
pub(crate) async fn cancel(
    database: &mut PgConnection,
    account: Uuid,
    id: Uuid,
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<Option<Slot>, Error> {
    learner_contact::lock(database, account).await?;
    let interview = find(database, account, id, encryptor).await?.ok_or(Error::NotFound)?;
    if interview.is_cancelled {
        return Ok(None);
    }
    if !interview.can_cancel(now) {
        return Err(Error::InterviewFixed);
    }
    Ok(cancel_row(database, id, now).await?.map(|_| interview.slot))
}

/// Until when booking is paused. `None`: not paused.
pub(crate) async fn find_pause(
    database: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<OffsetDateTime>> {
    let missed = sqlx::query_scalar!(
        "SELECT starts_at FROM interview JOIN interview_slot ON interview_slot.id = slot \
         WHERE account = $1 AND is_missed ORDER BY starts_at",
        account
    )
    .fetch_all(database)
    .instrument(span("SELECT interview"))
    .await?;
    Ok(end_of_pause(&missed).filter(|until| *until > now))
}

/// The end of the last pause. `missed` are the starts of missed interviews, oldest first.
fn end_of_pause(missed: &[OffsetDateTime]) -> Option<OffsetDateTime> {
    let pairs = missed.iter().zip(missed.iter().skip(1));
    let mut seconds = pairs.rev().filter(|(first, second)| **second - **first <= MISSED_WITHIN);
    seconds.next().map(|(_, second)| *second + PAUSE)
}

/// Lists the account's booked and cancelled interviews, oldest first: all, or the one with this id.
async fn list(
    database: &mut PgConnection,
    account: Uuid,
    id: Option<Uuid>,
    encryptor: &Encryptor,
) -> Result<Vec<Interview>, Error> {
    let rows = sqlx::query!(
        r#"SELECT interview.id, slot, kind, teacher, starts_at, ends_at, join_url, state = 'cancelled' AS "is_cancelled!",
            is_missed, feedback, calendar_id, calendar_sequence
        FROM interview JOIN interview_slot ON interview_slot.id = slot
        WHERE account = $1 AND state <> 'held' AND ($2::uuid IS NULL OR interview.id = $2)
        ORDER BY starts_at, interview.id"#,
        account,
        id
    )
    .fetch_all(database)
    .instrument(span("SELECT interview"))
    .await?;
    let interviews = rows.into_iter().map(|row| {
        let feedback = row.feedback.map(|sealed| open_feedback(encryptor, row.id, &sealed)).transpose()?;
        Ok(Interview {
            id: row.id,
            slot: Slot {
                id: row.slot,
                kind: row.kind,
                teacher: row.teacher,
                starts_at: row.starts_at,
                ends_at: row.ends_at,
            },
            is_cancelled: row.is_cancelled,
            is_missed: row.is_missed,
            feedback,
            calendar_id: row.calendar_id,
            calendar_sequence: row.calendar_sequence,
            join_url: row.join_url,
        })
    });
    interviews.collect()
}

fn open_feedback(encryptor: &Encryptor, id: Uuid, sealed: &[u8]) -> Result<String, Error> {
    let text = encryptor.open(&id.to_string(), sealed).map_err(|_| Error::Sealing)?;
    String::from_utf8(text).map_err(|_| Error::Sealing)
}

/// Lists all interviews of the account, oldest first.
pub(crate) async fn list_all(
    database: &mut PgConnection,
    account: Uuid,
    encryptor: &Encryptor,
) -> Result<Vec<Interview>, Error> {
    list(database, account, None, encryptor).await
}

/// Lists the account's upcoming interviews, soonest first, and past ones, newest first. Cancelled ones are left out.
pub(crate) async fn list_own(
    database: &mut PgConnection,
    account: Uuid,
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<(Vec<Interview>, Vec<Interview>), Error> {
    let all = list(database, account, None, encryptor).await?;
    let booked = all.into_iter().filter(|interview| !interview.is_cancelled);
    let (mut past, upcoming): (Vec<_>, Vec<_>) = booked.partition(|interview| interview.slot.ends_at <= now);
    past.reverse();
    past.truncate(PAST_LIMIT);
    Ok((upcoming, past))
}

/// Finds an interview of the account.
pub(crate) async fn find(
    database: &mut PgConnection,
    account: Uuid,
    id: Uuid,
    encryptor: &Encryptor,
) -> Result<Option<Interview>, Error> {
    Ok(list(database, account, Some(id), encryptor).await?.pop())
}

/// Stores the teacher's notes, in place of earlier ones. Returns false unless the interview is booked, has started and was
/// not missed.
pub(crate) async fn set_feedback(
    database: &mut PgConnection,
    id: Uuid,
    text: &str,
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<bool, Error> {
    let sealed = encryptor.seal(&id.to_string(), text.as_bytes()).map_err(|_| Error::Sealing)?;
    let done = sqlx::query!(
        "UPDATE interview SET feedback = $2, feedback_at = $3 WHERE id = $1 AND state = 'booked' AND NOT is_missed \
            AND (SELECT starts_at FROM interview_slot WHERE interview_slot.id = slot) <= $3",
        id,
        sealed,
        now
    )
    .execute(database)
    .instrument(span("UPDATE interview"))
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Records that the learner did not come. Returns false unless the interview is booked, has started and has no notes.
pub(crate) async fn set_missed(
    database: &mut PgConnection,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE interview SET is_missed = true WHERE id = $1 AND state = 'booked' AND feedback IS NULL \
            AND (SELECT starts_at FROM interview_slot WHERE interview_slot.id = slot) <= $2",
        id,
        now
    )
    .execute(database)
    .instrument(span("UPDATE interview"))
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Deletes the interviews of an account; their slots become free. The caller holds its lock.
pub(crate) async fn erase(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM interview WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE interview"))
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn two_missed_interviews_within_60_days_pause_from_the_second_one() {
        let first = datetime!(2026-10-01 08:00 UTC);
        let second = first + MISSED_WITHIN;
        assert_eq!(end_of_pause(&[]), None);
        assert_eq!(end_of_pause(&[first]), None);
        assert_eq!(end_of_pause(&[first, second]), Some(second + PAUSE));
        assert_eq!(end_of_pause(&[first, second + Duration::SECOND]), None);
        let third = second + Duration::days(90);
        assert_eq!(end_of_pause(&[first, second, third]), Some(second + PAUSE));
    }
}
