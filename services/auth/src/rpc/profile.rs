//! `auth.v1.ProfileService`: profile, address, password, e-mail address, sessions, export and closing.

mod birth_date;
mod closing;
mod email;
mod export;
mod password;
mod person;

pub(super) use export::encode_view;
pub(super) use password::encode_password_changed;

use kit::caller::{CallerOf as _, Person};
use kit::timestamp::to_timestamp;
use proto::auth as wire;
use proto::auth::profile_service_server::ProfileService;
use time::Duration;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::Rpc;
use crate::config;
use crate::error::Error;
use crate::guardian::consent;
use crate::limit::address::{self as limit, Rate};
use crate::{address, session};

/// Lifetimes and limits of what owners change.
pub(super) struct OwnerRules {
    email_lifetime: Duration,
    email_undo_lifetime: Duration,
    closing_period: Duration,
    pub(super) consent: consent::RequestRule,
    pub(super) code_lifetime: Duration,
    pub(super) guardians_most: u32,
    /// For one account.
    pub(super) mails: Rate,
    /// For one account.
    birth_dates: Rate,
}

impl OwnerRules {
    pub(super) fn from_config(config: &config::Serve) -> Result<Self, kit::Failure> {
        let (owner, limits) = (&config.owner, &config.limits);
        Ok(Self {
            email_lifetime: owner.email_lifetime.try_into()?,
            email_undo_lifetime: owner.email_undo_lifetime.try_into()?,
            closing_period: owner.closing_period.try_into()?,
            consent: consent::RequestRule {
                lifetime: owner.consent_lifetime.try_into()?,
                resend_after: config.sign_up.resend_after.try_into()?,
            },
            code_lifetime: owner.guardian_code_lifetime.try_into()?,
            guardians_most: owner.guardians_most,
            mails: Rate::hourly(limits.account_mails_per_hour),
            birth_dates: Rate::hourly(limits.birth_dates_per_hour),
        })
    }
}

#[tonic::async_trait]
impl ProfileService for Rpc {
    async fn put_profile(
        &self,
        request: Request<wire::PutProfileRequest>,
    ) -> Result<Response<wire::PutProfileResponse>, Status> {
        let id = request.caller()?.account()?;
        let user = self.put_profile(id, &request.into_inner()).await?;
        Ok(Response::new(wire::PutProfileResponse { user: Some(user) }))
    }

    async fn get_address(
        &self,
        request: Request<wire::GetAddressRequest>,
    ) -> Result<Response<wire::GetAddressResponse>, Status> {
        let id = request.caller()?.account()?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let address = address::find(&mut connection, id).await.map_err(Error::from)?.unwrap_or_default();
        Ok(Response::new(wire::GetAddressResponse { address: Some(person::encode_address(address)) }))
    }

    async fn put_address(
        &self,
        request: Request<wire::PutAddressRequest>,
    ) -> Result<Response<wire::PutAddressResponse>, Status> {
        let id = request.caller()?.account()?;
        let request = request.into_inner();
        let address = person::decode_address(&request.address.unwrap_or_default())?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        address::put(&mut connection, id, &address).await.map_err(|error| {
            match kit_db::constraint(&error) {
                Some("address_account_fkey") => Error::NoAccount,
                _ => error.into(),
            }
        })?;
        Ok(Response::new(wire::PutAddressResponse { address: Some(person::encode_address(address)) }))
    }

    async fn change_password(
        &self,
        request: Request<wire::ChangePasswordRequest>,
    ) -> Result<Response<wire::ChangePasswordResponse>, Status> {
        let person = *request.caller()?.person()?;
        let tokens = self.change_password(&person, request.into_inner()).await?;
        Ok(Response::new(wire::ChangePasswordResponse { tokens: Some(tokens) }))
    }

    async fn change_email(
        &self,
        request: Request<wire::ChangeEmailRequest>,
    ) -> Result<Response<wire::ChangeEmailResponse>, Status> {
        let person = *request.caller()?.person()?;
        self.change_email(&person, request.into_inner()).await?;
        Ok(Response::new(wire::ChangeEmailResponse {}))
    }

