//! The rpc methods: `auth.v1.AuthService` here, the other services in a file each. A method decodes the request, calls
//! nouns in one transaction and encodes the answer.

mod callers;
mod entry;
mod event;
mod fields;
mod guardian;
mod passkey;
mod password_check;
mod profile;
mod watch_access;

use std::pin::Pin;
use std::sync::Arc;

use futures_util::{Stream, StreamExt as _};
use kit::caller::CallerOf as _;
use kit::clock::Clock;
use kit::error::FieldError;
use kit::shutdown::Shutdown;
use kit::timestamp::to_timestamp;
use kit_db::Pool;
use kit_db::outbox::Outbox;
use proto::auth as wire;
use proto::auth::auth_service_server::{AuthService, AuthServiceServer};
use proto::auth::entry_service_server::EntryServiceServer;
use proto::auth::guardian_service_server::GuardianServiceServer;
use proto::auth::passkey_service_server::PasskeyServiceServer;
use proto::auth::profile_service_server::ProfileServiceServer;
use proto::common::event_service_server::EventServiceServer;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use uuid::Uuid;
use webauthn_rs::prelude::{Url, Webauthn, WebauthnBuilder};

pub use callers::CALLERS;
use password_check::PasswordSubject;

use crate::access::Access;
use crate::account;
use crate::config;
use crate::error::Error;
use crate::guardian::consent::ConsentStatus;
use crate::key;
use crate::known_device::{Holder, KnownDevices};
use crate::limit::address::{self, Bucket, Rate};
use crate::limit::failure;
use crate::password::Hasher;
use crate::profile::{self as person, Profile};
use crate::session::{self, Browser, RefreshOutcome, Session};
use crate::token::{Claims, RefreshToken};
use kit::encryption::KeyedHash;

/// What every rpc method uses. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Rpc(Arc<State>);

impl std::ops::Deref for Rpc {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}

pub(crate) struct State {
    pool: Pool,
    access: Access,
    webauthn: Webauthn,
    passwords: Hasher,
    keyed_hash: KeyedHash,
    known_devices: KnownDevices,
    tokens: config::Tokens,
    access_lifetime: Duration,
    session_lifetime: Duration,
    refresh_grace: Duration,
    logins: Rate,
    refreshes: Rate,
    session_refreshes: Rate,
    failures: failure::LockoutRule,
    sign_up: entry::SignUpRules,
    owner: profile::OwnerRules,
    outbox: Outbox,
    clock: Clock,
    /// Ends the streams.
    shutdown: Shutdown,
}

/// All gRPC services, over a database that `access` follows. Streams end at `shutdown`.
pub fn services(
    config: &config::Serve,
    pool: Pool,
    access: Access,
    clock: Clock,
    shutdown: Shutdown,
) -> Result<Routes, kit::Failure> {
    let limits = &config.limits;
    let secret = config.secret.parse_secret()?;
    let rpc = Rpc(Arc::new(State {
        pool,
        access,
        webauthn: build_webauthn(&config.public_origin)?,
        passwords: Hasher::new(&config.hashing, shutdown.clone())?,
        keyed_hash: secret.keyed_hash(),
        known_devices: KnownDevices::new(secret.known_devices()),
        tokens: config.tokens.clone(),
        access_lifetime: config.tokens.access_lifetime.try_into()?,
        session_lifetime: config.tokens.session_lifetime.try_into()?,
        refresh_grace: config.tokens.refresh_grace.try_into()?,
        logins: Rate::new(limits.logins_burst, limits.logins_per_minute),
        refreshes: Rate::new(limits.refreshes_burst, limits.refreshes_per_minute),
        session_refreshes: Rate::hourly(limits.session_refreshes_per_hour),
        failures: failure::LockoutRule {
            limit: limits.failures_limit,
            window: limits.failures_window.try_into()?,
            delay: limits.failures_delay.try_into()?,
        },
        sign_up: entry::SignUpRules::from_config(config)?,
        owner: profile::OwnerRules::from_config(config)?,
        outbox: Outbox::new(secret.outbox()),
        clock,
        shutdown,
    }));
    Ok(Routes::new(AuthServiceServer::new(rpc.clone()))
        .add_service(EntryServiceServer::new(rpc.clone()))
        .add_service(EventServiceServer::new(rpc.clone()))
        .add_service(GuardianServiceServer::new(rpc.clone()))
        .add_service(PasskeyServiceServer::new(rpc.clone()))
        .add_service(ProfileServiceServer::new(rpc)))
}

