//! `auth.v1.GuardianService`: links to learners, consent and withdrawals.

mod birth_date;
mod consent;

use kit::caller::{CallerOf as _, GuardianOf};
use kit::timestamp::to_timestamp;
use proto::auth as wire;
use proto::auth::guardian_service_server::GuardianService;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::profile::encode_view;
use super::{Rpc, encode_consent};
use crate::account::{self, full_name};
use crate::error::Error;
use crate::guardian::code::{self, Code};
use crate::guardian::consent::ConsentStatus;
use crate::guardian::{link as guardian_link, mailbox, view};
use crate::limit::{address, failure};
use crate::profile::{self, Profile};
use crate::school;

/// The value of `guardian_view.what` for a learner's progress.
const PROGRESS: &str = "progress";
/// The value of `guardian_view.what` for a learner's results in mock exams.
const EXAM_RESULT: &str = "exam_result";
/// The value of `guardian_view.what` for the overview of a learner.
const OVERVIEW: &str = "overview";
/// The value of `guardian_view.what` for the report of a week.
const WEEKLY_REPORT: &str = "weekly_report";
const INTERVIEW: &str = "interview";

#[tonic::async_trait]
impl GuardianService for Rpc {
    async fn ask_consent(
        &self,
        request: Request<wire::AskConsentRequest>,
    ) -> Result<Response<wire::AskConsentResponse>, Status> {
        let learner = request.caller()?.learner()?;
        self.ask_consent(learner, &request.into_inner()).await?;
        Ok(Response::new(wire::AskConsentResponse {}))
    }

    async fn check_consent(
        &self,
        request: Request<wire::CheckConsentRequest>,
    ) -> Result<Response<wire::CheckConsentResponse>, Status> {
        let request = request.into_inner();
        let asked = self.check_consent(&request.token).await;
        let asked = self.count_dead_link(asked, &request.client_address).await?;
        Ok(Response::new(wire::CheckConsentResponse {
            learner_name: asked.learner_name,
            guardian_name: asked.guardian_name,
        }))
    }

    async fn give_consent(
        &self,
        request: Request<wire::GiveConsentRequest>,
    ) -> Result<Response<wire::GiveConsentResponse>, Status> {
        let request = request.into_inner();
        let given = self.give_consent(&request).await;
        self.count_dead_link(given, &request.client_address).await?;
        Ok(Response::new(wire::GiveConsentResponse {}))
    }

    async fn check_withdrawal(
        &self,
        request: Request<wire::CheckWithdrawalRequest>,
    ) -> Result<Response<wire::CheckWithdrawalResponse>, Status> {
        let request = request.into_inner();
        let asked = self.check_withdrawal(&request.token).await;
        Ok(Response::new(self.count_dead_link(asked, &request.client_address).await?))
    }

    async fn withdraw_consent(
        &self,
        request: Request<wire::WithdrawConsentRequest>,
    ) -> Result<Response<wire::WithdrawConsentResponse>, Status> {
        let request = request.into_inner();
        let withdrawn = self.withdraw_consent(&request.token).await;
        self.count_dead_link(withdrawn, &request.client_address).await?;
        Ok(Response::new(wire::WithdrawConsentResponse {}))
    }

    async fn withdraw_consent_for_child(
        &self,
        request: Request<wire::WithdrawConsentForChildRequest>,
    ) -> Result<Response<wire::WithdrawConsentForChildResponse>, Status> {
        self.withdraw_consent_for_child(request.caller()?.guardian_of()?).await?;
        Ok(Response::new(wire::WithdrawConsentForChildResponse {}))
    }

    async fn check_birth_date_change(
        &self,
        request: Request<wire::CheckBirthDateChangeRequest>,
    ) -> Result<Response<wire::CheckBirthDateChangeResponse>, Status> {
        let request = request.into_inner();
        let change = self.check_birth_date_change(&request.token).await;
        Ok(Response::new(self.count_dead_link(change, &request.client_address).await?))
    }

    async fn decide_birth_date_change(
        &self,
        request: Request<wire::DecideBirthDateChangeRequest>,
    ) -> Result<Response<wire::DecideBirthDateChangeResponse>, Status> {
        let request = request.into_inner();
        let decided = self.decide_birth_date_change(&request.token, request.approve).await;
        self.count_dead_link(decided, &request.client_address).await?;
        Ok(Response::new(wire::DecideBirthDateChangeResponse {}))
    }

