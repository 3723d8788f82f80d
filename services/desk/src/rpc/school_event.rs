//! `desk.v1.SchoolEventService`.

use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::desk as wire;
use proto::desk::school_event_service_server::SchoolEventService;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Desk, commit, parse_id};
use crate::account_age::parse_birth_date;
use crate::error::Error;
use crate::school_event::contact::Contact;
use crate::school_event::entry::{self, Booking};
use crate::school_event::stored_entry::{self, StoredEntry};
use crate::school_event::{self, Entry, SchoolEvent, State};

#[tonic::async_trait]
impl SchoolEventService for Desk {
    async fn list_school_events(
        &self,
        request: Request<wire::ListSchoolEventsRequest>,
    ) -> Result<Response<wire::ListSchoolEventsResponse>, Status> {
        let person = request.caller()?.account()?;
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let events = school_event::list(&mut connection, None, person, now).await.map_err(Error::from)?;
        let events = events.into_iter().map(|event| encode(event, now)).collect();
        Ok(Response::new(wire::ListSchoolEventsResponse { events }))
    }

    async fn get_school_event(
        &self,
        request: Request<wire::GetSchoolEventRequest>,
    ) -> Result<Response<wire::GetSchoolEventResponse>, Status> {
        let person = request.caller()?.account()?;
        let mut connection = self.acquire().await?;
        let event = find_event(&mut connection, request.into_inner().id, person, self.clock.now()).await?;
        Ok(Response::new(wire::GetSchoolEventResponse { event: Some(event) }))
    }

    async fn sign_up_for_school_event(
        &self,
        request: Request<wire::SignUpForSchoolEventRequest>,
    ) -> Result<Response<wire::SignUpForSchoolEventResponse>, Status> {
        let caller = request.caller()?;
        let person = caller.account()?;
        let request = request.into_inner();
        if request.child.is_some() {
            caller.guardian()?;
        }
        let booking = parse_booking(person, request)?;
        let event = self.sign_up(&booking).await?;
        Ok(Response::new(wire::SignUpForSchoolEventResponse { event: Some(event) }))
    }

    async fn accept_place(
        &self,
        request: Request<wire::AcceptPlaceRequest>,
    ) -> Result<Response<wire::AcceptPlaceResponse>, Status> {
        let person = request.caller()?.account()?;
        let id = parse_id(&request.into_inner().entry_id)?;
        let event = self.accept_place_of(person, id).await?;
        Ok(Response::new(wire::AcceptPlaceResponse { event: Some(event) }))
    }

    async fn cancel_entry(
        &self,
        request: Request<wire::CancelEntryRequest>,
    ) -> Result<Response<wire::CancelEntryResponse>, Status> {
        let person = request.caller()?.account()?;
        let id = parse_id(&request.into_inner().entry_id)?;
        let event = self.cancel_entry_of(person, id).await?;
        Ok(Response::new(wire::CancelEntryResponse { event: Some(event) }))
    }

    async fn export_school_event_entries(
        &self,
        request: Request<wire::ExportSchoolEventEntriesRequest>,
    ) -> Result<Response<wire::ExportSchoolEventEntriesResponse>, Status> {
        let account = request.caller()?.account()?;
        let mut connection = self.acquire().await?;
        let entries = stored_entry::list_stored(&mut connection, account).await.map_err(Error::from)?;
        let entries = entries.into_iter().map(encode_stored).collect();
        Ok(Response::new(wire::ExportSchoolEventEntriesResponse { entries }))
    }
}