/// The passkey ceremonies of the site at `origin`.
fn build_webauthn(origin: &Url) -> Result<Webauthn, kit::Failure> {
    let host = origin.domain().ok_or("AUTH_PUBLIC_ORIGIN must have a host name")?;
    Ok(WebauthnBuilder::new(host, origin)?.rp_name("コノマナ").build()?)
}

type AccessStream = Pin<Box<dyn Stream<Item = Result<wire::WatchAccessResponse, Status>> + Send>>;

#[tonic::async_trait]
impl AuthService for Rpc {
    type WatchAccessStream = AccessStream;

    async fn login(
        &self,
        request: Request<wire::LoginRequest>,
    ) -> Result<Response<wire::LoginResponse>, Status> {
        let tokens = self.login(request.into_inner()).await?;
        Ok(Response::new(wire::LoginResponse { tokens: Some(tokens) }))
    }

    async fn refresh(
        &self,
        request: Request<wire::RefreshRequest>,
    ) -> Result<Response<wire::RefreshResponse>, Status> {
        let tokens = self.refresh(&request.into_inner()).await?;
        Ok(Response::new(wire::RefreshResponse { tokens: Some(tokens) }))
    }

    async fn logout(
        &self,
        request: Request<wire::LogoutRequest>,
    ) -> Result<Response<wire::LogoutResponse>, Status> {
        let sid = request.caller()?.person()?.session;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        session::end(&mut connection, sid, self.clock.now()).await.map_err(Error::from)?;
        Ok(Response::new(wire::LogoutResponse {}))
    }

    async fn get_user(
        &self,
        request: Request<wire::GetUserRequest>,
    ) -> Result<Response<wire::GetUserResponse>, Status> {
        let id = request.caller()?.account()?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let user = find_user(&mut connection, id, self.clock.now()).await?;
        self.pool.keep(connection);
        Ok(Response::new(wire::GetUserResponse { user: Some(user) }))
    }

    async fn check_session(
        &self,
        request: Request<wire::CheckSessionRequest>,
    ) -> Result<Response<wire::CheckSessionResponse>, Status> {
        let wire::CheckSessionRequest { sid, kid } = request.into_inner();
        let sid = parse_sid(&sid)?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let mut alive =
            session::is_alive(&mut connection, sid, self.clock.now()).await.map_err(Error::from)?;
        if let Some(kid) = kid.filter(|_| alive) {
            alive = key::is_in_force(&mut connection, &kid).await.map_err(Error::from)?;
        }
        Ok(Response::new(wire::CheckSessionResponse { alive }))
    }

    async fn watch_access(
        &self,
        _: Request<wire::WatchAccessRequest>,
    ) -> Result<Response<AccessStream>, Status> {
        let steps = watch_access::watch(self.access.subscribe()).map(Ok).take_until(self.shutdown.wait());
        Ok(Response::new(Box::pin(steps)))
    }
}

impl Rpc {
    async fn login(&self, request: wire::LoginRequest) -> Result<wire::Tokens, Error> {
        let now = self.clock.now();
        let client = Client {
            address: &request.client_address,
            user_agent: &request.user_agent,
            device: &request.device,
        };
        let subject = PasswordSubject::Email { email: &request.email, device: client.device };
        let (account, mut transaction) =
            self.check_password(subject, request.password, client.address, now).await?;
        let tokens = self.sign_in(&mut transaction, account.id, client, now).await?;
        transaction.commit().await?;
        Ok(tokens)
    }

    /// Starts a session of an account. The caller has verified its owner. All sessions start here. Fails if the account
    /// is closing, or if its password must be changed.
    async fn sign_in(
        &self,
        database: &mut PgConnection,
        account: Uuid,
        client: Client<'_>,
        now: OffsetDateTime,
    ) -> Result<wire::Tokens, Error> {
        let state = account::lock_sign_in_state(database, account).await?.ok_or(Error::BadCredentials)?;
        match state.erase_at {
            // The account is due to be erased, and counts as erased.
            Some(erase_at) if erase_at <= now => return Err(Error::BadCredentials),
            Some(erase_at) => return Err(Error::AccountClosing { erase_at }),
            None if state.must_change_password => return Err(Error::PasswordChangeRequired),
            None => {}
        }
        let network = address::hash_network(&self.keyed_hash, client.address);
        let browser = Browser { user_agent: client.user_agent, network };
        let expires_at = now + self.session_lifetime;
        let session = session::start(database, account, state.scope, &browser, now, expires_at).await?;
        let holder = Holder { account, password_hash: &state.password_hash };
        let device = self.known_devices.issue(client.device, holder, now);
        Ok(wire::Tokens { device, ..self.issue_tokens(&session, now)? })
    }