    async fn issue_code(
        &self,
        request: Request<wire::IssueCodeRequest>,
    ) -> Result<Response<wire::IssueCodeResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let code = Code::random()?;
        let expires_at = self.clock.now() + self.owner.code_lifetime;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        code::put(&mut connection, learner, &code.hash(&self.keyed_hash), expires_at).await.map_err(
            |error| match kit_db::constraint(&error) {
                Some("guardian_code_learner_fkey") => Error::NoAccount,
                _ => error.into(),
            },
        )?;
        let expires_at = Some(to_timestamp(expires_at));
        Ok(Response::new(wire::IssueCodeResponse { code: code.to_display(), expires_at }))
    }

    async fn list_guardians(
        &self,
        request: Request<wire::ListGuardiansRequest>,
    ) -> Result<Response<wire::ListGuardiansResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let links = guardian_link::list_guardians(&mut connection, learner).await.map_err(Error::from)?;
        let guardians = links.into_iter().map(|link| wire::LinkedGuardian {
            id: link.id.to_string(),
            name: full_name(&link.last_name, &link.first_name),
            since: Some(to_timestamp(link.since)),
            account_id: link.other.to_string(),
            email: link.email,
        });
        let views = view::list(&mut connection, learner, view::SHOWN).await.map_err(Error::from)?;
        Ok(Response::new(wire::ListGuardiansResponse {
            guardians: guardians.collect(),
            views: views.into_iter().map(encode_view).collect(),
        }))
    }

    async fn use_code(
        &self,
        request: Request<wire::UseCodeRequest>,
    ) -> Result<Response<wire::UseCodeResponse>, Status> {
        let guardian = request.caller()?.guardian()?;
        Ok(Response::new(self.use_code(guardian, &request.into_inner()).await?))
    }

    async fn end_link(
        &self,
        request: Request<wire::EndLinkRequest>,
    ) -> Result<Response<wire::EndLinkResponse>, Status> {
        let account = request.caller()?.account()?;
        self.end_link(account, &request.into_inner()).await?;
        Ok(Response::new(wire::EndLinkResponse {}))
    }

    async fn list_children(
        &self,
        request: Request<wire::ListChildrenRequest>,
    ) -> Result<Response<wire::ListChildrenResponse>, Status> {
        let guardian = request.caller()?.guardian()?;
        let now = self.clock.now();
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let links = guardian_link::list_children(&mut connection, guardian).await.map_err(Error::from)?;
        let mut children = Vec::with_capacity(links.len());
        for link in &links {
            children.push(find_child(&mut connection, link, now).await?);
        }
        Ok(Response::new(wire::ListChildrenResponse { children }))
    }

    async fn look_at_child(
        &self,
        request: Request<wire::LookAtChildRequest>,
    ) -> Result<Response<wire::LookAtChildResponse>, Status> {
        let relation = request.caller()?.guardian_of()?;
        let what = match request.into_inner().view() {
            wire::ChildView::Unspecified => PROGRESS,
            wire::ChildView::ExamResult => EXAM_RESULT,
            wire::ChildView::Overview => OVERVIEW,
            wire::ChildView::WeeklyReport => WEEKLY_REPORT,
            wire::ChildView::Interview => INTERVIEW,
        };
        Ok(Response::new(self.look_at_child(relation, what).await?))
    }
}

