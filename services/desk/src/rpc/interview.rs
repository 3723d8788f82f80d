//! `desk.v1.InterviewService`.

use kit::caller::{Caller, CallerOf as _};
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use kit_content::date_time::{find_monday, parse_date};
use kit_db::idempotency::{self, Attempt, IdempotencyKey, IdempotentRequest};
use prost::Message as _;
use proto::desk as wire;
use proto::desk::interview_service_server::InterviewService;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Desk, commit, parse_id};
use crate::account_age;
use crate::email::interview::{Guardian, Occasion, write_interview, write_interview_to_guardian};
use crate::error::Error;
use crate::interview::booking::{self, Hold};
use crate::interview::slot::{self, Slot};
use crate::interview::{self, Interview, Kind, UPCOMING_LIMIT};
use crate::japan_time::{date_in_japan, midnight_in_japan};
use crate::learner_contact::{self, LearnerContact};

/// A listed week is at most this far from today.
const FARTHEST: Duration = Duration::days(366);

#[tonic::async_trait]
impl InterviewService for Desk {
    async fn list_interview_kinds(
        &self,
        request: Request<wire::ListInterviewKindsRequest>,
    ) -> Result<Response<wire::ListInterviewKindsResponse>, Status> {
        let account = request.caller()?.learner_or_child()?;
        let mut connection = self.acquire().await?;
        let mut kinds = Vec::new();
        for kind in Kind::ALL {
            let free = slot::count_free(&mut connection, kind, account, self.clock.now()).await;
            kinds.push(wire::InterviewKind {
                id: kind.id().into(),
                name: kind.name().to_owned(),
                free_slots: free.map_err(Error::from)?,
            });
        }
        Ok(Response::new(wire::ListInterviewKindsResponse { kinds }))
    }

    async fn list_interview_slots(
        &self,
        request: Request<wire::ListInterviewSlotsRequest>,
    ) -> Result<Response<wire::ListInterviewSlotsResponse>, Status> {
        let account = request.caller()?.learner_or_child()?;
        let request = request.into_inner();
        let kind = Kind::from_id(request.kind_id).ok_or(Error::NotFound)?;
        Ok(Response::new(self.list_slots(account, kind, &request.day).await?))
    }

    async fn hold_interview_slot(
        &self,
        request: Request<wire::HoldInterviewSlotRequest>,
    ) -> Result<Response<wire::HoldInterviewSlotResponse>, Status> {
        let account = request.caller()?.learner_or_child()?;
        let request = request.into_inner();
        let slot = parse_id(&request.slot_id)?;
        let replaces = request.replaces.as_deref().map(parse_id).transpose()?;
        let mut transaction = self.pool.begin().await.map_err(Error::from)?;
        let hold = booking::hold(&mut transaction, account, slot, replaces, self.clock.now()).await?;
        commit(transaction).await?;
        Ok(Response::new(wire::HoldInterviewSlotResponse { hold: Some(encode_hold(hold)) }))
    }

    async fn release_interview_slot(
        &self,
        request: Request<wire::ReleaseInterviewSlotRequest>,
    ) -> Result<Response<wire::ReleaseInterviewSlotResponse>, Status> {
        let account = request.caller()?.learner_or_child()?;
        let slot = parse_id(&request.into_inner().slot_id)?;
        let mut connection = self.acquire().await?;
        booking::release(&mut connection, account, slot).await.map_err(Error::from)?;
        Ok(Response::new(wire::ReleaseInterviewSlotResponse {}))
    }

    async fn book_interview(
        &self,
        request: Request<wire::BookInterviewRequest>,
    ) -> Result<Response<wire::BookInterviewResponse>, Status> {
        let caller = request.caller()?;
        let account = caller.learner_or_child()?;
        let request = request.into_inner();
        let guardian = parse_guardian(&caller, request.guardian.clone())?;
        Ok(Response::new(self.book_slot(account, guardian.as_ref(), request).await?))
    }

    async fn cancel_interview(
        &self,
        request: Request<wire::CancelInterviewRequest>,
    ) -> Result<Response<wire::CancelInterviewResponse>, Status> {
        let caller = request.caller()?;
        let account = caller.learner_or_child()?;
        let request = request.into_inner();
        let id = parse_id(&request.id)?;
        let guardian = parse_guardian(&caller, request.guardian)?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await.map_err(Error::from)?;
        let cancelled =
            interview::cancel(&mut transaction, account, id, &self.interview_encryptor, now).await?;
        if let Some(slot) = cancelled {
            self.add_interview_mails(
                &mut transaction,
                account,
                guardian.as_ref(),
                &slot,
                Occasion::Cancelled,
                now,
            )
            .await?;
        }
        commit(transaction).await?;
        self.wake.wake();
        Ok(Response::new(wire::CancelInterviewResponse {}))
    }

