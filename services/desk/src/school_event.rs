//! Events of the school: what a person sees of them, and their import. `entry` has the places and the waiting list.

pub(crate) mod contact;
mod due;
pub(crate) mod entry;
pub mod job;
pub(crate) mod mailer;
pub(crate) mod stored_entry;

use kit::Failure;
use kit_content::Difference;
use kit_db::span;
use serde::Serialize;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::notification;

/// An event as authors write it.
#[derive(PartialEq, Serialize)]
pub(crate) struct Content {
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) description: String,
    pub(crate) place: String,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) ends_at: OffsetDateTime,
    pub(crate) sign_up_until: OffsetDateTime,
    pub(crate) capacity: i32,
    /// For participants after the end; empty: none.
    pub(crate) materials: String,
}

/// An event as a person sees it.
pub(crate) struct SchoolEvent {
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) description: String,
    pub(crate) place: String,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) ends_at: OffsetDateTime,
    pub(crate) sign_up_until: OffsetDateTime,
    pub(crate) capacity: i32,
    /// Places for newcomers: 0 while people wait.
    pub(crate) places_left: i32,
    /// Length of the waiting list.
    pub(crate) waiting: i64,
    /// Only after the end, for participants.
    pub(crate) materials: Option<String>,
    pub(crate) round: i32,
    pub(crate) revision: i32,
    /// The newest entry of the person, and of each person whom they signed up.
    pub(crate) entries: Vec<Entry>,
}

/// The state of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// With a place.
    SignedUp,
    Waiting,
    /// A place is held for a while.
    Offered,
    Cancelled,
    /// An offer was not accepted in time.
    Lapsed,
}

impl State {
    const ALL: [Self; 5] = [Self::SignedUp, Self::Waiting, Self::Offered, Self::Cancelled, Self::Lapsed];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::SignedUp => "signed_up",
            Self::Waiting => "waiting",
            Self::Offered => "offered",
            Self::Cancelled => "cancelled",
            Self::Lapsed => "lapsed",
        }
    }

    /// Whether the entry counts as a taken place.
    pub(crate) fn holds_place(self) -> bool {
        matches!(self, Self::SignedUp | Self::Offered)
    }

    /// Whether the entry has ended.
    pub(crate) fn is_over(self) -> bool {
        matches!(self, Self::Cancelled | Self::Lapsed)
    }
}

/// The `CHECK` of the column admits only these names.
impl From<String> for State {
    fn from(name: String) -> Self {
        Self::ALL.into_iter().find(|state| state.name() == name).unwrap_or(Self::Cancelled)
    }
}

/// The entry of a participant.
pub(crate) struct Entry {
    pub(crate) id: Uuid,
    pub(crate) event: i64,
    pub(crate) account: Uuid,
    pub(crate) state: State,
    /// Position in the waiting list, from 1.
    pub(crate) position: Option<i64>,
    pub(crate) offer_until: Option<OffsetDateTime>,
    pub(crate) created_at: OffsetDateTime,
    pub(crate) changed_at: OffsetDateTime,
}