impl Rpc {
    async fn use_code(
        &self,
        guardian: Uuid,
        request: &wire::UseCodeRequest,
    ) -> Result<wire::UseCodeResponse, Error> {
        let now = self.clock.now();
        let tries = self.keyed_hash.hash("guardian codes of", &guardian.to_string());
        {
            let mut connection = self.pool.acquire().await?;
            let bucket = address::bucket(&self.keyed_hash, "guardian code", &request.client_address);
            address::take_token(&mut connection, &bucket, self.logins, now).await?;
            failure::check(&mut connection, &tries, now).await?;
        }
        let mut transaction = self.pool.begin().await?;
        let learner = match Code::parse(&request.code) {
            Some(code) => code::take(&mut transaction, &code.hash(&self.keyed_hash), guardian, now).await?,
            None => None,
        };
        let Some(learner) = learner else {
            failure::count(&mut transaction, &tries, self.failures, now).await?;
            transaction.commit().await?;
            return Err(Error::CodeWrong);
        };
        let guardian = profile::find_by_id(&mut transaction, guardian, now).await?.ok_or(Error::NoAccount)?;
        // On failure the transaction rolls back, so the code stays unused.
        mailbox::check_guardian(&mut transaction, &guardian, learner, now).await?;
        let most = self.owner.guardians_most;
        let (id, is_new) = guardian_link::add(&mut transaction, learner, guardian.id, most, now).await?;
        let learner = profile::find_by_id(&mut transaction, learner, now).await?.ok_or(Error::CodeWrong)?;
        let name = full_name(&learner.last_name, &learner.first_name);
        if is_new {
            let event = wire::GuardianLinked {
                to: learner.email.clone(),
                account_id: learner.id.to_string(),
                name: name.clone(),
                guardian_name: full_name(&guardian.last_name, &guardian.first_name),
            };
            self.outbox.publish(&mut transaction, &event, now).await?;
            let receipt = wire::GuardianLinkReceipt {
                to: guardian.email,
                account_id: guardian.id.to_string(),
                guardian_name: full_name(&guardian.last_name, &guardian.first_name),
                learner_name: name.clone(),
                learner_id: event.account_id,
                is_consent: learner.has_consenting_link
                    && ConsentStatus::from_profile(&learner, now) == ConsentStatus::Given,
            };
            self.outbox.publish(&mut transaction, &receipt, now).await?;
        }
        transaction.commit().await?;
        Ok(wire::UseCodeResponse { link_id: id.to_string(), name, is_new })
    }

    /// Ends a link and notifies both ends. The call may come from a stolen session of either.
    async fn end_link(&self, account: Uuid, request: &wire::EndLinkRequest) -> Result<(), Error> {
        let id = request.link_id.parse::<Uuid>().map_err(|_| Error::NotFound)?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let ends = guardian_link::end(&mut transaction, id, account).await?.ok_or(Error::NotFound)?;
        let learner = account::find_by_id(&mut transaction, ends.learner).await?.ok_or(Error::NotFound)?;
        let guardian = account::find_by_id(&mut transaction, ends.guardian).await?.ok_or(Error::NotFound)?;
        for (reader, other) in [(&guardian, &learner), (&learner, &guardian)] {
            let event = wire::GuardianUnlinked {
                to: reader.email.clone(),
                account_id: reader.id.to_string(),
                name: reader.name(),
                other_name: other.name(),
                to_guardian: reader.id == guardian.id,
            };
            self.outbox.publish(&mut transaction, &event, now).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn look_at_child(
        &self,
        GuardianOf { guardian, child }: GuardianOf,
        what: &str,
    ) -> Result<wire::LookAtChildResponse, Error> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let link = guardian_link::lock(&mut transaction, guardian, child).await?.ok_or(Error::NotFound)?;
        view::add(&mut transaction, child, guardian, what, now).await?;
        let learner = profile::find_by_id(&mut transaction, child, now).await?.ok_or(Error::NotFound)?;
        transaction.commit().await?;
        let child = encode_child(&link, &learner, now);
        // Only what is done about interviews is told by mail.
        let email = if what == INTERVIEW { learner.email } else { String::new() };
        Ok(wire::LookAtChildResponse { child: Some(child), email })
    }
}

/// Finds a learner as a linked guardian sees them.
async fn find_child(
    database: &mut PgConnection,
    link: &guardian_link::GuardianLink,
    now: OffsetDateTime,
) -> Result<wire::Child, Error> {
    let learner = profile::find_by_id(database, link.other, now).await?.ok_or(Error::NotFound)?;
    Ok(encode_child(link, &learner, now))
}

fn encode_child(link: &guardian_link::GuardianLink, learner: &Profile, now: OffsetDateTime) -> wire::Child {
    let today = school::today(now);
    wire::Child {
        id: link.other.to_string(),
        link_id: link.id.to_string(),
        name: full_name(&link.last_name, &link.first_name),
        school_year: link
            .birth_date
            .and_then(|birth| school::compute_year(birth, link.school_year_shift, today)),
        since: Some(to_timestamp(link.since)),
        guardian_consent: encode_consent(ConsentStatus::from_profile(learner, now)).into(),
    }
}
