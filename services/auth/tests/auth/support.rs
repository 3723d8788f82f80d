//! A test server of auth with its own database, one account and a clock that the test moves.

use auth::access::Access;
use auth::account::{self, Account};
use auth::config::{Command, Serve};
use clap::Parser as _;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use kit::caller::{Caller, Scope, Service};
use kit::client::Channel;
use kit::config::Cli;
use kit::error::ServiceError;
use kit::shutdown::Shutdown;
use kit::test::{CALLER_SECRET, HandClock, TestServer, anyone, caller_keys, guardian_of, in_session};
use kit_db::Pool;
use kit_db::config::Database;
use kit_db::outbox::Outbox;
use kit_db::test::TestDatabase;
use prost::{Message, Name};
use proto::auth::auth_service_client::AuthServiceClient;
use proto::auth::entry_service_client::EntryServiceClient;
use proto::auth::guardian_service_client::GuardianServiceClient;
use proto::auth::passkey_service_client::PasskeyServiceClient;
use proto::auth::profile_service_client::ProfileServiceClient;
use proto::auth::{LoginRequest, PublicKey, RefreshRequest, Tokens, WatchAccessRequest, WatchAccessResponse};
use proto::common::Event;
use serde::Deserialize;
use sqlx::{Executor as _, Row as _};
use std::time::Duration as StdDuration;

use time::macros::{date, datetime};
use time::{Duration, OffsetDateTime};
use tokio::time::Instant;
use tonic::{Status, Streaming};
use uuid::Uuid;

pub(crate) const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);
pub(crate) const SECRET: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
pub(crate) const EMAIL: &str = "Hanako@demo.example";
pub(crate) const PASSWORD: &str = "はなこのパスワード2026";
pub(crate) const USER: Uuid = Uuid::from_u128(0x0193_6f2a_4c00_7a31_8b52_1f6d_0c9e_4aff);
/// No service listens there, so events stay in the outbox.
pub(crate) const RECEIVERS: [&str; 16] = [
    "--desk-url",
    "http://127.0.0.1:1",
    "--desk-key",
    CALLER_SECRET,
    "--lms-url",
    "http://127.0.0.1:1",
    "--lms-key",
    CALLER_SECRET,
    "--commerce-url",
    "http://127.0.0.1:1",
    "--commerce-key",
    CALLER_SECRET,
    "--exam-url",
    "http://127.0.0.1:1",
    "--exam-key",
    CALLER_SECRET,
];
pub(crate) const ADDRESS: &str = "203.0.113.9";

/// The id of the guardian with this number.
pub(crate) fn guardian(number: u128) -> Uuid {
    Uuid::from_u128(0x0193_6f2a_4c04_7462_8e0b_c7a5_0000_0000 + number)
}

/// A database with an account and a signing key.
pub(crate) struct World {
    pub(crate) database: TestDatabase,
    pub(crate) clock: HandClock,
}

impl World {
    pub(crate) async fn new() -> Self {
        let world = Self::without_key().await;
        world.keys(&["add", "--sign"]).await.expect("add a key");
        world
    }

    pub(crate) async fn without_key() -> Self {
        let database = TestDatabase::new(&auth::MIGRATIONS).await;
        let account = Account {
            id: USER,
            email: EMAIL.to_owned(),
            password_hash: auth::password::hash(PASSWORD).unwrap(),
            scope: vec!["learner".to_owned()],
            last_name: "山田".to_owned(),
            first_name: "花子".to_owned(),
            last_name_kana: "ヤマダ".to_owned(),
            first_name_kana: "ハナコ".to_owned(),
            birth_date: Some(date!(2011 - 04 - 01)),
            created: NOW - Duration::days(400),
        };
        account::put(&mut database.pool.acquire().await.unwrap(), &account).await.unwrap();
        Self { database, clock: HandClock::at(NOW) }
    }

    /// The account, to change it and write it back.
    pub(crate) async fn account(&self) -> Account {
        account::find_by_id(&mut self.database.pool.acquire().await.unwrap(), USER).await.unwrap().unwrap()
    }

    pub(crate) async fn put(&self, account: &Account) {
        account::put(&mut self.database.pool.acquire().await.unwrap(), account).await.unwrap();
    }

