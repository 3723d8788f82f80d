//! What people settle about themselves: profile, address, password, e-mail address.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use proto::auth;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Tokens, User, incomplete};
use crate::Edge;
use crate::answer::json;
use crate::client::Client;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody};
use crate::session::{Anonymous, Caller};

/// As much of a field as is passed on; what fits, the services decide.
const LONG: usize = 254;

/// A profile, all of it.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileRequest {
    /// 姓, as typed.
    #[schema(min_length = 1, max_length = 254)]
    last_name: String,
    /// 名, as typed.
    #[schema(min_length = 1, max_length = 254)]
    first_name: String,
    /// セイ
    #[schema(min_length = 1, max_length = 254)]
    last_name_kana: String,
    /// メイ
    #[schema(min_length = 1, max_length = 254)]
    first_name_kana: String,
    #[schema(format = Date)]
    birth_date: String,
    /// 小1 to 高3, or 既卒; null: worked out from the birth date.
    #[schema(required, example = "高1")]
    school_year: Option<String>,
    /// May be empty.
    #[schema(max_length = 254)]
    school_name: String,
    /// Whether news may be sent by mail.
    news: bool,
}

impl Form for ProfileRequest {
    fn read(fields: &mut Fields) -> Option<Self> {
        let (last_name, first_name) = (fields.text("last_name", LONG), fields.text("first_name", LONG));
        let last_name_kana = fields.text("last_name_kana", LONG);
        let first_name_kana = fields.text("first_name_kana", LONG);
        let birth_date = fields.text("birth_date", LONG);
        let school_year = fields.optional("school_year", LONG);
        let (school_name, news) = (fields.text_or_empty("school_name", LONG), fields.flag("news"));
        Some(Self {
            last_name: last_name?,
            first_name: first_name?,
            last_name_kana: last_name_kana?,
            first_name_kana: first_name_kana?,
            birth_date: birth_date?,
            school_year: school_year?,
            school_name: school_name?,
            news: news?,
        })
    }
}

/// Write the profile of the caller.
///
/// Too many changes of the birth date are 429 `RATE_LIMITED`; nothing is written then.
#[utoipa::path(
    put,
    path = "/api/accounts/profile/",
    operation_id = "set_profile",
    tag = "accounts",
    request_body = ProfileRequest,
    responses((status = 200, description = "The account as it is now", body = User))
)]
pub(crate) async fn set_profile(
    State(edge): State<Edge>,
    caller: Caller,
    JsonBody(form): JsonBody<ProfileRequest>,
) -> Result<Response, Error> {
    let request = auth::PutProfileRequest {
        user_id: caller.user().to_string(),
        last_name: form.last_name,
        first_name: form.first_name,
        last_name_kana: form.last_name_kana,
        first_name_kana: form.first_name_kana,
        birth_date: form.birth_date,
        school_year: form.school_year,
        school_name: form.school_name,
        news: form.news,
    };
    let user = edge.profiles(&caller).put_profile(request).await?.into_inner().user;
    Ok(json(&User::new(user.ok_or_else(|| incomplete("user"))?)?))
}

/// A postal address in Japan with a telephone number; each part may be empty.
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
    /// E.164 in answers.
    #[schema(max_length = 254, example = "+819012345678")]
    phone: String,
}

impl Form for Address {
    fn read(fields: &mut Fields) -> Option<Self> {
        let mut part = |name| fields.text_or_empty(name, LONG);
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

/// The address of the caller.
#[utoipa::path(
    get,
    path = "/api/accounts/address/",
    operation_id = "address",
    tag = "accounts",
    responses((status = 200, description = "The address; all empty when it was never told", body = Address))
)]
pub(crate) async fn address(State(edge): State<Edge>, caller: Caller) -> Result<Response, Error> {
    let request = auth::GetAddressRequest { user_id: caller.user().to_string() };
    let address = edge.profiles(&caller).get_address(request).await?.into_inner().address.unwrap_or_default();
    Ok(json(&Address::from(address)))
}

/// Write the address of the caller.
#[utoipa::path(
    put,
    path = "/api/accounts/address/",
    operation_id = "set_address",
    tag = "accounts",
    request_body = Address,
    responses((status = 200, description = "The address as it is kept", body = Address))
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

/// The password in force and the one to follow.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordRequest {
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    password: String,
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    new_password: String,
}

impl Form for PasswordRequest {
    fn read(fields: &mut Fields) -> Option<Self> {
        let (password, new_password) = (fields.text("password", 128), fields.text("new_password", 128));
        Some(Self { password: password?, new_password: new_password? })
    }
}

