//! Signing up.

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

/// As typed: what becomes shorter when it is normalised may be longer here.
const TYPED: usize = 512;
/// A secret of ours.
const SECRET: usize = 64;

/// Who signs up.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignUpRequest {
    /// As typed.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    email: String,
    /// As typed; 10 characters at least, and not soon guessed.
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    password: String,
    /// `learner` or `guardian`.
    #[schema(min_length = 1, max_length = 64, example = "learner")]
    kind: String,
    /// Whether the terms are agreed to; nothing goes on without.
    terms: bool,
    /// Whether news may be mailed.
    news: bool,
    /// Where they came from.
    #[schema(required = false, max_length = 64, example = "exam-parent")]
    campaign: Option<String>,
}

impl Form for SignUpRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (email, password) = (fields.text("email", TYPED), fields.text("password", 128));
        let (kind, terms, news) = (fields.text("kind", SECRET), fields.flag("terms"), fields.flag("news"));
        let campaign = fields.optional("campaign", SECRET);
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

/// Which sign-up.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignUpHandle {
    /// The secret of this browser.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    signup: String,
}

impl Form for SignUpHandle {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { signup: fields.text("signup", SECRET)? })
    }
}

/// What proves that an address is theirs: `signup` with `code`, or `token`.
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum SignUpProof {
    /// The code of the mail, typed into the browser that signs up.
    Code(SignUpCode),
    /// The link of the mail, opened in any browser.
    Link(SignUpLink),
}

/// The code of the mail.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignUpCode {
    /// The secret of this browser.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    signup: String,
    /// Six digits.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$", example = "012345")]
    code: String,
}

/// The link of the mail.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignUpLink {
    /// Its token.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    token: String,
}

impl Form for SignUpProof {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        if fields.has("token") {
            return Some(Self::Link(SignUpLink { token: fields.text("token", SECRET)? }));
        }
        let (signup, code) = (fields.text("signup", SECRET), fields.text("code", SECRET));
        Some(Self::Code(SignUpCode { signup: signup?, code: code? }))
    }
}

/// The rest of what an account is made of.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignUpPerson {
    /// The secret of this browser.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    signup: String,
    /// 姓, as typed.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    last_name: String,
    /// 名, as typed.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    first_name: String,
    /// セイ, in any kana.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    last_name_kana: String,
    /// メイ, in any kana.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    first_name_kana: String,
    /// As typed.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$", example = "2011-04-01")]
    birth_date: String,
    /// Null where it is that of the birth date, and for guardians.
    #[schema(required = false, min_length = 1, max_length = 64, example = "高1")]
    school_year: Option<String>,
    /// As typed, in place of the one that the sign-up began with; required where the address was proven by the link.
    #[schema(required = false, min_length = 1, max_length = 128, format = Password)]
    password: Option<String>,
}

impl Form for SignUpPerson {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let signup = fields.text("signup", SECRET);
        let (last_name, first_name) = (fields.text("last_name", TYPED), fields.text("first_name", TYPED));
        let last_name_kana = fields.text("last_name_kana", TYPED);
        let first_name_kana = fields.text("first_name_kana", TYPED);
        let birth_date = fields.text("birth_date", TYPED);
        let school_year = fields.optional("school_year", SECRET);
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

/// A sign-up that waits for its mail.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignUpStarted {
    /// The secret by which this browser goes on.
    signup: String,
    /// Seconds until the mail may be asked for again.
    resend_after: u32,
    /// When the code and the link stop working.
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
}

/// Another mail is on its way.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignUpResent {
    /// Seconds until it may be asked for again.
    resend_after: u32,
}

/// The address is theirs.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignUpVerified {
    /// The secret by which this browser goes on.
    signup: String,
    /// Whose sign-up it is.
    email: String,
    /// `learner` or `guardian`.
    #[schema(example = "learner")]
    kind: String,
}

/// A sign-up.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignUpStatus {
    /// How far it is.
    state: SignUpState,
    /// Whose it is.
    email: String,
    /// `learner` or `guardian`.
    #[schema(example = "learner")]
    kind: String,
}

/// How far a sign-up is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum SignUpState {
    /// For the code or the link.
    Waiting,
    /// The rest can be told.
    Verified,
    /// There is an account.
    Done,
}

/// Sign up: a code and a link are mailed.
///
/// An address with an account is answered just so; its owner is told by mail.
#[utoipa::path(
    post,
    path = "/api/accounts/signup/",
    operation_id = "signUp",
    tag = "accounts",
    request_body = SignUpRequest,
    responses((status = 202, description = "A mail is on its way", body = SignUpStarted))
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

/// Mail another code and another link.
///
/// Within 60 s of the last mail it is 429 `RESEND_TOO_SOON`; a sign-up that is unknown, over or verified is 400
/// `LINK_DEAD`.
#[utoipa::path(
    post,
    path = "/api/accounts/signup/resend/",
    operation_id = "resendSignUp",
    tag = "accounts",
    request_body = SignUpHandle,
    responses((status = 202, description = "A mail is on its way", body = SignUpResent))
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

/// Prove that the address is theirs.
///
/// 400 `CODE_WRONG`; `CODE_TRIES_OVER` after five of those; `CODE_EXPIRED` for a code that was used; `LINK_DEAD` for
/// a link or a sign-up that is unknown, used or too old.
#[utoipa::path(
    post,
    path = "/api/accounts/signup/verify/",
    operation_id = "verifySignUp",
    tag = "accounts",
    request_body = SignUpProof,
    responses((status = 200, description = "The rest can be told", body = SignUpVerified))
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

/// How far a sign-up is.
///
/// One that is unknown or over is 400 `LINK_DEAD`.
#[utoipa::path(
    post,
    path = "/api/accounts/signup/status/",
    operation_id = "signUpStatus",
    tag = "accounts",
    request_body = SignUpHandle,
    responses((status = 200, description = "So far", body = SignUpStatus))
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

/// Make the account, and sign in.
///
/// 409 `NOT_VERIFIED` before the address is proven in this browser, `EMAIL_TAKEN` where it has got an account by now; 400 `LINK_DEAD`
/// for a sign-up that is unknown, over or done.
#[utoipa::path(
    post,
    path = "/api/accounts/signup/complete/",
    operation_id = "completeSignUp",
    tag = "accounts",
    request_body = SignUpPerson,
    responses((status = 201, description = "The account, and its first session", body = Tokens))
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