    /// A world with this many adult guardians.
    pub(crate) async fn with_guardians(count: u128) -> Self {
        let world = Self::new().await;
        for number in 0..count {
            world.put(&world.guardian_account(number).await).await;
        }
        world
    }

    /// The account of the guardian with this number.
    pub(crate) async fn guardian_account(&self, number: u128) -> Account {
        Account {
            id: guardian(number),
            email: format!("guardian{number}@konomana.example"),
            scope: vec!["guardian".to_owned()],
            last_name: "森下".to_owned(),
            first_name: format!("恵子{number}"),
            birth_date: Some(date!(1981 - 02 - 03)),
            ..self.account().await
        }
    }

    /// A server with the default configuration.
    pub(crate) async fn serve(&self) -> Auth {
        self.serve_with(&[]).await
    }

    /// A server with further arguments.
    pub(crate) async fn serve_with(&self, arguments: &[&str]) -> Auth {
        self.try_serve(arguments).await.expect("the server starts")
    }

    pub(crate) async fn try_serve(&self, arguments: &[&str]) -> Result<Auth, kit::Failure> {
        let config = self.config(arguments);
        let database = Database { patience: kit_db::test::PATIENCE, ..(&config.database).into() };
        let pool = Pool::connect(&database).await?;
        let shutdown = Shutdown::default();
        let access = Access::follow(
            pool.clone(),
            &config.secret.parse_secret()?,
            config.tokens.access_lifetime.try_into()?,
            self.clock.clock(),
            shutdown.clone(),
        )
        .await?;
        let services = auth::services(&config, pool, access.clone(), self.clock.clock(), shutdown.clone())?;
        let server = TestServer::service(Service::Auth, auth::CALLERS, services).await;
        Ok(Auth {
            client: AuthServiceClient::new(server.channel_as(anyone())),
            entry: EntryServiceClient::new(server.channel_as(anyone())),
            server,
            access,
            shutdown,
        })
    }

    pub(crate) fn config(&self, arguments: &[&str]) -> Serve {
        let keys = caller_keys();
        let fixed = [
            "auth",
            "serve",
            "--database-url",
            &self.database.url,
            "--secret",
            SECRET,
            "--caller-keys",
            &keys,
        ];
        match Cli::<Command>::parse_from(fixed.iter().chain(&RECEIVERS).chain(arguments)).command {
            Command::Serve(config) => *config,
            _ => unreachable!("the command is `serve`"),
        }
    }

    /// The first column of every row; its type is text.
    pub(crate) async fn text(&self, sql: &str) -> Vec<String> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        let rows = connection.fetch_all(sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()))).await;
        rows.unwrap().iter().map(|row| row.get(0)).collect()
    }

    /// The waiting events for desk, oldest first.
    pub(crate) async fn events(&self) -> Vec<Event> {
        self.events_for("desk").await
    }

    /// The waiting events for a receiver, oldest first.
    pub(crate) async fn events_for(&self, receiver: &str) -> Vec<Event> {
        let outbox = Outbox::new(self.config(&[]).secret.parse_secret().unwrap().outbox());
        let mut connection = self.database.pool.acquire().await.unwrap();
        outbox.waiting(&mut connection, receiver).await.unwrap()
    }

    /// The last event for desk, which is a `Type`.
    pub(crate) async fn last<Type: Message + Name + Default>(&self) -> Type {
        let event = self.events().await.pop().expect("an event waits");
        assert_eq!(event.r#type, Type::full_name());
        Type::decode(event.payload.as_slice()).unwrap()
    }

    /// The last event of this type for desk.
    pub(crate) async fn latest<Type: Message + Name + Default>(&self) -> Type {
        self.events_of().await.pop().expect("an event of this type waits")
    }

    /// All events of this type for desk, oldest first.
    pub(crate) async fn events_of<Type: Message + Name + Default>(&self) -> Vec<Type> {
        decode_events(self.events().await)
    }

    /// All events of this type for commerce, oldest first.
    pub(crate) async fn commerce_events_of<Type: Message + Name + Default>(&self) -> Vec<Type> {
        decode_events(self.events_for("commerce").await)
    }

    /// Runs `auth birth-date …`.
    pub(crate) async fn birth_date(&self, account: Uuid, arguments: &[&str]) -> Result<(), kit::Failure> {
        let account = account.to_string();
        let mut command = vec!["auth", "birth-date", "--account", &account, "--operator", "岡田"];
        command.extend(arguments);
        command.extend(["--database-url", &self.database.url, "--secret", SECRET]);
        match Cli::<Command>::parse_from(command).command {
            Command::BirthDate(command) => auth::run_birth_date_command(&command).await,
            _ => unreachable!("the command is `birth-date`"),
        }
    }

    /// Runs `auth keys …`.
    pub(crate) async fn keys(&self, arguments: &[&str]) -> Result<(), kit::Failure> {
        let mut command = vec!["auth", "keys"];
        command.extend(arguments);
        command.extend(["--database-url", &self.database.url]);
        if arguments[0] == "add" {
            command.extend(["--secret", SECRET]);
        }
        match Cli::<Command>::parse_from(command).command {
            Command::Keys(command) => auth::run_keys_command(command).await,
            _ => unreachable!("the command is `keys`"),
        }
    }
}

