//! Holding and booking a slot.
//!
//! A hold and a booking are rows of the same table, whose unique index on the slot decides who wins.

use kit::encryption::Encryptor;
use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::slot::{self, Slot};
use super::{UPCOMING_LIMIT, cancel_row, find_pause, is_early};
use crate::error::Error;
use crate::learner_contact::{self, LearnerContact};

/// How long a slot is held.
const HOLD: Duration = Duration::minutes(5);

/// The slot that a learner holds.
#[derive(Clone, Debug)]
pub(crate) struct Hold {
    pub(crate) slot: Slot,
    pub(crate) held_until: OffsetDateTime,
    /// The interview that booking the slot cancels.
    pub(crate) replaces: Option<Uuid>,
}

/// Finds the unexpired hold of an account.
pub(crate) async fn find_hold(
    database: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Hold>> {
    let row = sqlx::query!(
        r#"SELECT interview_slot.id, kind, teacher, starts_at, ends_at, held_until AS "held_until!", replaces
        FROM interview JOIN interview_slot ON interview_slot.id = slot
        WHERE account = $1 AND state = 'held' AND held_until > $2"#,
        account,
        now
    )
    .fetch_optional(database)
    .instrument(span("SELECT interview"))
    .await?;
    Ok(row.map(|row| Hold {
        slot: Slot {
            id: row.id,
            kind: row.kind,
            teacher: row.teacher,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
        },
        held_until: row.held_until,
        replaces: row.replaces,
    }))
}

/// Holds a slot, instead of the one that the account holds. Requires a transaction. A hold of the same slot keeps its time.
///
/// # Errors
///
/// [`Error::NotFound`], [`Error::SlotClosed`], [`Error::SlotTaken`], and those of [`check_booking`].
pub(crate) async fn hold(
    database: &mut PgConnection,
    account: Uuid,
    slot: Uuid,
    replaces: Option<Uuid>,
    now: OffsetDateTime,
) -> Result<Hold, Error> {
    learner_contact::lock(database, account).await?;
    if erased_account::contains(database, account).await? {
        return Err(Error::NotFound);
    }
    let own = find_hold(database, account, now).await?;
    // Both slots in one order, so that learners who exchange slots cannot deadlock.
    let wanted = slot::lock(database, slot, own.as_ref().map(|own| own.slot.id)).await?;
    let (wanted, is_closed) = wanted.ok_or(Error::NotFound)?;
    if is_closed || !is_early(wanted.starts_at, now) {
        return Err(Error::SlotClosed);
    }
    check_booking(database, account, &wanted, replaces, now).await?;
    let held_until = own.filter(|own| own.slot.id == slot).map_or(now + HOLD, |own| own.held_until);
    sqlx::query!(
        "DELETE FROM interview WHERE state = 'held' AND (account = $1 OR slot = $2 AND held_until <= $3)",
        account,
        slot,
        now
    )
    .execute(&mut *database)
    .instrument(span("DELETE interview"))
    .await?;
    let id = Uuid::now_v7();
    let inserted = sqlx::query!(
        "INSERT INTO interview (id, slot, account, state, held_until, replaces, calendar_id, calendar_sequence) \
         VALUES ($1, $2, $3, 'held', $4, $5, $1, 0) \
         ON CONFLICT (slot) WHERE state IN ('held', 'booked') DO NOTHING",
        id,
        slot,
        account,
        held_until,
        replaces
    )
    .execute(database)
    .instrument(span("INSERT interview"))
    .await?;
    if inserted.rows_affected() == 0 {
        return Err(Error::SlotTaken);
    }
    Ok(Hold { slot: wanted, held_until, replaces })
}

/// Releases the account's hold of a slot. Idempotent.
pub(crate) async fn release(database: &mut PgConnection, account: Uuid, slot: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM interview WHERE account = $1 AND slot = $2 AND state = 'held'", account, slot)
        .execute(database)
        .instrument(span("DELETE interview"))
        .await?;
    Ok(())
}

/// Checks whether the account may book a slot. The caller holds the account's lock.
///
/// # Errors
///
/// [`Error::BookingPaused`], [`Error::NotFound`] or [`Error::InterviewFixed`] for the interview that is replaced,
/// [`Error::InterviewLimit`], [`Error::InterviewOverlap`].
async fn check_booking(
    database: &mut PgConnection,
    account: Uuid,
    wanted: &Slot,
    replaces: Option<Uuid>,
    now: OffsetDateTime,
) -> Result<(), Error> {
    if find_pause(database, account, now).await?.is_some() {
        return Err(Error::BookingPaused);
    }
    let upcoming = sqlx::query!(
        "SELECT interview.id, starts_at, ends_at FROM interview JOIN interview_slot ON interview_slot.id = slot \
         WHERE account = $1 AND state = 'booked' AND ends_at > $2",
        account,
        now
    )
    .fetch_all(database)
    .instrument(span("SELECT interview"))
    .await?;
    if let Some(id) = replaces {
        let before = upcoming.iter().find(|other| other.id == id).ok_or(Error::NotFound)?;
        if !is_early(before.starts_at, now) {
            return Err(Error::InterviewFixed);
        }
    }
    let mut others = upcoming.iter().filter(|other| Some(other.id) != replaces);
    if others.clone().count() >= UPCOMING_LIMIT as usize {
        return Err(Error::InterviewLimit);
    }
    if others.any(|other| other.starts_at < wanted.ends_at && wanted.starts_at < other.ends_at) {
        return Err(Error::InterviewOverlap);
    }
    Ok(())
}

/// A booking that was made.
pub(crate) struct Booking {
    pub(crate) id: Uuid,
    pub(crate) slot: Slot,
    /// Whether it replaced another interview.
    pub(crate) is_change: bool,
}

/// Books the slot that the account holds, and cancels the interview that it replaces. Requires a transaction.
///
/// # Errors
///
/// [`Error::HoldExpired`] without a hold of the slot, [`Error::NotFound`] if the account was erased, and those of
/// [`check_booking`].
pub(crate) async fn book(
    database: &mut PgConnection,
    account: Uuid,
    slot: Uuid,
    participant: &LearnerContact,
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<Booking, Error> {
    learner_contact::lock(database, account).await?;
    learner_contact::save(database, account, participant, encryptor).await?;
    let hold = find_hold(database, account, now).await?.filter(|hold| hold.slot.id == slot);
    let Hold { slot, replaces, .. } = hold.ok_or(Error::HoldExpired)?;
    check_booking(database, account, &slot, replaces, now).await?;
    let before = match replaces {
        None => None,
        Some(id) => cancel_row(database, id, now).await?,
    };
    let booked = sqlx::query_scalar!(
        "UPDATE interview SET state = 'booked', held_until = NULL, booked_at = $3, \
            calendar_id = coalesce($4, calendar_id), calendar_sequence = $5 \
         WHERE slot = $1 AND account = $2 AND state = 'held' AND held_until > $3 RETURNING id",
        slot.id,
        account,
        now,
        before.map(|(calendar_id, _)| calendar_id),
        before.map_or(0, |(_, sequence)| sequence + 1)
    )
    .fetch_optional(database)
    .instrument(span("UPDATE interview"))
    .await?;
    let id = booked.ok_or(Error::HoldExpired)?;
    Ok(Booking { id, slot, is_change: before.is_some() })
}

/// Deletes at most `limit` expired holds. Returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM interview WHERE id IN (SELECT id FROM interview WHERE state = 'held' AND held_until <= $1 LIMIT $2 \
            FOR UPDATE SKIP LOCKED)",
        now,
        limit
    )
    .execute(database)
    .instrument(span("DELETE interview"))
    .await?;
    Ok(deleted.rows_affected())
}
