//! The slots in which interviews are booked.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::desk;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use super::interview_learner::InterviewLearner;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Empty, Fields, Form, Id, JsonBody, Key, Query};
use crate::timestamp::parse_timestamp;

/// A kind of interview.
#[derive(Serialize, ToSchema)]
struct InterviewKind {
    /// 1 学習相談, 3 三者面談.
    id: i64,
    name: String,
    /// Slots that can be booked now.
    free_slots: u32,
}

/// The kinds of interviews that can be booked.
#[derive(Serialize, ToSchema)]
pub(crate) struct InterviewKinds {
    results: Vec<InterviewKind>,
}

/// A time of a teacher.
#[derive(Serialize, ToSchema)]
pub(crate) struct InterviewSlot {
    #[schema(format = Uuid)]
    id: String,
    #[serde(with = "time::serde::rfc3339")]
    starts_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    ends_at: OffsetDateTime,
    /// Without 先生.
    teacher: String,
}

impl InterviewSlot {
    fn new(slot: desk::InterviewSlot) -> Result<Self, Error> {
        Ok(Self {
            id: slot.id,
            starts_at: parse_timestamp(slot.starts_at)?,
            ends_at: parse_timestamp(slot.ends_at)?,
            teacher: slot.teacher,
        })
    }
}

/// The slot that the learner holds.
#[derive(Serialize, ToSchema)]
pub(crate) struct InterviewHold {
    slot: InterviewSlot,
    /// 1 学習相談, 3 三者面談.
    kind: i64,
    #[serde(with = "time::serde::rfc3339")]
    held_until: OffsetDateTime,
    /// The interview that booking the slot cancels; null: none.
    #[schema(required, format = Uuid)]
    replaces: Option<String>,
}

impl InterviewHold {
    fn new(hold: desk::InterviewHold) -> Result<Self, Error> {
        Ok(Self {
            slot: InterviewSlot::new(hold.slot.ok_or_else(|| incomplete("slot"))?)?,
            kind: hold.kind_id,
            held_until: parse_timestamp(hold.held_until)?,
            replaces: hold.replaces,
        })
    }
}

/// The free slots of a week from Monday to Sunday in Tokyo.
#[derive(Serialize, ToSchema)]
pub(crate) struct InterviewWeek {
    kind_name: String,
    #[schema(format = Date)]
    monday: String,
    /// Soonest first. They include the one that the learner holds.
    slots: Vec<InterviewSlot>,
    /// Whether the week is later than the current one.
    has_previous: bool,
    /// Whether a later week has free slots.
    has_next: bool,
    /// Null: none.
    #[schema(required)]
    hold: Option<InterviewHold>,
}

/// Lists the kinds of interviews that can be booked.
#[utoipa::path(
    get,
    path = "/api/desk/interview/kind/",
    operation_id = "interview_kind_list",
    tag = "desk",
    params(("child" = Option<uuid::Uuid>, Query, description = "Account id of the learner, for a linked guardian. Without it: the caller, who is a learner.")),
    responses((status = 200, description = "The kinds, in display order.", body = InterviewKinds))
)]
pub(crate) async fn kinds(State(edge): State<Edge>, learner: InterviewLearner) -> Result<Response, Error> {
    let request = desk::ListInterviewKindsRequest {};
    let kinds = edge.interviews(&learner).list_interview_kinds(request).await?.into_inner().kinds;
    let results = kinds.into_iter().map(|kind| InterviewKind {
        id: kind.id,
        name: kind.name,
        free_slots: kind.free_slots,
    });
    Ok(json(&InterviewKinds { results: results.collect() }))
}