/// The edge, for a signed-in account that is a learner and a guardian.
fn caller(id: Uuid) -> Caller {
    kit::test::account(id, &[Scope::Learner, Scope::Guardian])
}

/// A running server.
pub(crate) struct Auth {
    pub(crate) client: AuthServiceClient<Channel>,
    pub(crate) entry: EntryServiceClient<Channel>,
    pub(crate) server: TestServer,
    pub(crate) access: Access,
    pub(crate) shutdown: Shutdown,
}

impl Drop for Auth {
    fn drop(&mut self) {
        self.shutdown.begin();
    }
}

impl Auth {
    /// A client without a signed-in account.
    pub(crate) fn profiles(&self) -> ProfileServiceClient<Channel> {
        ProfileServiceClient::new(self.server.channel_as(anyone()))
    }

    /// A client for a signed-in account.
    pub(crate) fn profiles_of(&self, id: Uuid) -> ProfileServiceClient<Channel> {
        self.profiles_in(id, id)
    }

    /// A client for a signed-in account in this session.
    pub(crate) fn profiles_in(&self, id: Uuid, session: Uuid) -> ProfileServiceClient<Channel> {
        ProfileServiceClient::new(self.server.channel_as(in_session(caller(id), session)))
    }

    pub(crate) fn guardians(&self) -> GuardianServiceClient<Channel> {
        GuardianServiceClient::new(self.server.channel_as(anyone()))
    }

    pub(crate) fn guardians_of(&self, id: Uuid) -> GuardianServiceClient<Channel> {
        GuardianServiceClient::new(self.server.channel_as(caller(id)))
    }

    /// A client for a guardian who acts for a child.
    pub(crate) fn guardians_for(&self, id: Uuid, child: Uuid) -> GuardianServiceClient<Channel> {
        GuardianServiceClient::new(self.server.channel_as(guardian_of(id, child)))
    }

    pub(crate) fn passkeys(&self) -> PasskeyServiceClient<Channel> {
        PasskeyServiceClient::new(self.server.channel_as(anyone()))
    }

    pub(crate) fn passkeys_of(&self, id: Uuid) -> PasskeyServiceClient<Channel> {
        self.passkeys_in(id, id)
    }

    pub(crate) fn passkeys_in(&self, id: Uuid, session: Uuid) -> PasskeyServiceClient<Channel> {
        PasskeyServiceClient::new(self.server.channel_as(in_session(caller(id), session)))
    }

    pub(crate) fn client_of(&self, id: Uuid) -> AuthServiceClient<Channel> {
        AuthServiceClient::new(self.server.channel_as(caller(id)))
    }

    pub(crate) async fn log_in(&self) -> Tokens {
        self.try_log_in(EMAIL, PASSWORD).await.expect("the password is right")
    }

    pub(crate) async fn try_log_in(&self, email: &str, password: &str) -> Result<Tokens, Status> {
        self.log_in_from(ADDRESS, email, password).await
    }

    pub(crate) async fn log_in_from(
        &self,
        address: &str,
        email: &str,
        password: &str,
    ) -> Result<Tokens, Status> {
        let request = LoginRequest {
            email: email.to_owned(),
            password: password.to_owned(),
            client_address: address.to_owned(),
            user_agent: "Mozilla/5.0".to_owned(),
            ..LoginRequest::default()
        };
        let answer = self.client.clone().login(request).await?;
        Ok(answer.into_inner().tokens.expect("the answer has tokens"))
    }

