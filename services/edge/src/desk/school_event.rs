//! Events of the school: reading, signing up for oneself or a linked child, and the waiting list.

use axum::extract::State;
use axum::response::Response;
use proto::{auth, desk};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::incomplete;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Empty, Fields, Form, Id, JsonBody, Key};
use crate::own_account::{find_own_account, full_name};
use crate::session::{Caller, Relative};
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// The state of an entry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum EventEntryState {
    /// With a place.
    SignedUp,
    Waiting,
    /// A place is held until `offer_until`.
    Offered,
    Cancelled,
    /// An offer was not accepted in time.
    Lapsed,
}

impl EventEntryState {
    fn new(state: desk::EntryState) -> Result<Self, Error> {
        match state {
            desk::EntryState::SignedUp => Ok(Self::SignedUp),
            desk::EntryState::Waiting => Ok(Self::Waiting),
            desk::EntryState::Offered => Ok(Self::Offered),
            desk::EntryState::Cancelled => Ok(Self::Cancelled),
            desk::EntryState::Lapsed => Ok(Self::Lapsed),
            desk::EntryState::Unspecified => Err(incomplete("state")),
        }
    }
}

/// The entry of a participant.
#[derive(Serialize, ToSchema)]
pub(crate) struct EventEntry {
    #[schema(format = Uuid)]
    id: String,
    /// Account id of the participant: the caller, or a person whom the caller signed up.
    #[schema(format = Uuid)]
    participant: String,
    state: EventEntryState,
    /// Position in the waiting list, from 1; null in other states.
    #[schema(required)]
    position: Option<u32>,
    /// Until when the offer of a place is valid; null in other states.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    offer_until: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339")]
    created_at: OffsetDateTime,
    /// The last change of the state.
    #[serde(with = "time::serde::rfc3339")]
    changed_at: OffsetDateTime,
}

impl EventEntry {
    fn new(entry: desk::SchoolEventEntry) -> Result<Self, Error> {
        Ok(Self {
            state: EventEntryState::new(entry.state())?,
            id: entry.id,
            participant: entry.account_id,
            position: entry.position,
            offer_until: parse_optional_timestamp(entry.offer_until)?,
            created_at: parse_timestamp(entry.created_at)?,
            changed_at: parse_timestamp(entry.changed_at)?,
        })
    }
}

/// An event as the caller sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct SchoolEvent {
    id: i64,
    title: String,
    /// One or two sentences.
    summary: String,
    /// Paragraphs and lists, separated by empty lines. `## ` starts a heading, `- ` a list item. Links are
    /// `[words](/path or https://…)`.
    description: String,
    /// A place, or オンライン.
    place: String,
    #[serde(with = "time::serde::rfc3339")]
    starts_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    ends_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    sign_up_until: OffsetDateTime,
    capacity: u32,
    /// Places for newcomers: 0 while people wait.
    places_left: u32,
    /// Length of the waiting list.
    waiting: u32,
    /// Whether newcomers are accepted now.
    can_sign_up: bool,
    /// Whether entries can be cancelled now.
    can_cancel: bool,
    /// As `description`; null before the end, without materials, and for those who did not take part.
    #[schema(required)]
    materials: Option<String>,
    /// From 1. The next date of the event is a new round.
    round: u32,
    /// From 0. Grows when the title, the place or the times of this round change.
    revision: u32,
    /// The newest entry of the caller, and of each person whom the caller signed up.
    entries: Vec<EventEntry>,
}

impl SchoolEvent {
    fn new(event: desk::SchoolEvent) -> Result<Self, Error> {
        Ok(Self {
            id: event.id,
            title: event.title,
            summary: event.summary,
            description: event.description,
            place: event.place,
            starts_at: parse_timestamp(event.starts_at)?,
            ends_at: parse_timestamp(event.ends_at)?,
            sign_up_until: parse_timestamp(event.sign_up_until)?,
            capacity: event.capacity,
            places_left: event.places_left,
            waiting: event.waiting,
            can_sign_up: event.can_sign_up,
            can_cancel: event.can_cancel,
            materials: event.materials,
            round: event.round,
            revision: event.revision,
            entries: event.entries.into_iter().map(EventEntry::new).collect::<Result<_, _>>()?,
        })
    }

    fn answer(event: Option<desk::SchoolEvent>) -> Result<Response, Error> {
        Ok(json(&Self::new(event.ok_or_else(|| incomplete("event"))?)?))
    }
}

/// All events.
#[derive(Serialize, ToSchema)]
pub(crate) struct SchoolEvents {
    /// By id.
    results: Vec<SchoolEvent>,
}

/// An entry with its event.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportedEventEntry {
    event: i64,
    title: String,
    #[serde(with = "time::serde::rfc3339")]
    starts_at: OffsetDateTime,
    entry: EventEntry,
}

impl ExportedEventEntry {
    /// Fetches the entries of the caller and of those whom the caller signed up, oldest first.
    pub(crate) async fn fetch(edge: &Edge, caller: &Caller) -> Result<Vec<Self>, Error> {
        let request = desk::ExportSchoolEventEntriesRequest {};
        let stored = edge.school_events(caller).export_school_event_entries(request).await?.into_inner();
        let entries = stored.entries.into_iter().map(|exported| {
            Ok(Self {
                event: exported.event_id,
                title: exported.event_title,
                starts_at: parse_timestamp(exported.starts_at)?,
                entry: EventEntry::new(exported.entry.ok_or_else(|| incomplete("entry"))?)?,
            })
        });
        entries.collect()
    }
}

