//! `auth.v1.AuthService`.

use std::pin::Pin;

use futures_util::{Stream, StreamExt as _};
use kit::clock::Clock;
use kit::db::Pool;
use kit::shutdown::Shutdown;
use proto::auth as wire;
use proto::auth::auth_service_server::{AuthService, AuthServiceServer};
use time::{Duration, OffsetDateTime};
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::access::{self, Access};
use crate::account::{self, Account};
use crate::config;
use crate::error::Error;
use crate::limit::address::{self, Rate};
use crate::limit::failure;
use crate::password::{self, Verifier};
use crate::school;
use crate::secret::Blinding;
use crate::session::{self, Refreshed, Session};
use crate::token::{Claims, RefreshToken};

/// All that the calls need.
pub(crate) struct Rpc {
    pool: Pool,
    access: Access,
    passwords: Verifier,
    blinding: Blinding,
    tokens: config::Tokens,
    access_lifetime: Duration,
    session_lifetime: Duration,
    refresh_grace: Duration,
    logins: Rate,
    refreshes: Rate,
    failures: failure::Rule,
    clock: Clock,
    /// Streams end then.
    shutdown: Shutdown,
}

/// The service over a database that is followed by `access`; its streams end at `shutdown`.
pub fn services(
    config: &config::Serve,
    pool: Pool,
    access: Access,
    clock: Clock,
    shutdown: Shutdown,
) -> Result<Routes, kit::Failure> {
    let limits = &config.limits;
    let rpc = Rpc {
        pool,
        access,
        passwords: Verifier::new(&config.hashing, shutdown.clone())?,
        blinding: config.secret.read()?.blinding(),
        tokens: config.tokens.clone(),
        access_lifetime: config.tokens.access_lifetime.try_into()?,
        session_lifetime: config.tokens.session_lifetime.try_into()?,
        refresh_grace: config.tokens.refresh_grace.try_into()?,
        logins: Rate::new(limits.logins_burst, limits.logins_per_minute),
        refreshes: Rate::new(limits.refreshes_burst, limits.refreshes_per_minute),
        failures: failure::Rule {
            limit: limits.failures_limit,
            window: limits.failures_window.try_into()?,
            delay: limits.failures_delay.try_into()?,
        },
        clock,
        shutdown,
    };
    Ok(Routes::new(AuthServiceServer::new(rpc)))
}

type AccessSteps = Pin<Box<dyn Stream<Item = Result<wire::WatchAccessResponse, Status>> + Send>>;

#[tonic::async_trait]
impl AuthService for Rpc {
    type WatchAccessStream = AccessSteps;

    async fn login(
        &self,
        request: Request<wire::LoginRequest>,
    ) -> Result<Response<wire::LoginResponse>, Status> {
        let tokens = self.log_in(request.into_inner()).await?;
        Ok(Response::new(wire::LoginResponse { tokens: Some(tokens) }))
    }

    async fn refresh(
        &self,
        request: Request<wire::RefreshRequest>,
    ) -> Result<Response<wire::RefreshResponse>, Status> {
        let tokens = self.take_refresh_token(&request.into_inner()).await?;
        Ok(Response::new(wire::RefreshResponse { tokens: Some(tokens) }))
    }

    async fn logout(
        &self,
        request: Request<wire::LogoutRequest>,
    ) -> Result<Response<wire::LogoutResponse>, Status> {
        let sid = parse_sid(&request.into_inner().sid)?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        session::end(&mut connection, sid, self.clock.now()).await.map_err(Error::from)?;
        Ok(Response::new(wire::LogoutResponse {}))
    }

    async fn get_user(
        &self,
        request: Request<wire::GetUserRequest>,
    ) -> Result<Response<wire::GetUserResponse>, Status> {
        let id = request.into_inner().user_id.parse::<Uuid>().map_err(|_| Error::NoAccount)?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let account = account::by_id(&mut connection, id).await.map_err(Error::from)?;
        let user = encode_user(account.ok_or(Error::NoAccount)?, self.clock.now());
        Ok(Response::new(wire::GetUserResponse { user: Some(user) }))
    }

    async fn check_session(
        &self,
        request: Request<wire::CheckSessionRequest>,
    ) -> Result<Response<wire::CheckSessionResponse>, Status> {
        let sid = parse_sid(&request.into_inner().sid)?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let alive = session::is_alive(&mut connection, sid, self.clock.now()).await.map_err(Error::from)?;
        Ok(Response::new(wire::CheckSessionResponse { alive }))
    }

    async fn watch_access(
        &self,
        _: Request<wire::WatchAccessRequest>,
    ) -> Result<Response<AccessSteps>, Status> {
        let steps = access::watch(self.access.views()).map(Ok).take_until(self.shutdown.wait());
        Ok(Response::new(Box::pin(steps)))
    }
}

