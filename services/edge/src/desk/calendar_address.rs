//! The secret address of the caller's calendar: making, renewing and ending it.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::desk;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::Edge;
use crate::answer::{json, json_of};
use crate::error::Error;
use crate::input::Empty;
use crate::session::{Caller, OnBehalf, Relative};
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// The end of an address. Some calendar apps accept only such addresses.
pub(crate) const SUFFIX: &str = ".ics";

/// Whether the caller has an address for calendar apps. The address itself is shown only once.
#[derive(Serialize, ToSchema)]
pub(crate) struct CalendarAddress {
    /// When the address was made; null: there is none.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    created_at: Option<OffsetDateTime>,
}

impl CalendarAddress {
    /// Finds out whether the caller has an address.
    pub(crate) async fn fetch(edge: &Edge, caller: &impl OnBehalf) -> Result<Self, Error> {
        let request = desk::GetCalendarAddressRequest {};
        let found = edge.calendar_addresses(caller).get_calendar_address(request).await?.into_inner();
        Ok(Self { created_at: parse_optional_timestamp(found.created_at)? })
    }
}

/// A new address.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewCalendarAddress {
    /// A secret: anyone who has it can read the caller's dates. No later response has it.
    #[schema(format = "uri")]
    url: String,
    #[serde(with = "time::serde::rfc3339")]
    created_at: OffsetDateTime,
}

/// Returns whether the caller has an address for calendar apps.
#[utoipa::path(
    get,
    path = "/api/desk/calendar/",
    operation_id = "calendar_address",
    tag = "desk",
    responses((status = 200, description = "Whether there is an address.", body = CalendarAddress))
)]
pub(crate) async fn address(State(edge): State<Edge>, caller: Caller) -> Result<Response, Error> {
    Ok(json(&CalendarAddress::fetch(&edge, &caller).await?))
}

/// Makes a new address for calendar apps. The old one ends at once.
#[utoipa::path(
    post,
    path = "/api/desk/calendar/",
    operation_id = "make_calendar_address",
    tag = "desk",
    responses((status = 201, description = "The address.", body = NewCalendarAddress))
)]
pub(crate) async fn make(State(edge): State<Edge>, relative: Relative, _: Empty) -> Result<Response, Error> {
    let request = desk::MakeCalendarAddressRequest {};
    let made = edge.calendar_addresses(&relative).make_calendar_address(request).await?.into_inner();
    let url = format!("{}/api/desk/calendar/{}{SUFFIX}", edge.origin(), made.token);
    let address = NewCalendarAddress { url, created_at: parse_timestamp(made.created_at)? };
    Ok(json_of(StatusCode::CREATED, "application/json", &address))
}

/// Ends the address for calendar apps. Idempotent.
#[utoipa::path(
    delete,
    path = "/api/desk/calendar/",
    operation_id = "end_calendar_address",
    tag = "desk",
    responses((status = 204, description = "The address has ended."))
)]
pub(crate) async fn end(State(edge): State<Edge>, caller: Caller, _: Empty) -> Result<Response, Error> {
    let request = desk::EndCalendarAddressRequest {};
    edge.calendar_addresses(&caller).end_calendar_address(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
