//! A sender's database, and a receiver that reports its events.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kit::client::Channel;
use kit::encryption::Encryptor;
use kit::shutdown::Shutdown;
use kit::test::{HandClock, TestServer};
use kit_db::Pool;
use kit_db::config::Database;
use kit_db::outbox::{self, Outbox};
use kit_db::test::TestDatabase;
use prost::{Message as _, Name};
use proto::common::event_service_server::{EventService, EventServiceServer};
use proto::common::{DeliverRequest, DeliverResponse, Event};
use proto::event::EventPayload;
use sqlx::{Executor as _, Row as _};
use time::OffsetDateTime;
use time::macros::datetime;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tonic::service::Routes;
use tonic::{Request, Response, Status};

pub(crate) const NOW: OffsetDateTime = datetime!(2026-11-21 09:00 UTC);
static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("tests/kit_db/outbox/migrations");

/// An event for desk.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ForDesk {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
}

impl Name for ForDesk {
    const NAME: &'static str = "ForDesk";
    const PACKAGE: &'static str = "test.v1";
}

impl EventPayload for ForDesk {
    const SENDER: &'static str = "auth";
    const RECEIVERS: &'static [&'static str] = &["desk"];
}

/// An event for desk and for a receiver that does not run.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ForBoth {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
}

impl Name for ForBoth {
    const NAME: &'static str = "ForBoth";
    const PACKAGE: &'static str = "test.v1";
}

impl EventPayload for ForBoth {
    const SENDER: &'static str = "auth";
    const RECEIVERS: &'static [&'static str] = &["gone", "desk"];
}

/// Encodes the payload.
pub(crate) fn payload(name: &str) -> Vec<u8> {
    ForDesk { name: name.to_owned() }.encode_to_vec()
}

/// A sender.
pub(crate) struct World {
    pub(crate) database: TestDatabase,
    pub(crate) outbox: Outbox,
    pub(crate) clock: HandClock,
}

/// Delivers until it is dropped.
pub(crate) struct Dispatchers(Shutdown);

impl Drop for Dispatchers {
    fn drop(&mut self) {
        self.0.begin();
    }
}

impl World {
    pub(crate) async fn new() -> Self {
        let outbox = Outbox::new(Encryptor::new([7; 32]));
        Self { database: TestDatabase::new(&MIGRATIONS).await, outbox, clock: HandClock::at(NOW) }
    }

    pub(crate) async fn add(&self, name: &str, now: OffsetDateTime) {
        self.publish(&ForDesk { name: name.to_owned() }, now).await;
    }

    pub(crate) async fn publish(&self, event: &impl EventPayload, now: OffsetDateTime) {
        let mut connection = self.database.pool.acquire().await.unwrap();
        self.outbox.publish(&mut connection, event, now).await.unwrap();
    }

    /// A process that delivers to desk.
    pub(crate) fn dispatcher(&self, desk: Channel) -> Dispatchers {
        self.dispatchers([("desk", desk)])
    }

