//! The whole back end in one process: real services over real sockets and databases, with edges in front.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot be set up panics")]

pub(crate) mod family;
mod folder;
mod forge;
mod shop;
mod tap;

pub(crate) use folder::{Folder, bytes};
pub(crate) use forge::Forge;
pub(crate) use shop::{DECLINED_CARD, GOOD_CARD, Shop};
pub(crate) use tap::Tap;

use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use clap::{CommandFactory as _, FromArgMatches as _, Subcommand};
use edge::config::Settings;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kit::caller::Service;
use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit::test::{CALLER_SECRET, HandClock, TestServer, caller_keys};
use kit_db::outbox::Outbox;
use kit_db::test::TestDatabase;
use kit_pdf::PdfWriter;
use prost::{Message, Name};
use proto::common::Event;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::macros::datetime;

/// Start time of the tests.
pub(crate) const NOW: OffsetDateTime = datetime!(2026-11-20 10:00 UTC);
/// Password of every account.
pub(crate) const PASSWORD: &str = "a long enough password";
/// A learner with 13 items.
pub(crate) const ONE: &str = "one@konomana.example";
/// A learner with one item.
pub(crate) const TWO: &str = "two@konomana.example";
/// A staff account.
pub(crate) const STAFF: &str = "staff@konomana.example";
/// A guardian account.
pub(crate) const GUARDIAN: &str = "guardian@konomana.example";
/// The public origin of every edge.
pub(crate) const ORIGIN: &str = "http://konomana.test";

const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// The services with the content of `tests/content`.
pub(crate) struct World {
    pub(crate) clock: HandClock,
    pub(crate) auth: TestServer,
    pub(crate) lms: TestServer,
    pub(crate) desk: TestServer,
    pub(crate) exam: TestServer,
    pub(crate) shop: Shop,
    pub(crate) maintenance: TestServer,
    /// Windows that the maintenance service serves.
    pub(crate) windows: maintenance::Board,
    pub(crate) auth_database: TestDatabase,
    pub(crate) lms_database: TestDatabase,
    pub(crate) exam_database: TestDatabase,
    pub(crate) exam_secret: exam::config::SecretArg,
    pub(crate) exam_rules: exam::config::Rules,
    /// In use as long as the services run.
    pub(crate) desk_database: TestDatabase,
    lms_streams: Shutdown,
    shutdown: Shutdown,
}

impl Drop for World {
    fn drop(&mut self) {
        self.lms_streams.begin();
        self.shutdown.begin();
    }
}

impl World {
    pub(crate) async fn new() -> Self {
        // The future holds the settings of every service.
        Box::pin(Self::start()).await
    }

