//! A guardian's consent: requested by a learner, given and withdrawn by a guardian. A guardian's decision
//! about a birth date.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use proto::auth;
use serde::Serialize;
use utoipa::ToSchema;

use super::email::LinkRequest;
use crate::Edge;
use crate::answer::json;
use crate::client::Client;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody, Key};
use crate::session::{Anonymous, Guardian, Learner};

/// A request for consent, sent to a guardian.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConsentRequest {
    /// Guardian's name, as typed.
    #[schema(min_length = 1, max_length = 254)]
    name: String,
    /// Relation to the learner: 母, 父, 祖父母 or その他の保護者.
    #[schema(min_length = 1, max_length = 254)]
    relation: String,
    /// Guardian's email address.
    #[schema(min_length = 1, max_length = 254, format = Email)]
    email: String,
}

impl Form for ConsentRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (name, relation) = (fields.text("name", 254), fields.text("relation", 254));
        Some(Self { name: name?, relation: relation?, email: fields.text("email", 254)? })
    }
}

/// Requests consent from a guardian by email.
///
/// 429 `RESEND_TOO_SOON` within 60 s of the last request. 409 `CONSENT_GIVEN` if consent is given; 409
/// `CONSENT_NOT_NEEDED` from age 18. The caller's own mailbox is a field error: `OWN_MAILBOX`.
#[utoipa::path(
    post,
    path = "/api/accounts/guardian/consent/",
    operation_id = "ask_consent",
    tag = "accounts",
    request_body = ConsentRequest,
    responses((status = 202, description = "The request is accepted; an email is sent."))
)]
pub(crate) async fn ask_consent(
    State(edge): State<Edge>,
    learner: Learner,
    JsonBody(form): JsonBody<ConsentRequest>,
) -> Result<Response, Error> {
    let request = auth::AskConsentRequest {
        user_id: learner.id(),
        name: form.name,
        relation: form.relation,
        email: form.email,
    };
    edge.guardians(&learner).ask_consent(request).await?;
    Ok(StatusCode::ACCEPTED.into_response())
}

/// The people that a consent link concerns.
#[derive(Serialize, ToSchema)]
#[schema(as = Asked)]
pub(crate) struct ConsentRequestSummary {
    learner_name: String,
    guardian_name: String,
}

/// Checks a consent link. Changes nothing.
///
/// 400 `LINK_DEAD` if the link is unknown, used or expired. 409 `GUARDIAN_MAILBOX` if the mailbox has become
/// the learner's own or that of a minor's account.
#[utoipa::path(
    post,
    path = "/api/accounts/guardian/consent/check/",
    operation_id = "check_consent",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 200, description = "The link is valid; the people it concerns.", body = ConsentRequestSummary))
)]
pub(crate) async fn check_consent(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LinkRequest>,
) -> Result<Response, Error> {
    let request = auth::CheckConsentRequest { token: form.token, client_address: client.address };
    let asked = edge.guardians(&Anonymous).check_consent(request).await?.into_inner();
    Ok(json(&ConsentRequestSummary { learner_name: asked.learner_name, guardian_name: asked.guardian_name }))
}

/// A guardian's consent.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenConsent {
    /// Token of the link.
    #[schema(min_length = 1, max_length = 254)]
    token: String,
    /// Guardian's own name, as typed.
    #[schema(min_length = 1, max_length = 254)]
    guardian_name: String,
    /// Declaration to be 18 or older. Any value except true is a field error: `NOT_AGREED`.
    is_adult: bool,
}

impl Form for GivenConsent {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (token, name) = (fields.text("token", 254), fields.text("guardian_name", 254));
        let is_adult = fields.flag("is_adult");
        Some(Self { token: token?, guardian_name: name?, is_adult: is_adult? })
    }
}