impl Rpc {
    async fn log_in(&self, request: wire::LoginRequest) -> Result<wire::Tokens, Error> {
        check_field("email", &request.email, account::EMAIL_LIMIT)?;
        check_field("password", &request.password, password::LIMIT)?;
        // A NUL, say, can't be asked for, and is in nobody's address.
        if request.email.chars().any(char::is_control) {
            return Err(Error::Field { name: "email", code: "INVALID_FORMAT" });
        }
        let now = self.clock.now();
        let email = account::email_key(&request.email);
        let failures = self.blinding.blind("account", &email);
        let account = {
            let mut connection = self.pool.acquire().await?;
            let bucket = address::bucket(&self.blinding, "login", &request.client_address);
            address::take(&mut connection, &bucket, self.logins, now).await?;
            failure::check(&mut connection, &failures, now).await?;
            account::by_email(&mut connection, &email).await?
        };
        // The connection is given back before: hashing takes its time.
        let hash = account.as_ref().map(|account| account.password_hash.as_str());
        let matches = self.passwords.matches(request.password, hash).await?;
        let mut transaction = self.pool.begin().await?;
        let Some(account) = account.filter(|_| matches) else {
            failure::count(&mut transaction, &failures, self.failures, now).await?;
            transaction.commit().await?;
            return Err(Error::BadCredentials);
        };
        failure::clear(&mut transaction, &failures, now).await?;
        if !account::keeps_password(&mut transaction, account.id, &account.password_hash).await? {
            return Err(Error::BadCredentials);
        }
        let session = session::begin(
            &mut transaction,
            account.id,
            account.scope,
            &request.user_agent,
            now,
            now + self.session_lifetime,
        )
        .await?;
        let tokens = self.tokens(&session, now)?;
        transaction.commit().await?;
        Ok(tokens)
    }

    async fn take_refresh_token(&self, request: &wire::RefreshRequest) -> Result<wire::Tokens, Error> {
        let presented = RefreshToken::parse(&request.refresh_token).ok_or(Error::RefreshDead)?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        match session::refresh(&mut transaction, &presented, now, self.refresh_grace).await? {
            Refreshed::Alive(session) => {
                let tokens = self.tokens(&session, now)?;
                transaction.commit().await?;
                Ok(tokens)
            }
            Refreshed::Reused(sid) => {
                transaction.commit().await?;
                tracing::warn!(%sid, "a refresh token was used again: its session is ended");
                Err(Error::RefreshDead)
            }
            Refreshed::Dead => {
                let bucket = address::bucket(&self.blinding, "refresh", &request.client_address);
                address::take(&mut transaction, &bucket, self.refreshes, now).await?;
                transaction.commit().await?;
                Err(Error::RefreshDead)
            }
        }
    }

    /// The pair of tokens that a session goes on with. No access token outlives its session.
    fn tokens(&self, session: &Session, now: OffsetDateTime) -> Result<wire::Tokens, Error> {
        let signer = self.access.view().signer().ok_or(Error::NoSigner)?;
        let claims = Claims::new(
            (&self.tokens.issuer, &self.tokens.audience),
            (session.account, session.sid),
            &session.scope,
            now,
            session.expires_at.min(now + self.access_lifetime),
        );
        Ok(wire::Tokens {
            access_token: claims.sign(&signer)?,
            refresh_token: session.refresh_token.encode(),
        })
    }
}

fn check_field(name: &'static str, value: &str, limit: usize) -> Result<(), Error> {
    match value.chars().take(limit + 1).count() {
        0 => Err(Error::Field { name, code: "REQUIRED" }),
        length if length > limit => Err(Error::Field { name, code: "TOO_LONG" }),
        _ => Ok(()),
    }
}

fn parse_sid(sid: &str) -> Result<Uuid, Error> {
    sid.parse().map_err(|_| Error::Field { name: "sid", code: "INVALID_FORMAT" })
}

fn encode_user(account: Account, now: OffsetDateTime) -> wire::User {
    wire::User {
        id: account.id.to_string(),
        email: account.email,
        last_name: account.last_name,
        first_name: account.first_name,
        last_name_kana: account.last_name_kana,
        first_name_kana: account.first_name_kana,
        birth_date: account.birth_date.map(|birth| birth.to_string()),
        school_year: account.birth_date.and_then(|birth| school::year(birth, school::today(now))),
        scope: account.scope,
        created: Some(prost_types::Timestamp {
            seconds: account.created.unix_timestamp(),
            nanos: account.created.nanosecond().cast_signed(),
        }),
    }
}
