//! Certificates: what they need, their issue, their PDF and their check.

use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::lms as wire;
use proto::lms::certificate_service_server::CertificateService;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Lms, commit};
use crate::certificate::earning::{self, CertificateProgress};
use crate::certificate::sheet::{CheckUrl, make_sheet};
use crate::certificate::{self, Certificate, LearnerName};
use crate::error::Error;

#[tonic::async_trait]
impl CertificateService for Lms {
    async fn get_certificate(
        &self,
        request: Request<wire::GetCertificateRequest>,
    ) -> Result<Response<wire::GetCertificateResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let course = request.into_inner().course_id;
        let mut connection = self.acquire().await?;
        let progress = earning::find_progress(&mut connection, learner, course, self.rules).await;
        let progress = progress.map_err(Error::from)?.ok_or(Error::NotFound)?;
        let issued = certificate::find_by_course(&mut connection, learner, course).await;
        let issued = issued.map_err(Error::from)?;
        Ok(Response::new(wire::GetCertificateResponse {
            progress: Some(progress.into()),
            certificate: issued.map(Into::into),
        }))
    }

    async fn issue_certificate(
        &self,
        request: Request<wire::IssueCertificateRequest>,
    ) -> Result<Response<wire::IssueCertificateResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let wire::IssueCertificateRequest { course_id, learner_name } = request.into_inner();
        let name = LearnerName::parse(&learner_name).map_err(Error::Field)?;
        let mut transaction = self.begin().await?;
        let (rules, now) = (self.rules, self.clock.now());
        let issued = certificate::issue(&mut transaction, learner, course_id, &name, rules, now).await?;
        commit(transaction).await?;
        Ok(Response::new(wire::IssueCertificateResponse { certificate: Some(issued.into()) }))
    }

    async fn set_certificate_visibility(
        &self,
        request: Request<wire::SetCertificateVisibilityRequest>,
    ) -> Result<Response<wire::SetCertificateVisibilityResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let wire::SetCertificateVisibilityRequest { certificate_id, is_name_shown } = request.into_inner();
        let id = parse_id(&certificate_id)?;
        let mut connection = self.acquire().await?;
        let changed = certificate::set_visibility(&mut connection, learner, id, is_name_shown).await;
        let changed = changed.map_err(Error::from)?.ok_or(Error::NotFound)?;
        Ok(Response::new(wire::SetCertificateVisibilityResponse { certificate: Some(changed.into()) }))
    }

    async fn get_certificate_pdf(
        &self,
        request: Request<wire::GetCertificatePdfRequest>,
    ) -> Result<Response<wire::GetCertificatePdfResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let wire::GetCertificatePdfRequest { certificate_id, check_url } = request.into_inner();
        let (id, check_url) = (parse_id(&certificate_id)?, CheckUrl::parse(check_url).map_err(Error::Field)?);
        let permit = self.pdf_writer.permit().await.map_err(Error::from)?;
        let mut connection = self.acquire().await?;
        let found = certificate::find_own(&mut connection, learner, id).await;
        let found = found.map_err(Error::from)?.ok_or(Error::NotFound)?;
        drop(connection);
        let sheet = make_sheet(&found, check_url);
        let pdf = permit.write(move |fonts| sheet.write_pdf(fonts)).await.map_err(Error::from)?;
        Ok(Response::new(wire::GetCertificatePdfResponse { pdf }))
    }

    async fn check_certificate(
        &self,
        request: Request<wire::CheckCertificateRequest>,
    ) -> Result<Response<wire::CheckCertificateResponse>, Status> {
        let id = parse_id(&request.into_inner().certificate_id)?;
        let mut connection = self.acquire().await?;
        let found = certificate::find(&mut connection, id).await;
        let found = found.map_err(Error::from)?.ok_or(Error::NotFound)?;
        Ok(Response::new(wire::CheckCertificateResponse {
            course_name: found.course_name,
            issued_at: Some(to_timestamp(found.issued_at)),
            learner_name: found.is_name_shown.then_some(found.learner_name),
        }))
    }
}

fn parse_id(text: &str) -> Result<Uuid, Error> {
    text.parse().map_err(|_| Error::Field(FieldError::new("certificate_id", "INVALID_FORMAT")))
}

impl From<Certificate> for wire::Certificate {
    fn from(certificate: Certificate) -> Self {
        Self {
            id: certificate.id.to_string(),
            course_name: certificate.course_name,
            learner_name: certificate.learner_name,
            issued_at: Some(to_timestamp(certificate.issued_at)),
            is_name_shown: certificate.is_name_shown,
        }
    }
}

impl From<CertificateProgress> for wire::CertificateProgress {
    fn from(progress: CertificateProgress) -> Self {
        Self {
            lesson_count: progress.lesson_count,
            missing_lesson_count: progress.missing_lesson_count(),
            question_count: progress.question_count,
            right_count: progress.right_count,
            needed_right_count: progress.needed_right_count(),
            is_earned: progress.is_earned(),
        }
    }
}