    async fn list_interviews(
        &self,
        request: Request<wire::ListInterviewsRequest>,
    ) -> Result<Response<wire::ListInterviewsResponse>, Status> {
        let caller = request.caller()?;
        let (account, reader) = (caller.learner_or_child()?, Reader::from_caller(&caller));
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let (upcoming, past) =
            interview::list_own(&mut connection, account, &self.interview_encryptor, now).await?;
        let pause = interview::find_pause(&mut connection, account, now).await.map_err(Error::from)?;
        let encode_all =
            |list: Vec<Interview>| list.into_iter().map(|one| encode(one, reader, now)).collect();
        Ok(Response::new(wire::ListInterviewsResponse {
            upcoming: encode_all(upcoming),
            past: encode_all(past),
            upcoming_limit: UPCOMING_LIMIT,
            paused_until: pause.map(to_timestamp),
        }))
    }

    async fn get_interview(
        &self,
        request: Request<wire::GetInterviewRequest>,
    ) -> Result<Response<wire::GetInterviewResponse>, Status> {
        let caller = request.caller()?;
        let (account, reader) = (caller.learner_or_child()?, Reader::from_caller(&caller));
        let id = parse_id(&request.into_inner().id)?;
        let mut connection = self.acquire().await?;
        let found = interview::find(&mut connection, account, id, &self.interview_encryptor).await?;
        let interview = encode(found.ok_or(Error::NotFound)?, reader, self.clock.now());
        Ok(Response::new(wire::GetInterviewResponse { interview: Some(interview) }))
    }

    async fn export_interviews(
        &self,
        request: Request<wire::ExportInterviewsRequest>,
    ) -> Result<Response<wire::ExportInterviewsResponse>, Status> {
        let account = request.caller()?.account()?;
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let all = interview::list_all(&mut connection, account, &self.interview_encryptor).await?;
        let interviews = all.into_iter().map(|one| encode(one, Reader::Learner, now)).collect();
        Ok(Response::new(wire::ExportInterviewsResponse { interviews }))
    }
}

impl Desk {
    async fn list_slots(
        &self,
        account: Uuid,
        kind: Kind,
        day: &str,
    ) -> Result<wire::ListInterviewSlotsResponse, Error> {
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let today = date_in_japan(now);
        let day = if day.is_empty() {
            let first = slot::find_next(&mut connection, kind, now, account, now).await?;
            first.map_or(today, date_in_japan)
        } else {
            parse_day(day, today)?
        };
        let monday = find_monday(day);
        let slots = slot::list_week(&mut connection, kind, monday, account, now).await?;
        let next = midnight_in_japan(monday) + Duration::WEEK;
        let later = slot::find_next(&mut connection, kind, next, account, now).await?;
        let hold = booking::find_hold(&mut connection, account, now).await?;
        Ok(wire::ListInterviewSlotsResponse {
            kind_name: kind.name().to_owned(),
            monday: monday.to_string(),
            slots: slots.into_iter().map(encode_slot).collect(),
            has_previous: monday > find_monday(today),
            has_next: later.is_some(),
            hold: hold.map(encode_hold),
        })
    }

    async fn book_slot(
        &self,
        account: Uuid,
        guardian: Option<&Guardian>,
        request: wire::BookInterviewRequest,
    ) -> Result<wire::BookInterviewResponse, Error> {
        let key = IdempotencyKey::parse(&request.idempotency_key)?;
        let slot = parse_id(&request.slot_id)?;
        let participant = parse_participant(request.participant.clone())?;
        let birth_date = request.participant.as_ref().and_then(|person| person.birth_date.clone());
        // Without the names and addresses, which may have changed when the request is repeated.
        let body = wire::BookInterviewRequest { participant: None, guardian: None, ..request.clone() };
        let scope = format!("interview {account}");
        let request = IdempotentRequest::new(&self.keyed_hash, &scope, key, &body.encode_to_vec());
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let claim = match idempotency::claim(&mut transaction, &request, now).await? {
            Attempt::Answered(answer) => return Ok(answer),
            Attempt::First(claim) => claim,
        };
        let encryptor = &self.question_encryptor;
        let booked = booking::book(&mut transaction, account, slot, &participant, encryptor, now).await?;
        account_age::save_text(&mut transaction, account, birth_date.as_deref(), now).await?;
        let occasion = if booked.is_change { Occasion::Changed } else { Occasion::Booked };
        self.add_interview_mails(&mut transaction, account, guardian, &booked.slot, occasion, now).await?;
        let answer = wire::BookInterviewResponse { id: booked.id.to_string() };
        claim.store(&mut transaction, &answer).await?;
        commit(transaction).await?;
        self.wake.wake();
        Ok(answer)
    }

