//! `desk.v1.AppointmentService`: what a learner has ahead, for the learner and linked guardians.

use kit::caller::CallerOf as _;
use kit::timestamp::to_timestamp;
use proto::desk as wire;
use proto::desk::appointment_service_server::AppointmentService;
use tonic::{Request, Response, Status};

use super::Desk;
use crate::error::Error;
use crate::interview::{self, Interview, Kind};
use crate::school_event::{self, SchoolEvent, State};

#[tonic::async_trait]
impl AppointmentService for Desk {
    async fn list_appointments(
        &self,
        request: Request<wire::ListAppointmentsRequest>,
    ) -> Result<Response<wire::ListAppointmentsResponse>, Status> {
        let learner = request.caller()?.learner_or_child()?;
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let (interviews, _) =
            interview::list_own(&mut connection, learner, &self.interview_encryptor, now).await?;
        let events = school_event::list(&mut connection, None, learner, now).await.map_err(Error::from)?;
        let mut entered: Vec<_> = events
            .into_iter()
            .filter(|event| event.ends_at > now)
            .filter_map(|event| {
                // Not the entries of people whom the learner signed up.
                let state = event.entries.iter().find(|entry| entry.account == learner)?.state;
                (!state.is_over()).then_some((event, state))
            })
            .collect();
        entered.sort_by_key(|(event, _)| (event.starts_at, event.id));
        Ok(Response::new(wire::ListAppointmentsResponse {
            interviews: interviews.into_iter().map(encode_interview).collect(),
            events: entered.into_iter().map(|(event, state)| encode_event(event, state)).collect(),
        }))
    }
}

fn encode_interview(interview: Interview) -> wire::BookedInterview {
    wire::BookedInterview {
        kind_name: Kind::name_of(interview.slot.kind).to_owned(),
        teacher: interview.slot.teacher,
        starts_at: Some(to_timestamp(interview.slot.starts_at)),
        ends_at: Some(to_timestamp(interview.slot.ends_at)),
    }
}

fn encode_event(event: SchoolEvent, state: State) -> wire::EnteredEvent {
    wire::EnteredEvent {
        event_id: event.id,
        title: event.title,
        place: event.place,
        starts_at: Some(to_timestamp(event.starts_at)),
        ends_at: Some(to_timestamp(event.ends_at)),
        has_place: state == State::SignedUp,
    }
}
