//! Certificates (修了証) of completed courses, and their public check.

use axum::extract::State;
use axum::response::Response;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::courses::incomplete;
use crate::Edge;
use crate::answer::{attached_pdf, json};
use crate::error::Error;
use crate::input::{Empty, Fields, Form, Id, JsonBody, Key};
use crate::own_account::{find_own_account, full_name};
use crate::session::{Anonymous, Learner};
use crate::timestamp::parse_timestamp;

/// What the caller has reached in a course, and the certificate.
#[derive(Serialize, ToSchema)]
pub(crate) struct CertificateState {
    progress: CertificateProgress,
    /// Null until it is issued.
    #[schema(required)]
    certificate: Option<Certificate>,
}

/// What the caller has reached of what the certificate of a course needs.
#[derive(Serialize, ToSchema)]
struct CertificateProgress {
    #[schema(minimum = 0)]
    lesson_count: i32,
    /// Lessons without a check. 0 once the course was completed, also if lessons were added later.
    #[schema(minimum = 0)]
    missing_lesson_count: i32,
    #[schema(minimum = 0)]
    question_count: i32,
    /// Questions whose newest answer is right.
    #[schema(minimum = 0)]
    right_count: i32,
    /// Right answers that are needed: 70 % of the questions, rounded up.
    #[schema(minimum = 0)]
    needed_right_count: i32,
    /// Whether the certificate can be issued.
    is_earned: bool,
}

impl CertificateProgress {
    fn new(progress: &lms::CertificateProgress) -> Self {
        Self {
            lesson_count: progress.lesson_count,
            missing_lesson_count: progress.missing_lesson_count,
            question_count: progress.question_count,
            right_count: progress.right_count,
            needed_right_count: progress.needed_right_count,
            is_earned: progress.is_earned,
        }
    }
}

/// A certificate of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct Certificate {
    #[schema(format = Uuid)]
    id: String,
    /// Name of the course when it was issued.
    course_name: String,
    /// Name of the caller when it was issued.
    #[schema(example = "葵 太郎")]
    learner_name: String,
    #[serde(with = "time::serde::rfc3339")]
    issued_at: OffsetDateTime,
    /// Whether the public check shows the name.
    is_name_shown: bool,
    /// URL of the page where anyone can check it.
    #[schema(example = "https://www.konomana.jp/certificate/3f0c1d52-9a7e-4b31-8e44-0c6a2f9d7b15")]
    check_url: String,
}

impl Certificate {
    fn new(edge: &Edge, certificate: lms::Certificate) -> Result<Self, Error> {
        Ok(Self {
            check_url: check_url(edge, &certificate.id),
            id: certificate.id,
            course_name: certificate.course_name,
            learner_name: certificate.learner_name,
            issued_at: parse_timestamp(certificate.issued_at)?,
            is_name_shown: certificate.is_name_shown,
        })
    }

    fn from_wire(edge: &Edge, certificate: Option<lms::Certificate>) -> Result<Self, Error> {
        Self::new(edge, certificate.ok_or_else(|| incomplete("certificate"))?)
    }
}

/// URL of the page of the site that checks a certificate.
fn check_url(edge: &Edge, id: &str) -> String {
    format!("{}/certificate/{id}", edge.origin())
}

/// Returns what the caller has reached in a course, and the certificate once it is issued.
///
/// 404 for a course that the caller never owned.
#[utoipa::path(
    get,
    path = "/api/lms/course/{id}/certificate/",
    operation_id = "certificate",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the course.", minimum = 1)),
    responses((status = 200, description = "The state of the certificate.", body = CertificateState))
)]
pub(crate) async fn certificate(
    State(edge): State<Edge>,
    learner: Learner,
    Id(course_id): Id,
) -> Result<Response, Error> {
    let request = lms::GetCertificateRequest { course_id };
    let found = edge.certificates(&learner).get_certificate(request).await?.into_inner();
    let progress = found.progress.ok_or_else(|| incomplete("progress"))?;
    let certificate =
        found.certificate.map(|certificate| Certificate::new(&edge, certificate)).transpose()?;
    Ok(json(&CertificateState { progress: CertificateProgress::new(&progress), certificate }))
}