    async fn confirm_email(
        &self,
        request: Request<wire::ConfirmEmailRequest>,
    ) -> Result<Response<wire::ConfirmEmailResponse>, Status> {
        self.confirm_email(&request.into_inner()).await?;
        Ok(Response::new(wire::ConfirmEmailResponse {}))
    }

    async fn stop_email(
        &self,
        request: Request<wire::StopEmailRequest>,
    ) -> Result<Response<wire::StopEmailResponse>, Status> {
        self.stop_email(&request.into_inner()).await?;
        Ok(Response::new(wire::StopEmailResponse {}))
    }

    async fn undo_email(
        &self,
        request: Request<wire::UndoEmailRequest>,
    ) -> Result<Response<wire::UndoEmailResponse>, Status> {
        self.undo_email(&request.into_inner()).await?;
        Ok(Response::new(wire::UndoEmailResponse {}))
    }

    async fn list_sessions(
        &self,
        request: Request<wire::ListSessionsRequest>,
    ) -> Result<Response<wire::ListSessionsResponse>, Status> {
        let Person { actor: id, session: current, .. } = *request.caller()?.person()?;
        let request = request.into_inner();
        let now = self.clock.now();
        let here = limit::hash_network(&self.keyed_hash, &request.client_address);
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let sessions = session::list(&mut connection, id).await.map_err(Error::from)?;
        let alive =
            sessions.into_iter().filter(|session| session.ended_at.is_none() && session.expires_at > now);
        let sessions = alive.map(|session| wire::AccountSession {
            device: forms::device::describe(&session.user_agent),
            is_same_network: here.is_some() && session.network == here,
            created: Some(to_timestamp(session.created)),
            last_used: Some(to_timestamp(session.last_used_at)),
            is_current: session.sid == current,
            id: session.sid.to_string(),
        });
        Ok(Response::new(wire::ListSessionsResponse { sessions: sessions.collect() }))
    }

    async fn end_session(
        &self,
        request: Request<wire::EndSessionRequest>,
    ) -> Result<Response<wire::EndSessionResponse>, Status> {
        let id = request.caller()?.account()?;
        let request = request.into_inner();
        let sid = request.sid.parse::<Uuid>().map_err(|_| Error::NotFound)?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let ended =
            session::end_own(&mut connection, id, sid, self.clock.now()).await.map_err(Error::from)?;
        if !ended {
            return Err(Error::NotFound.into());
        }
        Ok(Response::new(wire::EndSessionResponse {}))
    }

    async fn end_all_sessions(
        &self,
        request: Request<wire::EndAllSessionsRequest>,
    ) -> Result<Response<wire::EndAllSessionsResponse>, Status> {
        let id = request.caller()?.account()?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        session::end_all(&mut connection, id, self.clock.now()).await.map_err(Error::from)?;
        Ok(Response::new(wire::EndAllSessionsResponse {}))
    }

    async fn export_account(
        &self,
        request: Request<wire::ExportAccountRequest>,
    ) -> Result<Response<wire::ExportAccountResponse>, Status> {
        let person = *request.caller()?.person()?;
        Ok(Response::new(self.export_account(&person, request.into_inner()).await?))
    }

    async fn close_account(
        &self,
        request: Request<wire::CloseAccountRequest>,
    ) -> Result<Response<wire::CloseAccountResponse>, Status> {
        let person = *request.caller()?.person()?;
        let erase_at = self.close_account(&person, request.into_inner()).await?;
        Ok(Response::new(wire::CloseAccountResponse { erase_at: Some(to_timestamp(erase_at)) }))
    }

    async fn reopen(
        &self,
        request: Request<wire::ReopenRequest>,
    ) -> Result<Response<wire::ReopenResponse>, Status> {
        let tokens = self.reopen(request.into_inner()).await?;
        Ok(Response::new(wire::ReopenResponse { tokens: Some(tokens) }))
    }
}