    /// Queues the mails about an interview: to the address of the learner's last booking, and to the guardian who acts for
    /// the learner.
    async fn add_interview_mails(
        &self,
        database: &mut PgConnection,
        account: Uuid,
        guardian: Option<&Guardian>,
        slot: &Slot,
        occasion: Occasion,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        let to = learner_contact::find(database, account, &self.question_encryptor).await?;
        let Some(to) = to else { return Ok(()) };
        let email = write_interview(account, &to, slot, occasion, guardian);
        self.notifier.send_always(database, &email, now).await?;
        if let Some(guardian) = guardian {
            let email = write_interview_to_guardian(guardian, account, &to.name, slot, occasion);
            self.notifier.send_always(database, &email, now).await?;
        }
        Ok(())
    }
}

/// Who reads an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    Learner,
    /// Gets the join address and the teacher's notes of 三者面談 only.
    Guardian,
}

impl Reader {
    fn from_caller(caller: &Caller) -> Self {
        if caller.guardian_of().is_ok() { Self::Guardian } else { Self::Learner }
    }

    /// Whether the reader takes part in interviews of a kind.
    fn takes_part(self, kind: i16) -> bool {
        self == Self::Learner || kind == Kind::Parents.id()
    }
}

fn parse_day(text: &str, today: Date) -> Result<Date, Error> {
    let day = parse_date(text).map_err(|_| FieldError::new("day", "INVALID_FORMAT"))?;
    if (day - today).abs() > FARTHEST {
        return Err(FieldError::new("day", "OUT_OF_RANGE").into());
    }
    Ok(day)
}

fn parse_participant(participant: Option<wire::InterviewParticipant>) -> Result<LearnerContact, Error> {
    let contact = participant.and_then(|person| LearnerContact::new(person.name, person.email));
    contact.ok_or(Error::Field(FieldError::new("participant", "REQUIRED")))
}

/// The guardian who acts for the learner. `None` if the learner calls.
fn parse_guardian(
    caller: &Caller,
    guardian: Option<wire::InterviewParticipant>,
) -> Result<Option<Guardian>, Error> {
    let Ok(both) = caller.guardian_of() else { return Ok(None) };
    let contact = guardian.and_then(|person| LearnerContact::new(person.name, person.email));
    let contact = contact.ok_or(Error::Field(FieldError::new("guardian", "REQUIRED")))?;
    Ok(Some(Guardian { account: both.guardian, contact }))
}

fn encode_slot(slot: Slot) -> wire::InterviewSlot {
    wire::InterviewSlot {
        id: slot.id.to_string(),
        starts_at: Some(to_timestamp(slot.starts_at)),
        ends_at: Some(to_timestamp(slot.ends_at)),
        teacher: slot.teacher,
    }
}

fn encode_hold(hold: Hold) -> wire::InterviewHold {
    wire::InterviewHold {
        kind_id: hold.slot.kind.into(),
        slot: Some(encode_slot(hold.slot)),
        held_until: Some(to_timestamp(hold.held_until)),
        replaces: hold.replaces.map(|id| id.to_string()),
    }
}

fn encode(interview: Interview, reader: Reader, now: OffsetDateTime) -> wire::Interview {
    let takes_part = reader.takes_part(interview.slot.kind);
    wire::Interview {
        id: interview.id.to_string(),
        kind_id: interview.slot.kind.into(),
        kind_name: Kind::name_of(interview.slot.kind).to_owned(),
        can_cancel: interview.can_cancel(now),
        join_url: interview.join_url(now).filter(|_| takes_part).map(str::to_owned),
        starts_at: Some(to_timestamp(interview.slot.starts_at)),
        ends_at: Some(to_timestamp(interview.slot.ends_at)),
        teacher: interview.slot.teacher,
        is_cancelled: interview.is_cancelled,
        is_missed: interview.is_missed,
        feedback: interview.feedback.filter(|_| takes_part).unwrap_or_default(),
        calendar_id: interview.calendar_id.to_string(),
        calendar_sequence: interview.calendar_sequence.unsigned_abs(),
    }
}
