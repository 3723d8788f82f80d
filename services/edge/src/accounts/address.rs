//! The caller's postal address.

use axum::extract::State;
use axum::response::Response;
use proto::auth;
use serde::Serialize;
use utoipa::ToSchema;

use super::MAX_TEXT;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody};
use crate::session::Caller;

/// Japanese postal address with a telephone number. Each field may be empty.
#[derive(Default, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Address {
    /// Seven digits.
    #[schema(max_length = 254, example = "1000013")]
    postal_code: String,
    #[schema(max_length = 254, example = "東京都")]
    prefecture: String,
    #[schema(max_length = 254, example = "千代田区")]
    city: String,
    #[schema(max_length = 254, example = "霞が関1-3-2")]
    town: String,
    #[schema(max_length = 254)]
    building: String,
    /// Telephone number; E.164 in responses.
    #[schema(max_length = 254, example = "+819012345678")]
    phone: String,
}

impl Form for Address {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let mut part = |name| fields.text_or_empty(name, MAX_TEXT);
        let (postal_code, prefecture, city) = (part("postal_code"), part("prefecture"), part("city"));
        let (town, building, phone) = (part("town"), part("building"), part("phone"));
        Some(Self {
            postal_code: postal_code?,
            prefecture: prefecture?,
            city: city?,
            town: town?,
            building: building?,
            phone: phone?,
        })
    }
}

impl From<auth::Address> for Address {
    fn from(address: auth::Address) -> Self {
        Self {
            postal_code: address.postal_code,
            prefecture: address.prefecture,
            city: address.city,
            town: address.town,
            building: address.building,
            phone: address.phone,
        }
    }
}

/// Returns the caller's postal address.
#[utoipa::path(
    get,
    path = "/api/accounts/address/",
    operation_id = "address",
    tag = "accounts",
    responses((status = 200, description = "The address. All fields are empty if none is stored.", body = Address))
)]
pub(crate) async fn address(State(edge): State<Edge>, caller: Caller) -> Result<Response, Error> {
    let request = auth::GetAddressRequest { user_id: caller.user().to_string() };
    let address = edge.profiles(&caller).get_address(request).await?.into_inner().address.unwrap_or_default();
    Ok(json(&Address::from(address)))
}

/// Replaces the caller's postal address.
#[utoipa::path(
    put,
    path = "/api/accounts/address/",
    operation_id = "set_address",
    tag = "accounts",
    request_body = Address,
    responses((status = 200, description = "The stored address.", body = Address))
)]
pub(crate) async fn set_address(
    State(edge): State<Edge>,
    caller: Caller,
    JsonBody(form): JsonBody<Address>,
) -> Result<Response, Error> {
    let address = auth::Address {
        postal_code: form.postal_code,
        prefecture: form.prefecture,
        city: form.city,
        town: form.town,
        building: form.building,
        phone: form.phone,
    };
    let request = auth::PutAddressRequest { user_id: caller.user().to_string(), address: Some(address) };
    let address = edge.profiles(&caller).put_address(request).await?.into_inner().address.unwrap_or_default();
    Ok(json(&Address::from(address)))
}
