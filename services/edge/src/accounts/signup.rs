//! Sign-up.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use proto::auth;
use proto::auth::verify_sign_up_request::Proof;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use super::sessions::Tokens;
use crate::Edge;
use crate::answer::{json, json_of};
use crate::client::Client;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody};
use crate::session::Anonymous;
use crate::timestamp::parse_timestamp;

/// Longest input in characters. Normalization may shorten it to the stored limit.
const MAX_INPUT: usize = 512;
/// Longest token or short field in characters.
const MAX_SHORT_INPUT: usize = 64;

/// The person who signs up.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignUpRequest {
    /// As typed.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    email: String,
    /// As typed; at least 10 characters, and hard to guess.
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    password: String,
    /// `learner` or `guardian`.
    #[schema(min_length = 1, max_length = 64, example = "learner")]
    kind: String,
    /// Whether the terms are accepted. Must be true.
    terms: bool,
    /// Whether newsletters may be sent by email.
    news: bool,
    /// Campaign that led to the sign-up.
    #[schema(required = false, max_length = 64, example = "exam-parent")]
    campaign: Option<String>,
}

impl Form for SignUpRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (email, password) = (fields.text("email", MAX_INPUT), fields.text("password", 128));
        let (kind, terms, news) =
            (fields.text("kind", MAX_SHORT_INPUT), fields.flag("terms"), fields.flag("news"));
        let campaign = fields.optional("campaign", MAX_SHORT_INPUT);
        Some(Self {
            email: email?,
            password: password?,
            kind: kind?,
            terms: terms?,
            news: news?,
            campaign: campaign?,
        })
    }
}

/// A sign-up in this browser.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignUpHandle {
    /// Token of the sign-up in this browser.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    signup: String,
}

impl Form for SignUpHandle {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { signup: fields.text("signup", MAX_SHORT_INPUT)? })
    }
}

/// Proof of the email address: `signup` with `code`, or `token`.
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum SignUpProof {
    /// The code in the email, typed in the browser that signs up.
    Code(SignUpCode),
    /// The link in the email, opened in any browser.
    Link(SignUpLink),
}

/// The code in the email.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignUpCode {
    /// Token of the sign-up in this browser.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    signup: String,
    /// Six digits.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$", example = "012345")]
    code: String,
}

/// The link in the email.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignUpLink {
    /// Token of the link.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    token: String,
}

impl Form for SignUpProof {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        if fields.has("token") {
            return Some(Self::Link(SignUpLink { token: fields.text("token", MAX_SHORT_INPUT)? }));
        }
        let (signup, code) = (fields.text("signup", MAX_SHORT_INPUT), fields.text("code", MAX_SHORT_INPUT));
        Some(Self::Code(SignUpCode { signup: signup?, code: code? }))
    }
}

/// Remaining data of the account.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignUpPerson {
    /// Token of the sign-up in this browser.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    signup: String,
    /// 姓, as typed.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    last_name: String,
    /// 名, as typed.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    first_name: String,
    /// セイ, in hiragana or katakana of any width.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    last_name_kana: String,
    /// メイ, in hiragana or katakana of any width.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    first_name_kana: String,
    /// As typed.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$", example = "2011-04-01")]
    birth_date: String,
    /// School year, if it differs from the year computed from the birth date; null otherwise, and for
    /// guardians.
    #[schema(required = false, min_length = 1, max_length = 64, example = "高1")]
    school_year: Option<String>,
    /// As typed; replaces the password of the sign-up request. Required if the address was verified by the
    /// link.
    #[schema(required = false, min_length = 1, max_length = 128, format = Password)]
    password: Option<String>,
}

impl Form for SignUpPerson {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let signup = fields.text("signup", MAX_SHORT_INPUT);
        let (last_name, first_name) =
            (fields.text("last_name", MAX_INPUT), fields.text("first_name", MAX_INPUT));
        let last_name_kana = fields.text("last_name_kana", MAX_INPUT);
        let first_name_kana = fields.text("first_name_kana", MAX_INPUT);
        let birth_date = fields.text("birth_date", MAX_INPUT);
        let school_year = fields.optional("school_year", MAX_SHORT_INPUT);
        let password = fields.optional("password", 128);
        Some(Self {
            signup: signup?,
            last_name: last_name?,
            first_name: first_name?,
            last_name_kana: last_name_kana?,
            first_name_kana: first_name_kana?,
            birth_date: birth_date?,
            school_year: school_year?,
            password: password?,
        })
    }
}

/// A started sign-up.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignUpStarted {
    /// Token of the sign-up in this browser.
    signup: String,
    /// Seconds until the email can be requested again.
    resend_after: u32,
    /// When the code and the link expire.
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
}

/// A resent email.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignUpResent {
    /// Seconds until the email can be requested again.
    resend_after: u32,
}

/// A sign-up with a verified email address.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignUpVerified {
    /// Token of the sign-up in this browser.
    signup: String,
    /// Verified email address.
    email: String,
    /// `learner` or `guardian`.
    #[schema(example = "learner")]
    kind: String,
}

/// The state of a sign-up.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignUpStatus {
    /// Progress of the sign-up.
    state: SignUpState,
    /// Email address of the sign-up.
    email: String,
    /// `learner` or `guardian`.
    #[schema(example = "learner")]
    kind: String,
}

/// Progress of a sign-up.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum SignUpState {
    /// Waits for the code or the link.
    Waiting,
    /// The email address is verified; the sign-up can be completed.
    Verified,
    /// The account exists.
    Done,
}