    pub(crate) async fn refresh(&self, refresh_token: &str) -> Result<Tokens, Status> {
        let request =
            RefreshRequest { refresh_token: refresh_token.to_owned(), client_address: ADDRESS.to_owned() };
        let answer = self.client.clone().refresh(request).await?;
        Ok(answer.into_inner().tokens.expect("the answer has tokens"))
    }

    pub(crate) async fn log_out(&self, sid: Uuid) {
        let request = proto::auth::LogoutRequest::default();
        AuthServiceClient::new(self.server.channel_as(in_session(caller(USER), sid)))
            .logout(request)
            .await
            .expect("logging out is idempotent");
    }

    pub(crate) async fn is_alive(&self, sid: Uuid) -> bool {
        self.is_alive_with(sid, None).await
    }

    /// Whether tokens of this session signed with this key are accepted.
    pub(crate) async fn is_alive_with(&self, sid: Uuid, kid: Option<&str>) -> bool {
        let kid = kid.map(str::to_owned);
        let request = proto::auth::CheckSessionRequest { sid: sid.to_string(), kid };
        self.client.clone().check_session(request).await.expect("check the session").into_inner().alive
    }

    pub(crate) async fn watch(&self) -> Streaming<WatchAccessResponse> {
        self.client.clone().watch_access(WatchAccessRequest {}).await.expect("open the stream").into_inner()
    }

    /// The keys in force and the ended sessions, as a new watcher gets them.
    pub(crate) async fn snapshot(&self) -> WatchAccessResponse {
        let first = next(&mut self.watch().await).await;
        assert!(first.snapshot);
        first
    }
}

/// The next message of a stream, within a second.
pub(crate) async fn next(stream: &mut Streaming<WatchAccessResponse>) -> WatchAccessResponse {
    tokio::time::timeout(StdDuration::from_secs(1), stream.message())
        .await
        .expect("a message within a second")
        .expect("the stream is open")
        .expect("the stream continues")
}

/// The claims of an access token.
#[derive(Debug, Deserialize)]
pub(crate) struct Claims {
    pub(crate) iss: String,
    pub(crate) aud: String,
    pub(crate) sub: Uuid,
    pub(crate) sid: Uuid,
    pub(crate) scope: Vec<String>,
    pub(crate) iat: i64,
    pub(crate) nbf: i64,
    pub(crate) exp: i64,
    pub(crate) jti: Uuid,
}

/// The claims of a token signed with one of the keys. Times are not checked.
pub(crate) fn verify(token: &str, keys: &[PublicKey]) -> Option<Claims> {
    let kid = jsonwebtoken::decode_header(token).ok()?.kid?;
    let key = keys.iter().find(|key| key.kid == kid)?;
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.validate_exp = false;
    validation.set_audience(&["konomana"]);
    jsonwebtoken::decode(token, &DecodingKey::from_ed_der(&key.ed25519), &validation)
        .ok()
        .map(|token| token.claims)
}

/// The session of a pair of tokens.
pub(crate) fn sid(tokens: &Tokens) -> Uuid {
    let token = jsonwebtoken::dangerous::insecure_decode::<Claims>(&tokens.access_token);
    token.expect("decode the token").claims.sid
}

/// The machine code of a failure.
pub(crate) fn reason<Answer: std::fmt::Debug>(answer: Result<Answer, Status>) -> String {
    ServiceError::from_status(&answer.expect_err("it fails")).reason.into_owned()
}

/// The sessions in the next message that has any.
pub(crate) async fn next_revoked(stream: &mut Streaming<WatchAccessResponse>) -> Vec<String> {
    let started = Instant::now();
    loop {
        let step = next(stream).await;
        if !step.revoked_sids.is_empty() {
            return step.revoked_sids;
        }
        assert!(started.elapsed() < StdDuration::from_secs(1), "no session was published within a second");
    }
}

/// Decodes the events of one type.
fn decode_events<Type: Message + Name + Default>(events: Vec<Event>) -> Vec<Type> {
    let events = events.into_iter().filter(|event| event.r#type == Type::full_name());
    events.map(|event| Type::decode(event.payload.as_slice()).unwrap()).collect()
}