    async fn start() -> Self {
        let clock = HandClock::at(NOW);
        let shutdown = Shutdown::default();
        let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/content");

        let auth_database = TestDatabase::new(&auth::MIGRATIONS).await;
        let on = ["--database-url", &auth_database.url];
        auth::run(parse_command(&[&["auth", "keys", "add", "--sign", "--secret", SECRET], &on[..]].concat()))
            .await
            .unwrap();
        auth::import::import(&auth_database.pool, &content, NOW, false).await.unwrap();
        // No server listens there and no dispatcher runs: the tests read the queue.
        let receivers = [
            ["--desk-url", "http://127.0.0.1:1"],
            ["--desk-key", CALLER_SECRET],
            ["--lms-url", "http://127.0.0.1:1"],
            ["--lms-key", CALLER_SECRET],
            ["--commerce-url", "http://127.0.0.1:1"],
            ["--commerce-key", CALLER_SECRET],
            ["--exam-url", "http://127.0.0.1:1"],
            ["--exam-key", CALLER_SECRET],
            ["--caller-keys", &caller_keys()],
        ];
        let serve = parse_command(
            &[&["auth", "serve", "--secret", SECRET], receivers.as_flattened(), &on[..]].concat(),
        );
        let auth::config::Command::Serve(auth) = serve else { unreachable!() };
        let access = auth::access::Access::follow(
            auth_database.pool.clone(),
            &auth.secret.parse_secret().unwrap(),
            auth.tokens.access_lifetime.try_into().unwrap(),
            clock.clock(),
            shutdown.clone(),
        )
        .await
        .unwrap();
        let services =
            auth::services(&auth, auth_database.pool.clone(), access, clock.clock(), shutdown.clone())
                .unwrap();
        let auth = TestServer::service(Service::Auth, auth::CALLERS, services).await;

        let lms_streams = Shutdown::default();
        let lms_database = TestDatabase::new(&lms::MIGRATIONS).await;
        lms::import_folder(&lms_database.pool, &clock.clock(), &content, false).await.unwrap();
        let keys = caller_keys();
        let serve =
            parse_command(&["lms", "serve", "--database-url", &lms_database.url, "--caller-keys", &keys]);
        let lms::config::Command::Serve(lms) = serve else { unreachable!() };
        let pdf_writer = PdfWriter::load(Path::new(shop::FONTS)).unwrap();
        let services = lms::services(
            lms_database.pool.clone(),
            clock.clock(),
            lms.rules,
            pdf_writer,
            lms_streams.clone(),
        );
        let lms = TestServer::service(Service::Lms, lms::CALLERS, services).await;

        let desk_database = TestDatabase::new(&desk::MIGRATIONS).await;
        desk::postal::import_towns(&desk_database.pool, &content.join("towns.tsv")).await.unwrap();
        desk::import_folder(&desk_database.pool, &clock.clock(), &content, desk::Run::Real).await.unwrap();
        let serve = parse_command(&[
            "desk",
            "serve",
            "--database-url",
            &desk_database.url,
            "--secret",
            SECRET,
            "--public-origin",
            ORIGIN,
            "--mail-from",
            "no-reply@konomana.test",
            "--contact-to",
            "support@konomana.test",
            "--smtp-url",
            "smtp://127.0.0.1:1",
            "--caller-keys",
            &caller_keys(),
        ]);
        let desk::config::Command::Serve(desk) = serve else { unreachable!() };
        let wake = kit_db::outbox::Wake::default();
        let services = desk::services(&desk, desk_database.pool.clone(), clock.clock(), wake).unwrap();
        let desk = TestServer::service(Service::Desk, desk::CALLERS, services).await;

        let exam_database = TestDatabase::new(&exam::MIGRATIONS).await;
        let serve = parse_command(&[
            "exam",
            "serve",
            "--database-url",
            &exam_database.url,
            "--secret",
            SECRET,
            "--lms-url",
            &lms.url(),
            "--lms-key",
            CALLER_SECRET,
            // No dispatcher runs.
            "--auth-url",
            "http://127.0.0.1:1",
            "--auth-key",
            CALLER_SECRET,
            "--caller-keys",
            &keys,
            "--receipt-key",
            SECRET,
            "--fonts",
            shop::FONTS,
        ]);
        let exam::config::Command::Serve(exam_config) = serve else { unreachable!() };
        let pdf_writer = PdfWriter::load(&exam_config.fonts).unwrap();
        let receipt_keys = exam_config.receipt_keys.parse_keys().unwrap();
        let services = exam::services(
            exam_database.pool.clone(),
            clock.clock(),
            exam_config.rules,
            receipt_keys,
            pdf_writer,
        );
        let exam = TestServer::service(Service::Exam, exam::CALLERS, services).await;

        let shop = Shop::new(&clock, &content, &lms, &desk, &exam, shutdown.clone()).await;

        let windows = maintenance::Board::new(NOW);
        windows.declare([]);
        let services = maintenance::services(windows.clone(), shutdown.clone());
        let maintenance = TestServer::service(Service::Maintenance, maintenance::CALLERS, services).await;
        Self {
            clock,
            auth,
            lms,
            desk,
            exam,
            shop,
            maintenance,
            windows,
            auth_database,
            lms_database,
            desk_database,
            exam_database,
            exam_secret: exam_config.secret,
            exam_rules: exam_config.rules,
            lms_streams,
            shutdown,
        }
    }