/// Issues the certificate of a course with the name of the caller. Issued already, it is returned unchanged.
///
/// 409 `CERTIFICATE_NOT_EARNED` while lessons or right answers are missing. 404 for a course that the caller never
/// owned.
#[utoipa::path(
    post,
    path = "/api/lms/course/{id}/certificate/",
    operation_id = "issue_certificate",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the course.", minimum = 1)),
    responses((status = 200, description = "The certificate.", body = Certificate))
)]
pub(crate) async fn issue(
    State(edge): State<Edge>,
    learner: Learner,
    Id(course_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    let learner_name = full_name(&find_own_account(&edge, &learner, learner.id()).await?);
    let request = lms::IssueCertificateRequest { course_id, learner_name };
    let issued = edge.certificates(&learner).issue_certificate(request).await?.into_inner().certificate;
    Ok(json(&Certificate::from_wire(&edge, issued)?))
}

/// Whether the public check shows the name.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CertificateVisibility {
    is_name_shown: bool,
}

impl Form for CertificateVisibility {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { is_name_shown: fields.flag("is_name_shown")? })
    }
}

/// Sets whether the public check of a certificate shows the name.
#[utoipa::path(
    put,
    path = "/api/lms/certificate/{id}/visibility/",
    operation_id = "set_certificate_visibility",
    tag = "lms",
    params(("id" = uuid::Uuid, Path, description = "Id of the certificate.")),
    request_body = CertificateVisibility,
    responses((status = 200, description = "The changed certificate.", body = Certificate))
)]
pub(crate) async fn set_visibility(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    JsonBody(form): JsonBody<CertificateVisibility>,
) -> Result<Response, Error> {
    let request = lms::SetCertificateVisibilityRequest {
        certificate_id: id.to_string(),
        is_name_shown: form.is_name_shown,
    };
    let changed = edge.certificates(&learner).set_certificate_visibility(request).await?;
    Ok(json(&Certificate::from_wire(&edge, changed.into_inner().certificate)?))
}

/// Returns a certificate of the caller as PDF, with the name. Its bytes do not change.
#[utoipa::path(
    get,
    path = "/api/lms/certificate/{id}/pdf/",
    operation_id = "certificate_pdf",
    tag = "lms",
    params(("id" = uuid::Uuid, Path, description = "Id of the certificate.")),
    responses((status = 200, description = "The PDF.", content_type = "application/pdf", body = String))
)]
pub(crate) async fn pdf(State(edge): State<Edge>, learner: Learner, Key(id): Key) -> Result<Response, Error> {
    let certificate_id = id.to_string();
    let check_url = check_url(&edge, &certificate_id);
    let request = lms::GetCertificatePdfRequest { certificate_id, check_url };
    let pdf = edge.certificates(&learner).get_certificate_pdf(request).await?.into_inner().pdf;
    Ok(attached_pdf(&format!("certificate-{id}"), pdf))
}

/// A certificate, as anyone sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct CheckedCertificate {
    /// Name of the course when it was issued.
    course_name: String,
    #[serde(with = "time::serde::rfc3339")]
    issued_at: OffsetDateTime,
    /// Null unless the learner shows it.
    #[schema(required, example = "葵 太郎")]
    learner_name: Option<String>,
}

/// Returns what a certificate is for, to anyone with the id. 404 if there is no such certificate.
///
/// No cache keeps the response, because the learner can hide the name at any time.
#[utoipa::path(
    get,
    path = "/api/lms/certificate/{id}/",
    operation_id = "certificate_check",
    tag = "lms",
    params(("id" = uuid::Uuid, Path, description = "Id of the certificate.")),
    responses((status = 200, description = "The certificate is valid.", body = CheckedCertificate))
)]
pub(crate) async fn check(State(edge): State<Edge>, Key(id): Key) -> Result<Response, Error> {
    let request = lms::CheckCertificateRequest { certificate_id: id.to_string() };
    let found = edge.certificates(&Anonymous).check_certificate(request).await?.into_inner();
    Ok(json(&CheckedCertificate {
        course_name: found.course_name,
        issued_at: parse_timestamp(found.issued_at)?,
        learner_name: found.learner_name,
    }))
}