/// The participant.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventParticipant {
    /// Account id of a linked child of the caller; null: the caller.
    #[schema(required = false, format = Uuid)]
    child: Option<Uuid>,
}

impl Form for EventParticipant {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { child: fields.optional_uuid("child")? })
    }
}

/// Lists the events, with the caller's entries.
#[utoipa::path(
    get,
    path = "/api/desk/event/",
    operation_id = "school_event_list",
    tag = "desk",
    responses((status = 200, description = "The events.", body = SchoolEvents))
)]
pub(crate) async fn list(State(edge): State<Edge>, caller: Caller) -> Result<Response, Error> {
    let request = desk::ListSchoolEventsRequest {};
    let events = edge.school_events(&caller).list_school_events(request).await?.into_inner().events;
    Ok(json(&SchoolEvents { results: events.into_iter().map(SchoolEvent::new).collect::<Result<_, _>>()? }))
}

/// Returns an event with the caller's entries.
#[utoipa::path(
    get,
    path = "/api/desk/event/{id}/",
    operation_id = "school_event",
    tag = "desk",
    params(("id" = i64, Path, description = "Id of the event.", minimum = 1)),
    responses((status = 200, description = "The event.", body = SchoolEvent))
)]
pub(crate) async fn event(State(edge): State<Edge>, caller: Caller, Id(id): Id) -> Result<Response, Error> {
    let request = desk::GetSchoolEventRequest { id };
    SchoolEvent::answer(edge.school_events(&caller).get_school_event(request).await?.into_inner().event)
}

/// Signs the caller or a linked child up. When all places are taken, the entry waits in order.
///
/// A participant who has an entry keeps it, so a repeated request changes nothing. 404 for a child who is not linked. 409
/// `SIGN_UP_CLOSED` after the deadline.
#[utoipa::path(
    post,
    path = "/api/desk/event/{id}/entry/",
    operation_id = "sign_up_for_event",
    tag = "desk",
    params(("id" = i64, Path, description = "Id of the event.", minimum = 1)),
    request_body = EventParticipant,
    responses((status = 200, description = "The event with the entry.", body = SchoolEvent))
)]
pub(crate) async fn sign_up(
    State(edge): State<Edge>,
    relative: Relative,
    Id(id): Id,
    JsonBody(participant): JsonBody<EventParticipant>,
) -> Result<Response, Error> {
    let (contact, child) =
        tokio::try_join!(find_contact(&edge, &relative), find_child(&edge, &relative, participant.child))?;
    let request = desk::SignUpForSchoolEventRequest { event_id: id, contact: Some(contact), child };
    let answer = edge.school_events(&relative).sign_up_for_school_event(request).await?.into_inner();
    SchoolEvent::answer(answer.event)
}

/// Accepts the offer of a place. Idempotent. 409 `OFFER_ENDED` without a valid offer.
#[utoipa::path(
    post,
    path = "/api/desk/event/entry/{id}/accept/",
    operation_id = "accept_event_place",
    tag = "desk",
    params(("id" = uuid::Uuid, Path, description = "Id of the entry.")),
    responses((status = 200, description = "The event with the entry.", body = SchoolEvent))
)]
pub(crate) async fn accept(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
    _: Empty,
) -> Result<Response, Error> {
    let request = desk::AcceptPlaceRequest { entry_id: id.to_string() };
    SchoolEvent::answer(edge.school_events(&relative).accept_place(request).await?.into_inner().event)
}

/// Gives up a place, an offer or a position of the waiting list. Idempotent. 409 `EVENT_STARTED` from the start.
#[utoipa::path(
    delete,
    path = "/api/desk/event/entry/{id}/",
    operation_id = "cancel_event_entry",
    tag = "desk",
    params(("id" = uuid::Uuid, Path, description = "Id of the entry.")),
    responses((status = 200, description = "The event with the entry.", body = SchoolEvent))
)]
pub(crate) async fn cancel(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = desk::CancelEntryRequest { entry_id: id.to_string() };
    SchoolEvent::answer(edge.school_events(&relative).cancel_entry(request).await?.into_inner().event)
}

/// The caller's name and address, for the mails about the entry.
async fn find_contact(edge: &Edge, relative: &Relative) -> Result<desk::EventContact, Error> {
    let user = find_own_account(edge, relative, relative.id()).await?;
    Ok(desk::EventContact { name: full_name(&user), email: user.email, birth_date: user.birth_date })
}

/// The linked child of a guardian.
async fn find_child(
    edge: &Edge,
    relative: &Relative,
    child: Option<Uuid>,
) -> Result<Option<desk::EventChild>, Error> {
    let Some(child) = child.map(|child| child.to_string()) else { return Ok(None) };
    if !relative.is_guardian() {
        return Err(Error::NotFound);
    }
    let request = auth::ListChildrenRequest { user_id: relative.id() };
    let children = edge.guardians(relative).list_children(request).await?.into_inner().children;
    let found = children.into_iter().find(|linked| linked.id == child).ok_or(Error::NotFound)?;
    Ok(Some(desk::EventChild { account_id: found.id, name: found.name }))
}
