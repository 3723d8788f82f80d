//! `auth.v1.EntryService`: sign-up and password reset.

mod password_reset;
mod sign_up;

use proto::auth as wire;
use proto::auth::entry_service_server::EntryService;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tonic::{Request, Response, Status};

use super::Rpc;
use crate::config;
use crate::error::Error;
use crate::limit::address::{self, Bucket, Rate};
use crate::metrics;

/// A network has this many times the limit for sign-up mails of the next smaller network. It is less than for other
/// limits, since all networks share one limit for the service.
const NETWORK_SIGN_UP_MAILS: u32 = 2;

/// Lifetimes and limits of sign-ups and password resets.
pub(super) struct SignUpRules {
    sign_up_lifetime: Duration,
    code_tries: i16,
    resend_after: Duration,
    reset_lifetime: Duration,
    /// For one client address.
    mails: Rate,
    /// For one mailbox.
    sign_up_mails: Rate,
    /// For one client address.
    address_sign_up_mails: Rate,
    /// For the whole service.
    all_sign_up_mails: Rate,
    /// For one mailbox.
    reset_mails: Rate,
    /// For one client address.
    dead_links: Rate,
}

impl SignUpRules {
    pub(super) fn from_config(config: &config::Serve) -> Result<Self, kit::Failure> {
        let (settings, limits) = (&config.sign_up, &config.limits);
        Ok(Self {
            sign_up_lifetime: settings.sign_up_lifetime.try_into()?,
            code_tries: settings.code_tries,
            resend_after: settings.resend_after.try_into()?,
            reset_lifetime: settings.reset_lifetime.try_into()?,
            mails: Rate::new(limits.mails_burst, limits.mails_per_minute),
            sign_up_mails: Rate::hourly(limits.sign_ups_per_hour),
            address_sign_up_mails: Rate::hourly(limits.sign_up_mails_per_address_per_hour),
            all_sign_up_mails: Rate::hourly(limits.sign_up_mails_per_hour),
            reset_mails: Rate::hourly(limits.resets_per_hour),
            dead_links: Rate::new(limits.dead_links_burst, limits.dead_links_per_minute),
        })
    }

    /// The resend interval in whole seconds.
    fn resend_seconds(&self) -> u32 {
        u32::try_from(self.resend_after.whole_seconds()).unwrap_or(u32::MAX)
    }
}

impl Rpc {
    /// Counts a mail that a client address requests.
    async fn count_address_mail(&self, client_address: &str, now: OffsetDateTime) -> Result<(), Error> {
        let bucket = address::bucket(&self.keyed_hash, "mails", client_address);
        address::take_token(&mut *self.pool.acquire().await?, &bucket, self.sign_up.mails, now).await
    }

    /// Counts a sign-up mail for the client address, for the networks around it and for the whole service, so that no
    /// network can use up the limit of the service. Call it last in the transaction: it locks rows that all sign-ups
    /// share.
    async fn count_sign_up_mail(
        &self,
        database: &mut PgConnection,
        client_address: &str,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        let bucket =
            address::nested(&self.keyed_hash, "sign-up mails from", client_address, NETWORK_SIGN_UP_MAILS);
        address::take_token(database, &bucket, self.sign_up.address_sign_up_mails, now).await?;
        let bucket = Bucket::new(self.keyed_hash.hash("all sign-up mails", ""));
        let counted = address::take_token(database, &bucket, self.sign_up.all_sign_up_mails, now).await;
        counted.inspect_err(|error| {
            if matches!(error, Error::RateLimited(_)) {
                metrics::count_withheld_sign_up_mail();
            }
        })
    }

    /// Returns `outcome`. A dead link counts for the client address; after too many the address is refused.
    pub(super) async fn count_dead_link<Answer>(
        &self,
        outcome: Result<Answer, Error>,
        client_address: &str,
    ) -> Result<Answer, Error> {
        match outcome {
            Err(Error::LinkDead) => {
                Err(self.count_guess(Error::LinkDead, client_address, self.clock.now()).await)
            }
            outcome => outcome,
        }
    }

    /// Counts a dead link or a wrong code for a client address. Returns `guess`, or the refusal if the address has
    /// presented too many.
    async fn count_guess(&self, guess: Error, client_address: &str, now: OffsetDateTime) -> Error {
        let count = async {
            let bucket = address::bucket(&self.keyed_hash, "dead links", client_address);
            address::take_token(&mut *self.pool.acquire().await?, &bucket, self.sign_up.dead_links, now).await
        };
        count.await.err().unwrap_or(guess)
    }
}

#[tonic::async_trait]
impl EntryService for Rpc {
    async fn start_sign_up(
        &self,
        request: Request<wire::StartSignUpRequest>,
    ) -> Result<Response<wire::StartSignUpResponse>, Status> {
        Ok(Response::new(self.start_sign_up(request.into_inner()).await?))
    }

    async fn resend_sign_up(
        &self,
        request: Request<wire::ResendSignUpRequest>,
    ) -> Result<Response<wire::ResendSignUpResponse>, Status> {
        Ok(Response::new(self.resend_sign_up(&request.into_inner()).await?))
    }

    async fn verify_sign_up(
        &self,
        request: Request<wire::VerifySignUpRequest>,
    ) -> Result<Response<wire::VerifySignUpResponse>, Status> {
        Ok(Response::new(self.verify_sign_up(request.into_inner()).await?))
    }

    async fn get_sign_up(
        &self,
        request: Request<wire::GetSignUpRequest>,
    ) -> Result<Response<wire::GetSignUpResponse>, Status> {
        Ok(Response::new(self.get_sign_up(&request.into_inner()).await?))
    }

    async fn complete_sign_up(
        &self,
        request: Request<wire::CompleteSignUpRequest>,
    ) -> Result<Response<wire::CompleteSignUpResponse>, Status> {
        let tokens = self.complete_sign_up(request.into_inner()).await?;
        Ok(Response::new(wire::CompleteSignUpResponse { tokens: Some(tokens) }))
    }

    async fn change_password_at_login(
        &self,
        request: Request<wire::ChangePasswordAtLoginRequest>,
    ) -> Result<Response<wire::ChangePasswordAtLoginResponse>, Status> {
        let tokens = self.change_password_at_login(request.into_inner()).await?;
        Ok(Response::new(wire::ChangePasswordAtLoginResponse { tokens: Some(tokens) }))
    }

    async fn request_password_reset(
        &self,
        request: Request<wire::RequestPasswordResetRequest>,
    ) -> Result<Response<wire::RequestPasswordResetResponse>, Status> {
        self.request_password_reset(&request.into_inner()).await?;
        Ok(Response::new(wire::RequestPasswordResetResponse {}))
    }

    async fn check_password_reset(
        &self,
        request: Request<wire::CheckPasswordResetRequest>,
    ) -> Result<Response<wire::CheckPasswordResetResponse>, Status> {
        self.check_password_reset(&request.into_inner()).await?;
        Ok(Response::new(wire::CheckPasswordResetResponse {}))
    }

    async fn confirm_password_reset(
        &self,
        request: Request<wire::ConfirmPasswordResetRequest>,
    ) -> Result<Response<wire::ConfirmPasswordResetResponse>, Status> {
        let device = self.confirm_password_reset(request.into_inner()).await?;
        Ok(Response::new(wire::ConfirmPasswordResetResponse { device }))
    }
}
