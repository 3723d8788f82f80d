//! Places and the waiting list of an event.
//!
//! Every change locks the event's row first, so that changes of one event follow each other on all replicas. `taken`
//! counts the entries with a place or an offer. Each change first ends expired offers and offers free places to the
//! waiting list, in its order. Therefore until the start, a free place means an empty waiting list, and a new entry never
//! gets a place before an older one.

use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::State;
use super::contact::Contact;
use super::mailer::{Addressee, EventMailer};
use crate::email::school_event::{EventFacts, News};
use crate::error::Error;
use crate::{account_age, learner_contact, notification};

/// How long an offer is valid, but not beyond the start.
const OFFER: Duration = Duration::DAY;

/// An event whose row is locked until the transaction ends.
pub(crate) struct LockedEvent {
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) place: String,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) ends_at: OffsetDateTime,
    sign_up_until: OffsetDateTime,
    capacity: i32,
    taken: i32,
}

impl LockedEvent {
    pub(super) fn facts(&self) -> EventFacts<'_> {
        EventFacts {
            id: self.id,
            title: &self.title,
            place: &self.place,
            starts_at: self.starts_at,
            ends_at: self.ends_at,
        }
    }
}

/// A participant to sign up.
pub(crate) struct Booking {
    pub(crate) event: i64,
    /// The participant.
    pub(crate) account: Uuid,
    /// The participant, or a guardian.
    pub(crate) booked_by: Uuid,
    /// Of the person who booked; `None` if it is not known.
    pub(crate) birth_date: Option<Date>,
    pub(crate) contact: Contact,
}

/// An entry of a locked event.
pub(super) struct LockedEntry {
    pub(super) id: Uuid,
    pub(super) booked_by: Uuid,
    pub(super) state: State,
    pub(super) sealed: Option<Vec<u8>>,
}

impl LockedEntry {
    pub(super) fn addressee(&self) -> Addressee<'_> {
        Addressee { entry: self.id, booked_by: self.booked_by, sealed: self.sealed.as_deref() }
    }
}

/// Locks an event.
pub(super) async fn lock(database: &mut PgConnection, id: i64) -> Result<LockedEvent, Error> {
    let event = sqlx::query_as!(
        LockedEvent,
        "SELECT id, title, place, starts_at, ends_at, sign_up_until, capacity, taken FROM school_event WHERE id = $1 \
         FOR UPDATE",
        id
    )
    .fetch_optional(database)
    .instrument(span("SELECT school_event"))
    .await?;
    event.ok_or(Error::NotFound)
}

/// Stores the number of taken places.
pub(super) async fn store_taken(database: &mut PgConnection, event: &LockedEvent) -> sqlx::Result<()> {
    sqlx::query!("UPDATE school_event SET taken = $2 WHERE id = $1", event.id, event.taken)
        .execute(database)
        .instrument(span("UPDATE school_event"))
        .await?;
    Ok(())
}

/// Signs a participant up, or puts them at the end of the waiting list. Changes nothing if they have an entry. Requires a
/// transaction.
///
/// # Errors
///
/// [`Error::NotFound`] for an unknown event or an erased account, [`Error::SignUpClosed`] after the deadline.
pub(crate) async fn sign_up(
    database: &mut PgConnection,
    booking: &Booking,
    mailer: &EventMailer,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let (account, booked_by) = (booking.account, booking.booked_by);
    // In one order, because two people may sign each other up.
    let mut accounts = vec![account, booked_by];
    accounts.sort_unstable();
    accounts.dedup();
    for id in accounts {
        learner_contact::lock(database, id).await?;
        if erased_account::contains(database, id).await? {
            return Err(Error::NotFound);
        }
    }
    if let Some(birth) = booking.birth_date {
        account_age::save(database, booked_by, birth, now).await?;
    }
    let mut event = lock(database, booking.event).await?;
    settle(database, &mut event, mailer, now).await?;
    if has_entry(database, event.id, account).await? {
        return store_taken(database, &event).await.map_err(Error::from);
    }
    if now >= event.sign_up_until {
        return Err(Error::SignUpClosed);
    }
    let is_seated = event.taken < event.capacity;
    let state = if is_seated { State::SignedUp } else { State::Waiting };
    event.taken += i32::from(is_seated);
    store_taken(database, &event).await?;
    let id = Uuid::now_v7();
    let sealed = mailer.seal(&booking.contact, id)?;
    sqlx::query!(
        "INSERT INTO school_event_entry (id, event, account, booked_by, state, created_at, changed_at, sealed) \
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7)",
        id,
        event.id,
        account,
        booked_by,
        state.name(),
        now,
        sealed
    )
    .execute(&mut *database)
    .instrument(span("INSERT school_event_entry"))
    .await?;
    let news =
        if is_seated { News::SignedUp } else { News::Waiting(count_waiting(database, event.id).await?) };
    mailer
        .send(database, &event.facts(), &Addressee { entry: id, booked_by, sealed: Some(&sealed) }, news, now)
        .await?;
    Ok(())
}

async fn has_entry(database: &mut PgConnection, event: i64, account: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM school_event_entry WHERE event = $1 AND account = $2
            AND state IN ('signed_up', 'waiting', 'offered')) AS "has_entry!""#,
        event,
        account
    )
    .fetch_one(database)
    .instrument(span("SELECT school_event_entry"))
    .await
}

async fn count_waiting(database: &mut PgConnection, event: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM school_event_entry WHERE event = $1 AND state = 'waiting'"#,
        event
    )
    .fetch_one(database)
    .instrument(span("SELECT school_event_entry"))
    .await
}