/// Gives consent, once.
///
/// Same errors as checking the link.
#[utoipa::path(
    post,
    path = "/api/accounts/guardian/consent/confirm/",
    operation_id = "give_consent",
    tag = "accounts",
    request_body = GivenConsent,
    responses((status = 204, description = "Consent is given."))
)]
pub(crate) async fn give_consent(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<GivenConsent>,
) -> Result<Response, Error> {
    let request = auth::GiveConsentRequest {
        token: form.token,
        client_address: client.address,
        guardian_name: form.guardian_name,
        is_adult: form.is_adult,
    };
    edge.guardians(&Anonymous).give_consent(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Checks a link that withdraws consent. Changes nothing.
///
/// The link is valid as long as the consent. After that: 400 `LINK_DEAD`.
#[utoipa::path(
    post,
    path = "/api/accounts/guardian/consent/withdraw/check/",
    operation_id = "check_withdrawal",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 200, description = "The link is valid; the people it concerns.", body = ConsentRequestSummary))
)]
pub(crate) async fn check_withdrawal(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LinkRequest>,
) -> Result<Response, Error> {
    let request = auth::CheckWithdrawalRequest { token: form.token, client_address: client.address };
    let asked = edge.guardians(&Anonymous).check_withdrawal(request).await?.into_inner();
    Ok(json(&ConsentRequestSummary { learner_name: asked.learner_name, guardian_name: asked.guardian_name }))
}

/// Withdraws consent by a link. The learner is notified by email.
///
/// Same errors as checking the link.
#[utoipa::path(
    post,
    path = "/api/accounts/guardian/consent/withdraw/",
    operation_id = "withdraw_consent",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 204, description = "Consent is withdrawn."))
)]
pub(crate) async fn withdraw(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LinkRequest>,
) -> Result<Response, Error> {
    let request = auth::WithdrawConsentRequest { token: form.token, client_address: client.address };
    edge.guardians(&Anonymous).withdraw_consent(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Withdraws consent as a linked guardian. Idempotent. The learner is notified by email.
///
/// 404 for a learner who is not linked. 409 `GUARDIAN_UNDER_18` or `GUARDIAN_MAILBOX` for a guardian who
/// cannot give consent.
#[utoipa::path(
    delete,
    path = "/api/accounts/guardian/children/{id}/consent/",
    operation_id = "withdraw_consent_for_child",
    tag = "accounts",
    params(("id" = uuid::Uuid, Path, description = "Account id of the learner.")),
    responses((status = 204, description = "Consent is withdrawn."))
)]
pub(crate) async fn withdraw_for_child(
    State(edge): State<Edge>,
    guardian: Guardian,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = auth::WithdrawConsentForChildRequest { user_id: guardian.id(), child_id: id.to_string() };
    edge.guardians(&guardian.acting_for(id)?).withdraw_consent_for_child(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// A requested change of a learner's birth date.
#[derive(Serialize, ToSchema)]
pub(crate) struct BirthDateChange {
    learner_name: String,
    /// Current birth date; null: unknown.
    #[schema(required, format = Date)]
    birth_date: Option<String>,
    #[schema(format = Date)]
    requested_birth_date: String,
}

/// Returns a requested change of a learner's birth date, for the guardian to decide. Changes nothing.
///
/// 400 `LINK_DEAD` if the link is unknown, used or expired.
#[utoipa::path(
    post,
    path = "/api/accounts/guardian/birth-date/check/",
    operation_id = "check_birth_date_change",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 200, description = "The link is valid; the requested change.", body = BirthDateChange))
)]
pub(crate) async fn check_birth_date(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LinkRequest>,
) -> Result<Response, Error> {
    let request = auth::CheckBirthDateChangeRequest { token: form.token, client_address: client.address };
    let change = edge.guardians(&Anonymous).check_birth_date_change(request).await?.into_inner();
    Ok(json(&BirthDateChange {
        learner_name: change.learner_name,
        birth_date: change.birth_date,
        requested_birth_date: change.requested_birth_date,
    }))
}

/// A guardian's decision about a birth date.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BirthDateDecision {
    /// Token of the link.
    #[schema(min_length = 1, max_length = 254)]
    token: String,
    /// Whether to approve the requested date.
    approve: bool,
}

impl Form for BirthDateDecision {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (token, approve) = (fields.text("token", 254), fields.flag("approve"));
        Some(Self { token: token?, approve: approve? })
    }
}

/// Approves or declines a change of a learner's birth date, once. The learner is notified by email.
///
/// Same errors as checking the link.
#[utoipa::path(
    post,
    path = "/api/accounts/guardian/birth-date/",
    operation_id = "decide_birth_date_change",
    tag = "accounts",
    request_body = BirthDateDecision,
    responses((status = 204, description = "The decision is stored."))
)]
pub(crate) async fn decide_birth_date(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<BirthDateDecision>,
) -> Result<Response, Error> {
    let request = auth::DecideBirthDateChangeRequest {
        token: form.token,
        approve: form.approve,
        client_address: client.address,
    };
    edge.guardians(&Anonymous).decide_birth_date_change(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