/// Starts a sign-up. A code and a link are sent by email.
///
/// The response does not reveal whether the address has an account; the owner of an existing account is
/// notified by email.
#[utoipa::path(
    post,
    path = "/api/accounts/signup/",
    operation_id = "signUp",
    tag = "accounts",
    request_body = SignUpRequest,
    responses((status = 202, description = "The started sign-up; an email is sent.", body = SignUpStarted))
)]
pub(crate) async fn start(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<SignUpRequest>,
) -> Result<Response, Error> {
    let request = auth::StartSignUpRequest {
        email: form.email,
        password: form.password,
        kind: form.kind,
        terms: form.terms,
        news: form.news,
        campaign: form.campaign.unwrap_or_default(),
        client_address: client.address,
    };
    let started = edge.entry(&Anonymous).start_sign_up(request).await?.into_inner();
    let answer = SignUpStarted {
        signup: started.sign_up,
        resend_after: started.resend_after,
        expires_at: parse_timestamp(started.expires_at)?,
    };
    Ok(json_of(StatusCode::ACCEPTED, "application/json", &answer))
}

/// Sends another code and another link.
///
/// 429 `RESEND_TOO_SOON` within 60 s of the last email. 400 `LINK_DEAD` if the sign-up is unknown, expired or
/// verified.
#[utoipa::path(
    post,
    path = "/api/accounts/signup/resend/",
    operation_id = "resendSignUp",
    tag = "accounts",
    request_body = SignUpHandle,
    responses((status = 202, description = "The email is sent again.", body = SignUpResent))
)]
pub(crate) async fn resend(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<SignUpHandle>,
) -> Result<Response, Error> {
    let request = auth::ResendSignUpRequest { sign_up: form.signup, client_address: client.address };
    let resend_after = edge.entry(&Anonymous).resend_sign_up(request).await?.into_inner().resend_after;
    Ok(json_of(StatusCode::ACCEPTED, "application/json", &SignUpResent { resend_after }))
}

/// Verifies the email address.
///
/// 400 `CODE_WRONG` for a wrong code, `CODE_TRIES_OVER` after five wrong codes, `CODE_EXPIRED` for a used
/// code. 400 `LINK_DEAD` if the link or the sign-up is unknown, used or expired.
#[utoipa::path(
    post,
    path = "/api/accounts/signup/verify/",
    operation_id = "verifySignUp",
    tag = "accounts",
    request_body = SignUpProof,
    responses((status = 200, description = "The verified sign-up, which can be completed.", body = SignUpVerified))
)]
pub(crate) async fn verify(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(proof): JsonBody<SignUpProof>,
) -> Result<Response, Error> {
    let proof = match proof {
        SignUpProof::Code(SignUpCode { signup, code }) => {
            Proof::Code(auth::SignUpCode { sign_up: signup, code })
        }
        SignUpProof::Link(SignUpLink { token }) => Proof::Token(token),
    };
    let request = auth::VerifySignUpRequest { proof: Some(proof), client_address: client.address };
    let verified = edge.entry(&Anonymous).verify_sign_up(request).await?.into_inner();
    Ok(json(&SignUpVerified { signup: verified.sign_up, email: verified.email, kind: verified.kind }))
}

/// Returns the state of a sign-up.
///
/// 400 `LINK_DEAD` if the sign-up is unknown or expired.
#[utoipa::path(
    post,
    path = "/api/accounts/signup/status/",
    operation_id = "signUpStatus",
    tag = "accounts",
    request_body = SignUpHandle,
    responses((status = 200, description = "The state of the sign-up.", body = SignUpStatus))
)]
pub(crate) async fn status(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<SignUpHandle>,
) -> Result<Response, Error> {
    let request = auth::GetSignUpRequest { sign_up: form.signup, client_address: client.address };
    let sign_up = edge.entry(&Anonymous).get_sign_up(request).await?.into_inner();
    let state = match sign_up.state() {
        auth::SignUpState::Unspecified => return Err(incomplete("state")),
        auth::SignUpState::Waiting => SignUpState::Waiting,
        auth::SignUpState::Verified => SignUpState::Verified,
        auth::SignUpState::Done => SignUpState::Done,
    };
    Ok(json(&SignUpStatus { state, email: sign_up.email, kind: sign_up.kind }))
}

/// Creates the account and signs in.
///
/// 409 `NOT_VERIFIED` if the address is not verified in this browser, `EMAIL_TAKEN` if the address has got an
/// account since. 400 `LINK_DEAD` if the sign-up is unknown, expired or completed.
#[utoipa::path(
    post,
    path = "/api/accounts/signup/complete/",
    operation_id = "completeSignUp",
    tag = "accounts",
    request_body = SignUpPerson,
    responses((status = 201, description = "The tokens of the first session of the new account.", body = Tokens))
)]
pub(crate) async fn complete(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<SignUpPerson>,
) -> Result<Response, Error> {
    let request = auth::CompleteSignUpRequest {
        sign_up: form.signup,
        last_name: form.last_name,
        first_name: form.first_name,
        last_name_kana: form.last_name_kana,
        first_name_kana: form.first_name_kana,
        birth_date: form.birth_date,
        school_year: form.school_year,
        client_address: client.address,
        user_agent: client.user_agent,
        password: form.password,
        device: client.device,
    };
    let tokens = edge.entry(&Anonymous).complete_sign_up(request).await?.into_inner().tokens;
    Tokens::into_answer_with(StatusCode::CREATED, tokens)
}
