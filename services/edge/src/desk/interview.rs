//! The interviews of a learner with teachers.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::desk;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use crate::Edge;
use crate::answer::{json, json_of};
use crate::error::Error;
use crate::input::{Empty, Fields, Form, IdempotencyKey, JsonBody, Key};
use crate::own_account::{find_own_account, full_name};
use crate::session::{Caller, Learner};
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// A booked or cancelled interview.
#[derive(Serialize, ToSchema)]
pub(crate) struct Interview {
    #[schema(format = Uuid)]
    id: String,
    /// 1 学習相談, 3 三者面談.
    kind: i64,
    kind_name: String,
    /// Without 先生.
    teacher: String,
    #[serde(with = "time::serde::rfc3339")]
    starts_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    ends_at: OffsetDateTime,
    is_cancelled: bool,
    /// Whether it can be cancelled or changed now: until 24 hours before the start.
    can_cancel: bool,
    /// Address of the video call, from 10 minutes before the start until the end; else null.
    #[schema(required)]
    join_url: Option<String>,
    /// Whether the learner did not come.
    is_missed: bool,
    /// The teacher's notes after the interview; empty: none yet.
    feedback: String,
    /// UID of the event in calendar files. The interview that replaces another one keeps it.
    #[schema(format = Uuid)]
    calendar_id: String,
    /// SEQUENCE of the event in calendar files.
    calendar_sequence: u32,
}

impl Interview {
    fn new(interview: desk::Interview) -> Result<Self, Error> {
        Ok(Self {
            id: interview.id,
            kind: interview.kind_id,
            kind_name: interview.kind_name,
            teacher: interview.teacher,
            starts_at: parse_timestamp(interview.starts_at)?,
            ends_at: parse_timestamp(interview.ends_at)?,
            is_cancelled: interview.is_cancelled,
            can_cancel: interview.can_cancel,
            join_url: interview.join_url,
            is_missed: interview.is_missed,
            feedback: interview.feedback,
            calendar_id: interview.calendar_id,
            calendar_sequence: interview.calendar_sequence,
        })
    }

    /// Fetches every interview of the caller, oldest first.
    pub(crate) async fn export(edge: &Edge, caller: &Caller) -> Result<Vec<Self>, Error> {
        let request = desk::ExportInterviewsRequest {};
        let stored = edge.interviews(caller).export_interviews(request).await?.into_inner();
        stored.interviews.into_iter().map(Self::new).collect()
    }
}

/// The interviews of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct Interviews {
    /// Soonest first.
    upcoming: Vec<Interview>,
    /// Newest first, at most 50, without cancelled ones.
    past: Vec<Interview>,
    /// Most upcoming interviews.
    upcoming_limit: u32,
    /// Until when booking is paused after two missed interviews; null: not paused.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    paused_until: Option<OffsetDateTime>,
}

/// Lists the caller's interviews.
#[utoipa::path(
    get,
    path = "/api/desk/interview/",
    operation_id = "interview_list",
    tag = "desk",
    responses((status = 200, description = "The interviews.", body = Interviews))
)]
pub(crate) async fn list(State(edge): State<Edge>, learner: Learner) -> Result<Response, Error> {
    let request = desk::ListInterviewsRequest {};
    let found = edge.interviews(&learner).list_interviews(request).await?.into_inner();
    let all = |list: Vec<desk::Interview>| list.into_iter().map(Interview::new).collect::<Result<_, _>>();
    Ok(json(&Interviews {
        upcoming: all(found.upcoming)?,
        past: all(found.past)?,
        upcoming_limit: found.upcoming_limit,
        paused_until: parse_optional_timestamp(found.paused_until)?,
    }))
}

/// Returns an interview of the caller, also a cancelled one.
#[utoipa::path(
    get,
    path = "/api/desk/interview/{id}/",
    operation_id = "interview",
    tag = "desk",
    params(("id" = uuid::Uuid, Path, description = "Id of the interview.")),
    responses((status = 200, description = "The interview.", body = Interview))
)]
pub(crate) async fn interview(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = desk::GetInterviewRequest { id: id.to_string() };
    let found = edge.interviews(&learner).get_interview(request).await?.into_inner().interview;
    Ok(json(&Interview::new(found.ok_or_else(|| incomplete("interview"))?)?))
}

/// The slot to book.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InterviewBooking {
    /// Id of the slot, which the caller holds.
    slot: uuid::Uuid,
}

impl Form for InterviewBooking {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { slot: fields.uuid("slot")? })
    }
}

/// The id of a booked interview.
#[derive(Serialize, ToSchema)]
pub(crate) struct InterviewId {
    #[schema(format = Uuid)]
    id: String,
}

/// Books the slot that the caller holds, and cancels the interview that it replaces, if any.
///
/// 409 `HOLD_EXPIRED` without a hold, `BOOKING_PAUSED`, `INTERVIEW_LIMIT`, `INTERVIEW_OVERLAP`, or `INTERVIEW_FIXED` for the
/// interview to be replaced. The same idempotency key again returns the same interview; with another slot it is 409.
#[utoipa::path(
    post,
    path = "/api/desk/interview/",
    operation_id = "book_interview",
    tag = "desk",
    params(("Idempotency-Key" = String, Header, description = "Idempotency key, chosen by the browser for each booking.", min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9-]+$")),
    request_body = InterviewBooking,
    responses((status = 201, description = "The interview.", body = InterviewId))
)]
pub(crate) async fn book(
    State(edge): State<Edge>,
    learner: Learner,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    JsonBody(booking): JsonBody<InterviewBooking>,
) -> Result<Response, Error> {
    let user = find_own_account(&edge, &learner, learner.id()).await?;
    let name = full_name(&user);
    let participant = desk::InterviewParticipant { name, email: user.email, birth_date: user.birth_date };
    let request = desk::BookInterviewRequest {
        idempotency_key,
        slot_id: booking.slot.to_string(),
        participant: Some(participant),
    };
    let id = edge.interviews(&learner).book_interview(request).await?.into_inner().id;
    Ok(json_of(StatusCode::CREATED, "application/json", &InterviewId { id }))
}

/// Cancels an interview. Idempotent. 409 `INTERVIEW_FIXED` later than 24 hours before the start.
#[utoipa::path(
    delete,
    path = "/api/desk/interview/{id}/",
    operation_id = "cancel_interview",
    tag = "desk",
    params(("id" = uuid::Uuid, Path, description = "Id of the interview.")),
    responses((status = 204, description = "The interview is cancelled."))
)]
pub(crate) async fn cancel(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    _: Empty,
) -> Result<Response, Error> {
    let request = desk::CancelInterviewRequest { id: id.to_string() };
    edge.interviews(&learner).cancel_interview(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
