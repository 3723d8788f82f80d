//! Commerce with the stand-in for the payment provider.

use std::path::Path;
use std::time::Duration;

use aws_lc_rs::hmac;
use bytes::Bytes;
use commerce::provider::Provider;
use commerce::settlement::Settlement;
use http::{Request, header};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kit::caller::{Caller, Service};
use kit::client::Channel;
use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit::test::{CALLER_SECRET, HandClock, TestServer, caller_keys};
use kit_db::outbox::{self, Outbox};
use kit_db::test::TestDatabase;
use kit_pdf::PdfWriter;
use proto::common::DeliverRequest;
use proto::common::event_service_client::EventServiceClient;

use super::{ORIGIN, SECRET, parse_command};

/// The secret of the webhook endpoint.
const WEBHOOK_SECRET: &str = "whsec_test";
/// The font of receipts and reports.
pub(crate) const FONTS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/node_modules/@expo-google-fonts/biz-udpgothic");
const PROVIDER_KEY: &str = "sk_test_key";
/// Where browsers find the sandbox.
const SANDBOX_ORIGIN: &str = "http://sandbox.test";
/// A card that is charged at once.
pub(crate) const GOOD_CARD: &str = "4242424242424242";
/// A card that is declined with `card_declined`.
pub(crate) const DECLINED_CARD: &str = "4000000000000002";

/// A running commerce and its provider.
pub(crate) struct Shop {
    pub(crate) server: TestServer,
    sandbox: TestServer,
    client: Client<HttpConnector, Full<Bytes>>,
    clock: Clock,
    pub(crate) database: TestDatabase,
    outbox: Outbox,
    settlement: Settlement,
    receivers: [(&'static str, Channel); 3],
    shutdown: Shutdown,
}

impl Shop {
    /// Starts both, and delivers the prices to `lms`. Nothing is dispatched before [`Shop::dispatch`].
    pub(crate) async fn new(
        clock: &HandClock,
        content: &Path,
        lms: &TestServer,
        desk: &TestServer,
        exam: &TestServer,
        shutdown: Shutdown,
    ) -> Self {
        let database = TestDatabase::new(&commerce::MIGRATIONS).await;
        let sandbox = start_sandbox(clock.clock(), shutdown.clone()).await;
        let commerce::config::Command::Serve(config) = parse_command(&[
            "commerce",
            "serve",
            "--database-url",
            &database.url,
            "--secret",
            SECRET,
            "--lms-url",
            "http://127.0.0.1:1",
            "--lms-key",
            CALLER_SECRET,
            "--desk-url",
            "http://127.0.0.1:1",
            "--desk-key",
            CALLER_SECRET,
            "--exam-url",
            "http://127.0.0.1:1",
            "--exam-key",
            CALLER_SECRET,
            "--site-url",
            ORIGIN,
            "--fonts",
            FONTS,
            "--provider-url",
            &sandbox.url(),
            "--provider-key",
            PROVIDER_KEY,
            "--provider-webhook-secret",
            WEBHOOK_SECRET,
            "--caller-keys",
            &caller_keys(),
        ]) else {
            unreachable!()
        };
        let outbox = config.secret.outbox().unwrap();
        commerce::import_folder(&database.pool, &outbox, &clock.clock(), content, false).await.unwrap();
        let channel = |receiver: &TestServer| receiver.channel_as(Caller::service(Service::Commerce));
        let receivers = [
            (Service::Lms.name(), channel(lms)),
            (Service::Desk.name(), channel(desk)),
            (Service::Exam.name(), channel(exam)),
        ];
        deliver_prices(&outbox, &database, &receivers[0].1).await;
        let provider = Provider::new(&config.provider).unwrap();
        let settlement =
            Settlement::new(database.pool.clone(), provider, outbox.clone(), clock.clock(), &config.site_url);
        let services = commerce::services(commerce::Commerce {
            pool: database.pool.clone(),
            clock: clock.clock(),
            lms: channel(lms),
            issuer: config.issuer,
            pdf_writer: PdfWriter::load(&config.fonts).unwrap(),
            settlement: settlement.clone(),
            keyed_hash: config.secret.keyed_hash().unwrap(),
        });
        Self {
            server: TestServer::service(Service::Commerce, commerce::CALLERS, services).await,
            sandbox,
            client: Client::builder(TokioExecutor::new()).build_http(),
            clock: clock.clock(),
            database,
            outbox,
            settlement,
            receivers,
            shutdown,
        }
    }

    /// Starts the background work of commerce: it processes events of the provider, and delivers its own.
    pub(crate) fn dispatch(&self) {
        self.settlement.spawn(Duration::from_millis(100), &self.shutdown);
        let (pool, receivers) = (&self.database.pool, self.receivers.clone());
        outbox::spawn(&self.outbox, receivers, pool, &self.clock, &self.shutdown);
    }

    /// Pays on the provider's page. Returns where the browser is sent.
    pub(crate) async fn pay(&self, page_url: &str, card: &str) -> String {
        let path = page_url.strip_prefix(SANDBOX_ORIGIN).unwrap();
        self.post(path, &format!("number={card}&expiry=12%2F30&cvc=123")).await
    }

    /// Makes the provider answer every call of its API with 503.
    pub(crate) async fn break_provider(&self) {
        self.post("/tool/answers", "fault=unavailable").await;
    }

    async fn post(&self, path: &str, form: &str) -> String {
        let request = Request::post(format!("{}{path}", self.sandbox.url()))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Full::from(form.to_owned()))
            .unwrap();
        let answer = self.client.request(request).await.unwrap();
        let location = answer.headers().get(header::LOCATION).map(|url| url.to_str().unwrap().to_owned());
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        location.unwrap_or_else(|| panic!("{path}: {body:?}"))
    }

    /// Signs an event as the provider does.
    pub(crate) fn sign(&self, body: &str) -> String {
        let time = self.clock.now().unix_timestamp();
        let key = hmac::Key::new(hmac::HMAC_SHA256, WEBHOOK_SECRET.as_bytes());
        let tag = hmac::sign(&key, format!("{time}.{body}").as_bytes());
        format!("t={time},v1={}", hex::encode(tag))
    }
}

/// Starts the sandbox. No server receives its events: the tests send them.
async fn start_sandbox(clock: Clock, shutdown: Shutdown) -> TestServer {
    let sandbox::config::Command::Serve(config) = parse_command(&[
        "sandbox",
        "serve",
        "--url",
        SANDBOX_ORIGIN,
        "--key",
        PROVIDER_KEY,
        "--webhook-secret",
        WEBHOOK_SECRET,
        "--webhook-url",
        "http://127.0.0.1:1/",
    ]);
    TestServer::http(sandbox::start(&config.settings, clock, shutdown).unwrap()).await
}

/// Delivers the events in the outbox to lms.
async fn deliver_prices(outbox: &Outbox, database: &TestDatabase, lms: &Channel) {
    let mut connection = database.pool.acquire().await.unwrap();
    let mut lms = EventServiceClient::new(lms.clone());
    for event in outbox.waiting(&mut connection, "lms").await.unwrap() {
        lms.deliver(DeliverRequest { event: Some(event) }).await.unwrap();
    }
}