/// Accepts the offer of a place and returns the event's id. Idempotent. Requires a transaction.
///
/// # Errors
///
/// [`Error::NotFound`] for an entry of other people, [`Error::OfferEnded`] without a valid offer.
pub(crate) async fn accept(
    database: &mut PgConnection,
    (id, person): (Uuid, Uuid),
    mailer: &EventMailer,
    now: OffsetDateTime,
) -> Result<i64, Error> {
    let (event, entry) = lock_entry(database, (id, person), mailer, now).await?;
    store_taken(database, &event).await?;
    match entry.state {
        State::SignedUp => {}
        State::Offered => {
            sqlx::query!(
                "UPDATE school_event_entry SET state = 'signed_up', offer_until = NULL, changed_at = $2 WHERE id = $1",
                id,
                now
            )
            .execute(&mut *database)
            .instrument(span("UPDATE school_event_entry"))
            .await?;
            notification::withdraw(database, &[id]).await?;
            mailer.send(database, &event.facts(), &entry.addressee(), News::SignedUp, now).await?;
        }
        State::Waiting | State::Cancelled | State::Lapsed => return Err(Error::OfferEnded),
    }
    Ok(event.id)
}

/// Gives up a place, an offer or a position, and returns the event's id. A free place is offered to the next. Idempotent.
/// Requires a transaction.
///
/// # Errors
///
/// [`Error::NotFound`] for an entry of other people, [`Error::EventStarted`] from the start of the event.
pub(crate) async fn cancel(
    database: &mut PgConnection,
    (id, person): (Uuid, Uuid),
    mailer: &EventMailer,
    now: OffsetDateTime,
) -> Result<i64, Error> {
    let (mut event, entry) = lock_entry(database, (id, person), mailer, now).await?;
    if now >= event.starts_at {
        return Err(Error::EventStarted);
    }
    if !entry.state.is_over() {
        end(database, &entry, State::Cancelled, now).await?;
        event.taken -= i32::from(entry.state.holds_place());
        mailer.send(database, &event.facts(), &entry.addressee(), News::Cancelled, now).await?;
        offer_places(database, &mut event, mailer, now).await?;
    }
    store_taken(database, &event).await?;
    Ok(event.id)
}

/// Locks the event of an entry, settles it, and returns both.
async fn lock_entry(
    database: &mut PgConnection,
    (id, person): (Uuid, Uuid),
    mailer: &EventMailer,
    now: OffsetDateTime,
) -> Result<(LockedEvent, LockedEntry), Error> {
    let event = sqlx::query_scalar!(
        "SELECT event FROM school_event_entry WHERE id = $1 AND (account = $2 OR booked_by = $2)",
        id,
        person
    )
    .fetch_optional(&mut *database)
    .instrument(span("SELECT school_event_entry"))
    .await?;
    let mut event = lock(database, event.ok_or(Error::NotFound)?).await?;
    settle(database, &mut event, mailer, now).await?;
    let entry = sqlx::query_as!(
        LockedEntry,
        r#"SELECT id, booked_by, state AS "state: String", sealed FROM school_event_entry WHERE id = $1"#,
        id
    )
    .fetch_optional(database)
    .instrument(span("SELECT school_event_entry"))
    .await?;
    Ok((event, entry.ok_or(Error::NotFound)?))
}

/// Ends expired offers, and offers free places.
pub(super) async fn settle(
    database: &mut PgConnection,
    event: &mut LockedEvent,
    mailer: &EventMailer,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let expired = sqlx::query_as!(
        LockedEntry,
        r#"SELECT id, booked_by, state AS "state: String", sealed FROM school_event_entry
        WHERE event = $1 AND state = 'offered' AND offer_until <= $2 ORDER BY queue"#,
        event.id,
        now
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT school_event_entry"))
    .await?;
    for entry in expired {
        end(database, &entry, State::Lapsed, now).await?;
        event.taken -= 1;
        mailer.send(database, &event.facts(), &entry.addressee(), News::OfferLapsed, now).await?;
    }
    offer_places(database, event, mailer, now).await
}

/// Offers free places to the first who wait, until the start.
async fn offer_places(
    database: &mut PgConnection,
    event: &mut LockedEvent,
    mailer: &EventMailer,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let free = event.capacity - event.taken;
    if free <= 0 || now >= event.starts_at {
        return Ok(());
    }
    let first = sqlx::query_as!(
        LockedEntry,
        r#"SELECT id, booked_by, state AS "state: String", sealed FROM school_event_entry
        WHERE event = $1 AND state = 'waiting' ORDER BY queue LIMIT $2"#,
        event.id,
        i64::from(free)
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT school_event_entry"))
    .await?;
    let until = event.starts_at.min(now + OFFER);
    for entry in first {
        sqlx::query!(
            "UPDATE school_event_entry SET state = 'offered', offer_until = $2, changed_at = $3 WHERE id = $1",
            entry.id,
            until,
            now
        )
        .execute(&mut *database)
        .instrument(span("UPDATE school_event_entry"))
        .await?;
        event.taken += 1;
        mailer.send(database, &event.facts(), &entry.addressee(), News::Offered(until), now).await?;
    }
    Ok(())
}

/// Ends an entry. Its contact is forgotten, and what was not sent yet is withdrawn.
async fn end(
    database: &mut PgConnection,
    entry: &LockedEntry,
    state: State,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE school_event_entry SET state = $2, offer_until = NULL, changed_at = $3, sealed = NULL, reminder = NULL \
         WHERE id = $1",
        entry.id,
        state.name(),
        now
    )
    .execute(&mut *database)
    .instrument(span("UPDATE school_event_entry"))
    .await?;
    notification::withdraw(database, &[entry.id]).await
}