    pub(crate) fn dispatchers<const COUNT: usize>(
        &self,
        receivers: [(&'static str, Channel); COUNT],
    ) -> Dispatchers {
        self.dispatchers_on(&self.database.pool, receivers)
    }

    /// The same, in a process with its own pool.
    pub(crate) async fn process(&self, desk: Channel) -> Dispatchers {
        let pool = Pool::connect(&Database::new(self.database.url.clone(), 8)).await.unwrap();
        self.dispatchers_on(&pool, [("desk", desk)])
    }

    fn dispatchers_on<const COUNT: usize>(
        &self,
        pool: &Pool,
        receivers: [(&'static str, Channel); COUNT],
    ) -> Dispatchers {
        let shutdown = Shutdown::default();
        outbox::spawn(&self.outbox, receivers, pool, &self.clock.clock(), &shutdown);
        Dispatchers(shutdown)
    }

    pub(crate) async fn waiting(&self, receiver: &str) -> Vec<Event> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        self.outbox.waiting(&mut connection, receiver).await.unwrap()
    }

    /// The first column, of type text, of every row.
    pub(crate) async fn text(&self, sql: &'static str) -> Vec<String> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        let rows = connection.fetch_all(sqlx::raw_sql(sql)).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// Waits until the outbox is empty.
    pub(crate) async fn is_empty(&self) {
        self.until("SELECT 'one' FROM outbox", <[String]>::is_empty).await;
    }

    /// Waits until the delivery of the single waiting event has failed.
    pub(crate) async fn tried(&self) {
        // The pause is less than a lease, so the attempt has ended.
        let failed =
            "SELECT 'one' FROM outbox WHERE tries > 0 AND next_try_at - occurred_at < interval '3 seconds'";
        self.until(failed, |rows| rows.len() == 1).await;
    }

    pub(crate) async fn until(&self, sql: &'static str, enough: impl Fn(&[String]) -> bool) {
        let waiting = async {
            while !enough(&self.text(sql).await) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("the condition is met in time");
    }
}

/// A receiver.
#[derive(Clone)]
pub(crate) struct Receiver {
    taken: mpsc::UnboundedSender<Event>,
    refusals: Arc<AtomicU32>,
    /// The payloads of unknown types.
    unknown: Arc<Mutex<Vec<Vec<u8>>>>,
    hangs: watch::Sender<bool>,
}

impl Receiver {
    /// A receiver, and the events delivered to it, whether or not it takes them.
    pub(crate) fn new() -> (Self, mpsc::UnboundedReceiver<Event>) {
        let (taken, events) = mpsc::unbounded_channel();
        (
            Self {
                taken,
                refusals: Arc::default(),
                unknown: Arc::default(),
                hangs: watch::Sender::new(false),
            },
            events,
        )
    }

    /// Refuses the next `count` events.
    pub(crate) fn refuse(&self, count: u32) {
        self.refusals.store(count, Ordering::Relaxed);
    }

    /// Makes the types of events with these names unknown.
    pub(crate) fn set_unknown(&self, names: &[&str]) {
        *self.unknown.lock().unwrap() = names.iter().map(|name| payload(name)).collect();
    }

    /// Delays all answers while `hangs` is true.
    pub(crate) fn hang(&self, hangs: bool) {
        self.hangs.send_replace(hangs);
    }

    fn routes(&self) -> Routes {
        Routes::new(EventServiceServer::new(self.clone()))
    }

    pub(crate) async fn serve(&self) -> TestServer {
        TestServer::grpc(self.routes()).await
    }

    /// Serves at the address of another process.
    pub(crate) async fn serve_at(&self, address: SocketAddr) -> Dispatchers {
        let shutdown = Shutdown::default();
        let listener = TcpListener::bind(address).await.unwrap();
        let (routes, end) = (self.routes(), shutdown.clone());
        kit::task::spawn_untracked("receiver", async move {
            let at_once = kit::config::Serve {
                drain_delay: Duration::ZERO,
                drain_limit: Duration::from_secs(1),
                metrics_listen: None,
            };
            kit::serve::grpc(&at_once, listener, kit::test::open_to_all(), routes, axum::Router::new(), end)
                .await
                .unwrap();
        });
        Dispatchers(shutdown)
    }
}

#[tonic::async_trait]
impl EventService for Receiver {
    async fn deliver(&self, request: Request<DeliverRequest>) -> Result<Response<DeliverResponse>, Status> {
        let event = request.into_inner().event.unwrap();
        let is_unknown = self.unknown.lock().unwrap().contains(&event.payload);
        self.taken.send(event).unwrap();
        if is_unknown {
            return Err(Status::unimplemented("an unknown type"));
        }
        let _ = self.hangs.subscribe().wait_for(|hangs| !hangs).await;
        let refuses =
            self.refusals.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        match refuses {
            Ok(_) => Err(Status::internal("not now")),
            Err(_) => Ok(Response::new(DeliverResponse {})),
        }
    }
}