    /// Returns the last event for the desk, which must be of type `Payload`.
    pub(crate) async fn last<Payload: Message + Name + Default>(&self) -> Payload {
        let events = self.events().await;
        let last = events.last().expect("an event is queued");
        assert_eq!(last.r#type, Payload::full_name());
        Payload::decode(last.payload.as_slice()).unwrap()
    }

    /// Returns the last event of this type for the desk.
    pub(crate) async fn latest<Payload: Message + Name + Default>(&self) -> Payload {
        self.events_of_type().await.pop().expect("an event of this type is queued")
    }

    /// Returns all events of this type for the desk, oldest first.
    pub(crate) async fn events_of_type<Payload: Message + Name + Default>(&self) -> Vec<Payload> {
        let events = self.events().await.into_iter().filter(|event| event.r#type == Payload::full_name());
        events.map(|event| Payload::decode(event.payload.as_slice()).unwrap()).collect()
    }

    async fn events(&self) -> Vec<Event> {
        let mut connection = self.auth_database.pool.acquire().await.unwrap();
        Self::outbox().waiting(&mut connection, "desk").await.unwrap()
    }

    /// The outbox of auth.
    pub(crate) fn outbox() -> Outbox {
        let secret: auth::secret::Secret = SECRET.parse().unwrap();
        Outbox::new(secret.outbox())
    }

    /// Stops lms and its streams.
    pub(crate) fn stop_lms(&self) {
        self.lms_streams.begin();
        self.lms.shutdown.begin();
    }

    /// Returns the settings of an edge with these services.
    pub(crate) fn settings(&self) -> Settings {
        let settings = settings(&self.auth.url(), &self.lms.url(), &self.maintenance.url());
        Settings {
            desk_url: self.desk.url(),
            commerce_url: self.shop.server.url(),
            exam_url: self.exam.url(),
            ..settings
        }
    }

    /// Starts an edge with these services.
    pub(crate) async fn edge(&self) -> Edge {
        Edge::new(&self.settings(), self.clock.clock()).await
    }

    /// Declares windows, the first of which is active or announced, and waits until `edge` shows it.
    pub(crate) async fn declare(&self, edge: &Edge, windows: Vec<maintenance::Window>) {
        let first = windows.first().map(|window| window.name.clone());
        self.windows.declare(windows);
        let heard = async {
            loop {
                let answer = edge.get("/api/maintenance/", None).await.json();
                if answer["windows"][0]["name"].as_str().map(str::to_owned) == first {
                    break;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(5), heard).await.expect("the edge shows the windows");
    }
}

/// Returns the settings of an edge with services at these addresses.
pub(crate) fn settings(auth: &str, lms: &str, maintenance: &str) -> Settings {
    let arguments = [
        "edge",
        "serve",
        "--auth-url",
        auth,
        "--lms-url",
        lms,
        // Used only in `World`.
        "--desk-url",
        "http://127.0.0.1:1",
        "--commerce-url",
        "http://127.0.0.1:1",
        "--exam-url",
        "http://127.0.0.1:1",
        "--maintenance-url",
        maintenance,
        "--auth-key",
        CALLER_SECRET,
        "--lms-key",
        CALLER_SECRET,
        "--desk-key",
        CALLER_SECRET,
        "--commerce-key",
        CALLER_SECRET,
        "--exam-key",
        CALLER_SECRET,
        "--maintenance-key",
        CALLER_SECRET,
        "--csrf-secret",
        "a secret of the tests, 32 bytes long",
        "--media-store",
        concat!("file://", env!("CARGO_MANIFEST_DIR"), "/tests/media"),
        "--media-key",
        "a media key of the tests, 32 bytes long",
        "--public-origin",
        ORIGIN,
    ];
    match parse_command(&arguments) {
        edge::config::Command::Serve(serve) => serve.settings,
        edge::config::Command::Schema => unreachable!(),
    }
}

/// Parses a command line as the process does.
fn parse_command<Command: Subcommand>(arguments: &[&str]) -> Command {
    let matches = kit::config::Cli::<Command>::command().get_matches_from(arguments);
    kit::config::Cli::<Command>::from_arg_matches(&matches).unwrap().command
}

/// A running edge.
pub(crate) struct Edge {
    pub(crate) server: TestServer,
    client: Client<HttpConnector, Full<Bytes>>,
    shutdown: Shutdown,
}

impl Drop for Edge {
    fn drop(&mut self) {
        self.shutdown.begin();
    }
}

impl Edge {
    pub(crate) async fn new(settings: &Settings, clock: Clock) -> Self {
        let shutdown = Shutdown::default();
        let app = edge::app(settings, clock, &shutdown).unwrap();
        let client = Client::builder(TokioExecutor::new()).build_http();
        Self { server: TestServer::http(app).await, client, shutdown }
    }

    /// Sends a request with these headers and body.
    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        self.send_bytes(method, path, headers, body.to_owned().into()).await
    }

    /// Sends a request with a binary body.
    pub(crate) async fn send_bytes(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Bytes,
    ) -> Answer {
        let mut request = Request::builder()
            .method(Method::from_bytes(method.as_bytes()).unwrap())
            .uri(format!("{}{path}", self.server.url()));
        for (name, value) in headers {
            request = request.header(*name, http::HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let request = request.body(Full::from(body)).unwrap();
        let (head, body) = self.client.request(request).await.unwrap().into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        assert_ne!(head.status, StatusCode::INTERNAL_SERVER_ERROR, "{method} {path}: {body:?}");
        Answer { status: head.status, headers: head.headers, body }
    }

    /// Sends a request without a body.
    pub(crate) async fn call(&self, method: &str, path: &str, token: Option<&str>) -> Answer {
        match token {
            Some(token) => self.send(method, path, &[("authorization", token)], "").await,
            None => self.send(method, path, &[], "").await,
        }
    }

    pub(crate) async fn get(&self, path: &str, token: Option<&str>) -> Answer {
        self.call("GET", path, token).await
    }

    /// Sends a request with a JSON body.
    pub(crate) async fn with(&self, method: &str, path: &str, token: &str, body: &Value) -> Answer {
        let headers = [("authorization", token), ("content-type", "application/json")];
        self.send(method, path, &headers, &body.to_string()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, &[("content-type", "application/json")], &body.to_string()).await
    }

    /// Signs in. Returns `(access_token, refresh_token)`.
    pub(crate) async fn login(&self, email: &str) -> (String, String) {
        let answer =
            self.post("/api/accounts/login/", &json!({"email": email, "password": PASSWORD})).await.json();
        let token = |name: &str| answer[name].as_str().unwrap().to_owned();
        (token("access_token"), token("refresh_token"))
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Returns the outcome, for example `404 NOT_FOUND`; only the status for a response that is not an error
    /// of the API.
    pub(crate) fn outcome(&self) -> String {
        if self.status.is_success() || self.status.is_redirection() {
            return self.status.as_u16().to_string();
        }
        let media_type = self.header("content-type").unwrap_or_default();
        assert_eq!(media_type, "application/problem+json", "{} {:?}", self.status, self.body);
        let problem = self.json();
        assert_eq!(problem["status"], self.status.as_u16());
        assert_eq!(problem["trace_id"].as_str().unwrap().len(), 32);
        format!("{} {}", self.status.as_u16(), problem["code"].as_str().unwrap())
    }

    /// Returns the response for a snapshot, without values that differ between runs.
    pub(crate) fn promise(&self) -> Value {
        let mut body =
            if self.body.is_empty() { Value::Null } else { serde_json::from_slice(&self.body).unwrap() };
        for secret in ["access_token", "refresh_token", "signup"] {
            if let Some(token) = body.get_mut(secret) {
                *token = "…".into();
            }
        }
        let mut headers = serde_json::Map::new();
        for name in [
            header::ALLOW,
            header::CACHE_CONTROL,
            header::CONTENT_TYPE,
            header::ETAG,
            header::RETRY_AFTER,
            header::SET_COOKIE,
            header::WWW_AUTHENTICATE,
        ] {
            if let Some(value) = self.header(name.as_str()) {
                let value = match name.as_str() {
                    "etag" => "\"…\"".to_owned(),
                    "set-cookie" => {
                        let (cookie, rest) = value.split_once(';').unwrap();
                        format!("{}=…;{rest}", cookie.split_once('=').unwrap().0)
                    }
                    _ => value.to_owned(),
                };
                headers.insert(name.to_string(), value.into());
            }
        }
        json!({"status": self.status.as_u16(), "headers": headers, "body": body})
    }
}