impl Desk {
    async fn sign_up(&self, booking: &Booking) -> Result<wire::SchoolEvent, Error> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        entry::sign_up(&mut transaction, booking, &self.event_mailer, now).await?;
        let event = find_event(&mut transaction, booking.event, booking.booked_by, now).await?;
        commit(transaction).await?;
        self.wake.wake();
        Ok(event)
    }

    async fn accept_place_of(&self, person: Uuid, id: Uuid) -> Result<wire::SchoolEvent, Error> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let event = entry::accept(&mut transaction, (id, person), &self.event_mailer, now).await?;
        let event = find_event(&mut transaction, event, person, now).await?;
        commit(transaction).await?;
        self.wake.wake();
        Ok(event)
    }

    async fn cancel_entry_of(&self, person: Uuid, id: Uuid) -> Result<wire::SchoolEvent, Error> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let event = entry::cancel(&mut transaction, (id, person), &self.event_mailer, now).await?;
        let event = find_event(&mut transaction, event, person, now).await?;
        commit(transaction).await?;
        self.wake.wake();
        Ok(event)
    }
}

async fn find_event(
    database: &mut PgConnection,
    id: i64,
    person: Uuid,
    now: OffsetDateTime,
) -> Result<wire::SchoolEvent, Error> {
    let event = school_event::list(database, Some(id), person, now).await?.pop();
    event.map(|event| encode(event, now)).ok_or(Error::NotFound)
}

fn parse_booking(person: Uuid, request: wire::SignUpForSchoolEventRequest) -> Result<Booking, Error> {
    let is_name = |name: &str| !name.contains('\n');
    let contact = request.contact.filter(|contact| is_name(&contact.name) && is_name(&contact.email));
    let contact = contact.ok_or(Error::Field(FieldError::new("contact", "REQUIRED")))?;
    let (account, participant) = match request.child {
        None => (person, contact.name.clone()),
        Some(child) => (parse_id(&child.account_id)?, child.name),
    };
    Ok(Booking {
        event: request.event_id,
        account,
        booked_by: person,
        birth_date: contact.birth_date.as_deref().and_then(parse_birth_date),
        contact: Contact { name: contact.name, email: contact.email, participant },
    })
}

fn encode(event: SchoolEvent, now: OffsetDateTime) -> wire::SchoolEvent {
    wire::SchoolEvent {
        id: event.id,
        title: event.title,
        summary: event.summary,
        description: event.description,
        place: event.place,
        starts_at: Some(to_timestamp(event.starts_at)),
        ends_at: Some(to_timestamp(event.ends_at)),
        sign_up_until: Some(to_timestamp(event.sign_up_until)),
        capacity: event.capacity.unsigned_abs(),
        places_left: u32::try_from(event.places_left).unwrap_or(0),
        waiting: u32::try_from(event.waiting).unwrap_or(u32::MAX),
        can_sign_up: now < event.sign_up_until,
        can_cancel: now < event.starts_at,
        materials: event.materials,
        round: event.round.unsigned_abs(),
        revision: event.revision.unsigned_abs(),
        entries: event.entries.iter().map(encode_entry).collect(),
    }
}

fn encode_stored(stored: StoredEntry) -> wire::ExportedEntry {
    wire::ExportedEntry {
        event_id: stored.entry.event,
        event_title: stored.title,
        starts_at: Some(to_timestamp(stored.starts_at)),
        entry: Some(encode_entry(&stored.entry)),
    }
}

fn encode_entry(entry: &Entry) -> wire::SchoolEventEntry {
    wire::SchoolEventEntry {
        id: entry.id.to_string(),
        account_id: entry.account.to_string(),
        state: encode_state(entry.state).into(),
        position: entry.position.and_then(|position| u32::try_from(position).ok()),
        offer_until: entry.offer_until.map(to_timestamp),
        created_at: Some(to_timestamp(entry.created_at)),
        changed_at: Some(to_timestamp(entry.changed_at)),
    }
}

fn encode_state(state: State) -> wire::EntryState {
    match state {
        State::SignedUp => wire::EntryState::SignedUp,
        State::Waiting => wire::EntryState::Waiting,
        State::Offered => wire::EntryState::Offered,
        State::Cancelled => wire::EntryState::Cancelled,
        State::Lapsed => wire::EntryState::Lapsed,
    }
}