    async fn refresh(&self, request: &wire::RefreshRequest) -> Result<wire::Tokens, Error> {
        let presented = RefreshToken::parse(&request.refresh_token).ok_or(Error::RefreshDead)?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let network = address::hash_network(&self.keyed_hash, &request.client_address);
        if let Some(sid) =
            session::find_by_live_token(&mut transaction, &presented, now, self.refresh_grace).await?
        {
            // A refusal rolls back, so the token stays valid.
            let bucket = Bucket::new(self.keyed_hash.hash("refreshes of", &sid.to_string()));
            address::take_token(&mut transaction, &bucket, self.session_refreshes, now).await?;
        }
        match session::refresh(&mut transaction, &presented, network.as_deref(), now, self.refresh_grace)
            .await?
        {
            RefreshOutcome::Alive(session) => {
                let tokens = self.issue_tokens(&session, now)?;
                transaction.commit().await?;
                Ok(tokens)
            }
            RefreshOutcome::Reused(sid) => {
                transaction.commit().await?;
                tracing::warn!(%sid, "a refresh token was used again: its session is ended");
                Err(Error::RefreshDead)
            }
            RefreshOutcome::Dead => {
                let bucket = address::bucket(&self.keyed_hash, "refresh", &request.client_address);
                address::take_token(&mut transaction, &bucket, self.refreshes, now).await?;
                transaction.commit().await?;
                Err(Error::RefreshDead)
            }
        }
    }

    /// Issues the next pair of tokens of a session. No access token outlives its session.
    fn issue_tokens(&self, session: &Session, now: OffsetDateTime) -> Result<wire::Tokens, Error> {
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
            device: String::new(),
        })
    }
}

/// The client that a call comes from.
#[derive(Clone, Copy)]
struct Client<'a> {
    /// The IP address, as the edge sees it.
    address: &'a str,
    /// The `User-Agent` header.
    user_agent: &'a str,
    /// The cookie for known devices. It comes from the browser, so it may be empty or invalid.
    device: &'a str,
}

fn check_field(name: &'static str, value: &str, limit: usize) -> Result<(), Error> {
    match value.chars().take(limit + 1).count() {
        0 => Err(Error::Field(FieldError::new(name, "REQUIRED"))),
        length if length > limit => Err(Error::Field(FieldError::new(name, "TOO_LONG"))),
        _ => Ok(()),
    }
}

fn parse_sid(sid: &str) -> Result<Uuid, Error> {
    sid.parse().map_err(|_| Error::Field(FieldError::new("sid", "INVALID_FORMAT")))
}

/// A count as a `uint32` of the wire; a larger one becomes the maximum.
fn encode_count(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Finds an account as its owner sees it.
async fn find_user(database: &mut PgConnection, id: Uuid, now: OffsetDateTime) -> Result<wire::User, Error> {
    let profile = person::find_by_id(database, id, now).await?.ok_or(Error::NoAccount)?;
    Ok(encode_user(profile, now))
}

fn encode_consent(status: ConsentStatus) -> wire::GuardianConsent {
    match status {
        ConsentStatus::NotNeeded => wire::GuardianConsent::NotNeeded,
        ConsentStatus::Missing => wire::GuardianConsent::Missing,
        ConsentStatus::Waiting => wire::GuardianConsent::Waiting,
        ConsentStatus::Given => wire::GuardianConsent::Given,
    }
}

fn encode_user(profile: Profile, now: OffsetDateTime) -> wire::User {
    let consent = encode_consent(ConsentStatus::from_profile(&profile, now));
    let requested = profile.requested_birth_date.map(|birth| wire::RequestedBirthDate {
        birth_date: birth.to_string(),
        asked: profile.requested_at.map(to_timestamp),
        is_guardian_asked: profile.guardian_asked_until.is_some_and(|until| until > now),
    });
    wire::User {
        id: profile.id.to_string(),
        school_year: profile.school_year(now),
        email: profile.email,
        last_name: profile.last_name,
        first_name: profile.first_name,
        last_name_kana: profile.last_name_kana,
        first_name_kana: profile.first_name_kana,
        birth_date: profile.birth_date.map(|birth| birth.to_string()),
        scope: profile.scope,
        created: Some(to_timestamp(profile.created)),
        school_name: profile.school_name,
        news: profile.news,
        guardian_consent: consent.into(),
        erase_at: profile.erase_at.map(to_timestamp),
        requested_birth_date: requested,
        suspended_passkeys: encode_count(profile.suspended_passkeys),
    }
}