/// Lists the free slots of a week, and the learner's hold. 404 for an unknown kind.
#[utoipa::path(
    get,
    path = "/api/desk/interview/kind/{id}/slot/",
    operation_id = "interview_slot_list",
    tag = "desk",
    params(
        ("id" = i64, Path, description = "Id of the kind.", minimum = 1),
        ("day" = Option<String>, Query, description = "A day of the week in Tokyo, e.g. 2026-12-01. Without it: the week of the first free slot."),
        ("child" = Option<uuid::Uuid>, Query, description = "Account id of the learner, for a linked guardian. Without it: the caller, who is a learner.")
    ),
    responses((status = 200, description = "The week.", body = InterviewWeek))
)]
pub(crate) async fn week(
    State(edge): State<Edge>,
    learner: InterviewLearner,
    Id(kind_id): Id,
    query: Query,
) -> Result<Response, Error> {
    let day = query.text("day")?.unwrap_or_default();
    let request = desk::ListInterviewSlotsRequest { kind_id, day };
    let week = edge.interviews(&learner).list_interview_slots(request).await?.into_inner();
    Ok(json(&InterviewWeek {
        kind_name: week.kind_name,
        monday: week.monday,
        slots: week.slots.into_iter().map(InterviewSlot::new).collect::<Result<_, _>>()?,
        has_previous: week.has_previous,
        has_next: week.has_next,
        hold: week.hold.map(InterviewHold::new).transpose()?,
    }))
}

/// The purpose of a hold.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InterviewHoldRequest {
    /// The interview to cancel by booking the slot; null: none.
    #[schema(required = false)]
    replaces: Option<uuid::Uuid>,
}

impl Form for InterviewHoldRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { replaces: fields.optional_uuid("replaces")? })
    }
}

/// Holds a slot for 5 minutes, instead of the slot that the learner holds. A slot that the learner holds already keeps its
/// time.
///
/// 409 `SLOT_TAKEN`, `SLOT_CLOSED`, `INTERVIEW_LIMIT`, `INTERVIEW_OVERLAP`, `BOOKING_PAUSED`, or `INTERVIEW_FIXED` for the
/// interview to be replaced.
#[utoipa::path(
    put,
    path = "/api/desk/interview/slot/{id}/hold/",
    operation_id = "hold_interview_slot",
    tag = "desk",
    params(
        ("id" = uuid::Uuid, Path, description = "Id of the slot."),
        ("child" = Option<uuid::Uuid>, Query, description = "Account id of the learner, for a linked guardian. Without it: the caller, who is a learner.")
    ),
    request_body = InterviewHoldRequest,
    responses((status = 200, description = "The hold.", body = InterviewHold))
)]
pub(crate) async fn hold(
    State(edge): State<Edge>,
    learner: InterviewLearner,
    Key(id): Key,
    JsonBody(purpose): JsonBody<InterviewHoldRequest>,
) -> Result<Response, Error> {
    let request = desk::HoldInterviewSlotRequest {
        slot_id: id.to_string(),
        replaces: purpose.replaces.map(|id| id.to_string()),
    };
    let hold = edge.interviews(&learner).hold_interview_slot(request).await?.into_inner().hold;
    Ok(json(&InterviewHold::new(hold.ok_or_else(|| incomplete("hold"))?)?))
}

/// Releases the learner's hold of a slot. Idempotent.
#[utoipa::path(
    delete,
    path = "/api/desk/interview/slot/{id}/hold/",
    operation_id = "release_interview_slot",
    tag = "desk",
    params(
        ("id" = uuid::Uuid, Path, description = "Id of the slot."),
        ("child" = Option<uuid::Uuid>, Query, description = "Account id of the learner, for a linked guardian. Without it: the caller, who is a learner.")
    ),
    responses((status = 204, description = "The learner does not hold the slot."))
)]
pub(crate) async fn release(
    State(edge): State<Edge>,
    learner: InterviewLearner,
    Key(id): Key,
    _: Empty,
) -> Result<Response, Error> {
    let request = desk::ReleaseInterviewSlotRequest { slot_id: id.to_string() };
    edge.interviews(&learner).release_interview_slot(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