/// Change the password.
///
/// Every session ends, the caller's too, and all that is under way for the account; a new session begins. A wrong
/// password is 400 `BAD_CREDENTIALS`; too many tries are 429 `RATE_LIMITED`.
#[utoipa::path(
    post,
    path = "/api/accounts/password/",
    operation_id = "change_password",
    tag = "accounts",
    request_body = PasswordRequest,
    responses((status = 200, description = "It is changed; of the new session", body = Tokens))
)]
pub(crate) async fn change_password(
    State(edge): State<Edge>,
    caller: Caller,
    client: Client,
    JsonBody(form): JsonBody<PasswordRequest>,
) -> Result<Response, Error> {
    let request = auth::ChangePasswordRequest {
        user_id: caller.user().to_string(),
        sid: caller.session().to_string(),
        password: form.password,
        new_password: form.new_password,
        client_address: client.address,
        user_agent: client.user_agent,
        device: client.device,
    };
    let tokens = edge.profiles(&caller).change_password(request).await?.into_inner().tokens;
    if tokens.is_none() {
        // An auth of the release before: the session that asks goes on.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    edge.sessions().ended(caller.session());
    Tokens::answer(tokens)
}

/// The address to change to.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmailRequest {
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    password: String,
    #[schema(min_length = 1, max_length = 254, format = Email)]
    email: String,
}

impl Form for EmailRequest {
    fn read(fields: &mut Fields) -> Option<Self> {
        let (password, email) = (fields.text("password", 128), fields.text("email", LONG));
        Some(Self { password: password?, email: email? })
    }
}

/// Ask for another e-mail address.
///
/// Nothing changes until the link in the mail to it is used. The answer is the same for an address that has an account
/// already. Fails as changing the password does.
#[utoipa::path(
    post,
    path = "/api/accounts/email/",
    operation_id = "change_email",
    tag = "accounts",
    request_body = EmailRequest,
    responses((status = 202, description = "A mail is on its way"))
)]
pub(crate) async fn change_email(
    State(edge): State<Edge>,
    caller: Caller,
    client: Client,
    JsonBody(form): JsonBody<EmailRequest>,
) -> Result<Response, Error> {
    let request = auth::ChangeEmailRequest {
        user_id: caller.user().to_string(),
        password: form.password,
        email: form.email,
        client_address: client.address,
        sid: caller.session().to_string(),
    };
    edge.profiles(&caller).change_email(request).await?;
    Ok(StatusCode::ACCEPTED.into_response())
}

/// The token of a link in a mail.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinkRequest {
    #[schema(min_length = 1, max_length = 254)]
    pub(super) token: String,
}

impl Form for LinkRequest {
    fn read(fields: &mut Fields) -> Option<Self> {
        Some(Self { token: fields.text("token", LONG)? })
    }
}

/// Use the link to a new e-mail address.
///
/// A link that is unknown, used or too old is 400 `LINK_DEAD`; an address that is somebody's by now is 409 `EMAIL_TAKEN`.
#[utoipa::path(
    post,
    path = "/api/accounts/email/confirm/",
    operation_id = "confirm_email",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 204, description = "The address is changed"))
)]
pub(crate) async fn confirm_email(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LinkRequest>,
) -> Result<Response, Error> {
    let request = auth::ConfirmEmailRequest { token: form.token, client_address: client.address };
    edge.profiles(&Anonymous).confirm_email(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Stop a change of the e-mail address, by the link in the mail to the address in force.
///
/// Whatever change is not confirmed yet ends. Fails as using the link to the new address does.
#[utoipa::path(
    post,
    path = "/api/accounts/email/stop/",
    operation_id = "stop_email",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 204, description = "Nothing changes"))
)]
pub(crate) async fn stop_email(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LinkRequest>,
) -> Result<Response, Error> {
    let request = auth::StopEmailRequest { token: form.token, client_address: client.address };
    edge.profiles(&Anonymous).stop_email(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Use the link back to the old e-mail address.
///
/// Every session ends, and every passkey is suspended or removed. Fails as using the link to the new one does.
#[utoipa::path(
    post,
    path = "/api/accounts/email/undo/",
    operation_id = "undo_email",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 204, description = "The address is what it was"))
)]
pub(crate) async fn undo_email(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LinkRequest>,
) -> Result<Response, Error> {
    let request = auth::UndoEmailRequest { token: form.token, client_address: client.address };
    edge.profiles(&Anonymous).undo_email(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