/// Lists the events for a person; with an id, only that one.
pub(crate) async fn list(
    database: &mut PgConnection,
    id: Option<i64>,
    person: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<SchoolEvent>> {
    let rows = sqlx::query!(
        r#"SELECT id, title, summary, description, place, starts_at, ends_at, sign_up_until, capacity, materials, round,
            revision, taken,
            (SELECT count(*)::int FROM school_event_entry AS entry
                WHERE entry.event = school_event.id AND state = 'offered' AND offer_until <= $2) AS "lapsed!",
            (SELECT count(*) FROM school_event_entry AS entry
                WHERE entry.event = school_event.id AND state = 'waiting') AS "waiting!"
        FROM school_event WHERE $1::bigint IS NULL OR id = $1 ORDER BY id"#,
        id,
        now
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT school_event"))
    .await?;
    let mut entries = list_entries(database, id, person, now).await?;
    let events = rows.into_iter().map(|row| {
        let own: Vec<_> = entries.extract_if(.., |entry| entry.event == row.id).collect();
        let took_part = own.iter().any(|entry| entry.state == State::SignedUp);
        let is_shown = took_part && now >= row.ends_at && !row.materials.is_empty();
        SchoolEvent {
            id: row.id,
            title: row.title,
            summary: row.summary,
            description: row.description,
            place: row.place,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            sign_up_until: row.sign_up_until,
            capacity: row.capacity,
            places_left: if row.waiting > 0 { 0 } else { row.capacity - row.taken + row.lapsed },
            waiting: row.waiting,
            materials: is_shown.then_some(row.materials),
            round: row.round,
            revision: row.revision,
            entries: own,
        }
    });
    Ok(events.collect())
}

/// Lists the newest entries of a person and of those whom they signed up. An expired offer has lapsed, whether or not its
/// row says so yet.
async fn list_entries(
    database: &mut PgConnection,
    event: Option<i64>,
    person: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Entry>> {
    sqlx::query_as!(
        Entry,
        r#"SELECT DISTINCT ON (entry.event, entry.account) id, entry.event, account,
            CASE WHEN offer_until <= $3 THEN 'lapsed' ELSE state END AS "state!: String",
            CASE WHEN state = 'waiting' THEN (SELECT count(*) FROM school_event_entry AS ahead
                WHERE ahead.event = entry.event AND ahead.state = 'waiting' AND ahead.queue <= entry.queue)
            END AS position,
            CASE WHEN offer_until > $3 THEN offer_until END AS offer_until, created_at, changed_at
        FROM school_event_entry AS entry
        WHERE (account = $1 OR booked_by = $1) AND ($2::bigint IS NULL OR entry.event = $2)
        ORDER BY entry.event, entry.account, queue DESC"#,
        person,
        event,
        now
    )
    .fetch_all(database)
    .instrument(span("SELECT school_event_entry"))
    .await
}

/// Replaces the stored events by `wanted`. A date that begins after the end of the stored one starts a new round, without
/// the entries of the last one.
///
/// # Errors
///
/// An event has less capacity than taken places, or one with entries is removed before its end.
pub(crate) async fn import_events(
    database: &mut PgConnection,
    wanted: &[Content],
    now: OffsetDateTime,
    difference: &mut Difference,
) -> Result<(), Failure> {
    let before = sqlx::query!(
        "SELECT id, title, summary, description, place, starts_at, ends_at, sign_up_until, capacity, materials, taken \
         FROM school_event ORDER BY id FOR UPDATE"
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT school_event"))
    .await?;
    let before: Vec<(Content, i32)> = before
        .into_iter()
        .map(|row| {
            let content = Content {
                id: row.id,
                title: row.title,
                summary: row.summary,
                description: row.description,
                place: row.place,
                starts_at: row.starts_at,
                ends_at: row.ends_at,
                sign_up_until: row.sign_up_until,
                capacity: row.capacity,
                materials: row.materials,
            };
            (content, row.taken)
        })
        .collect();
    for event in wanted {
        let stored = before.iter().find(|(old, _)| old.id == event.id);
        if !difference.note("event", event.id, &event.title, stored.map(|(old, _)| old), event) {
            continue;
        }
        match stored {
            None => insert_event(database, event).await?,
            Some((old, _)) if old.ends_at <= now && event.starts_at > now => {
                begin_round(database, event).await?;
            }
            Some((_, taken)) if event.capacity < *taken => {
                let (id, capacity) = (event.id, event.capacity);
                return Err(format!(
                    "events.yaml: event {id} has {taken} taken places: its capacity cannot be {capacity}"
                )
                .into());
            }
            Some((old, _)) => change_event(database, old, event).await?,
        }
    }
    for (old, _) in &before {
        if wanted.iter().any(|event| event.id == old.id) {
            continue;
        }
        if old.ends_at > now && has_entries(database, old.id).await? {
            return Err(format!("events.yaml: event {} has entries: keep it until its end", old.id).into());
        }
        difference.gone("event", old.id, &old.title);
        delete_entries(database, old.id).await?;
        sqlx::query!("DELETE FROM school_event WHERE id = $1", old.id)
            .execute(&mut *database)
            .instrument(span("DELETE school_event"))
            .await?;
    }
    Ok(())
}

async fn insert_event(database: &mut PgConnection, event: &Content) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO school_event (id, title, summary, description, place, starts_at, ends_at, sign_up_until, capacity, \
             materials, round, revision, taken) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, 0, 0)",
        event.id,
        event.title,
        event.summary,
        event.description,
        event.place,
        event.starts_at,
        event.ends_at,
        event.sign_up_until,
        event.capacity,
        event.materials
    )
    .execute(database)
    .instrument(span("INSERT school_event"))
    .await?;
    Ok(())
}

/// Changes an event and keeps its entries. The reminder is sent again if its start has moved.
async fn change_event(database: &mut PgConnection, old: &Content, event: &Content) -> sqlx::Result<()> {
    let has_moved = old.starts_at != event.starts_at;
    let is_revised =
        has_moved || old.ends_at != event.ends_at || old.title != event.title || old.place != event.place;
    update_event(database, event).await?;
    if is_revised {
        sqlx::query!("UPDATE school_event SET revision = revision + 1 WHERE id = $1", event.id)
            .execute(&mut *database)
            .instrument(span("UPDATE school_event"))
            .await?;
    }
    if has_moved {
        let reminded = sqlx::query_scalar!(
            "UPDATE school_event_entry SET reminder = NULL WHERE event = $1 AND reminder IS NOT NULL RETURNING id",
            event.id
        )
        .fetch_all(&mut *database)
        .instrument(span("UPDATE school_event_entry"))
        .await?;
        // A reminder in quiet hours has the old start.
        notification::withdraw(database, &reminded).await?;
    }
    Ok(())
}

/// Starts the next round of an event, without entries.
async fn begin_round(database: &mut PgConnection, event: &Content) -> sqlx::Result<()> {
    delete_entries(database, event.id).await?;
    sqlx::query!(
        "UPDATE school_event SET round = round + 1, revision = 0, taken = 0 WHERE id = $1",
        event.id
    )
    .execute(&mut *database)
    .instrument(span("UPDATE school_event"))
    .await?;
    update_event(database, event).await
}

/// Stores the content of an event.
async fn update_event(database: &mut PgConnection, event: &Content) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE school_event SET title = $2, summary = $3, description = $4, place = $5, starts_at = $6, ends_at = $7, \
             sign_up_until = $8, capacity = $9, materials = $10 WHERE id = $1",
        event.id,
        event.title,
        event.summary,
        event.description,
        event.place,
        event.starts_at,
        event.ends_at,
        event.sign_up_until,
        event.capacity,
        event.materials
    )
    .execute(database)
    .instrument(span("UPDATE school_event"))
    .await?;
    Ok(())
}

async fn has_entries(database: &mut PgConnection, event: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM school_event_entry WHERE event = $1
            AND state IN ('signed_up', 'waiting', 'offered')) AS "has_entries!""#,
        event
    )
    .fetch_one(database)
    .instrument(span("SELECT school_event_entry"))
    .await
}

async fn delete_entries(database: &mut PgConnection, event: i64) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM school_event_entry WHERE event = $1", event)
        .execute(database)
        .instrument(span("DELETE school_event_entry"))
        .await?;
    Ok(())
}
