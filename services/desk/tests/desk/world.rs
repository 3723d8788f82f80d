//! A desk with a database of its own and a mail server.

use std::time::Duration;

use clap::Parser as _;
use desk::config::{Command, Serve};
use kit::caller::{Caller, Service};
use kit::client::Channel;
use kit::config::Cli;
use kit::shutdown::Shutdown;
use kit::test::{HandClock, TestServer, account as caller_with, anyone, caller_keys};
use kit_db::test::TestDatabase;
use prost::{Message, Name};
use proto::common::event_service_client::EventServiceClient;
use proto::common::{DeliverRequest, Event};
use proto::desk::mail_service_client::MailServiceClient;
use proto::desk::{ExportRequest, Mail};
use sqlx::{Executor as _, Row as _};
use time::OffsetDateTime;
use time::macros::datetime;
use tonic::Status;
use uuid::Uuid;

pub(crate) const NOW: OffsetDateTime = datetime!(2026-11-21 09:00 UTC);
pub(crate) const SECRET: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
pub(crate) const ACCOUNT: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4aff";

pub(crate) struct World {
    pub(crate) database: TestDatabase,
    pub(crate) clock: HandClock,
}

/// One running desk.
pub(crate) struct Desk {
    pub(crate) server: TestServer,
    shutdown: Shutdown,
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.shutdown.begin();
    }
}

impl World {
    pub(crate) async fn new() -> Self {
        Self { database: TestDatabase::new(&desk::MIGRATIONS).await, clock: HandClock::at(NOW) }
    }

    pub(crate) fn config(&self, smtp: &str) -> Serve {
        self.config_with(smtp, &[])
    }

    /// With further arguments.
    pub(crate) fn config_with(&self, smtp: &str, more: &[&str]) -> Serve {
        let keys = caller_keys();
        let arguments = [
            "desk",
            "serve",
            "--database-url",
            &self.database.url,
            "--secret",
            SECRET,
            "--public-origin",
            "https://www.konomana.test",
            "--mail-from",
            "no-reply@konomana.test",
            "--contact-to",
            "support@konomana.test",
            "--smtp-url",
            smtp,
            "--caller-keys",
            &keys,
        ];
        match Cli::<Command>::parse_from(arguments.iter().chain(more)).command {
            Command::Serve(config) => *config,
            _ => unreachable!("the command is `serve`"),
        }
    }

    /// A desk that sends through the mail server at `smtp`.
    pub(crate) async fn serve(&self, smtp: &str) -> Desk {
        self.serve_as(self.config(smtp)).await
    }

    /// A desk with these settings.
    pub(crate) async fn serve_as(&self, config: Serve) -> Desk {
        let (shutdown, clock) = (Shutdown::default(), self.clock.clock());
        let (pool, encryptor) = (self.database.pool.clone(), config.secret.encryptor().unwrap());
        let wake = desk::dispatcher::spawn(&config, &pool, &encryptor, &clock, &shutdown).unwrap();
        let services = desk::services(&config, pool, clock, wake).unwrap();
        Desk { server: TestServer::service(Service::Desk, desk::CALLERS, services).await, shutdown }
    }

    /// Queries the first column of all rows, as text.
    pub(crate) async fn text(&self, sql: &'static str) -> Vec<String> {
        let mut connection = self.database.pool.acquire().await.unwrap();
        let rows = connection.fetch_all(sqlx::raw_sql(sql)).await.unwrap();
        rows.iter().map(|row| row.get::<Option<String>, _>(0).unwrap_or_default()).collect()
    }

    /// Waits until the query returns these values.
    pub(crate) async fn comes_to(&self, sql: &'static str, wanted: &[&str]) {
        let waiting = async {
            while self.text(sql).await != wanted {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let came = tokio::time::timeout(Duration::from_secs(15), waiting).await;
        assert!(came.is_ok(), "{:?} is not {wanted:?}", self.text(sql).await);
    }
}

impl Desk {
    /// A channel of the edge without a signed-in user.
    pub(crate) fn channel(&self) -> Channel {
        self.server.channel_as(anyone())
    }

    /// Delivers an event, as auth does.
    pub(crate) async fn tell<Payload: Message + Name>(&self, payload: &Payload) -> Event {
        let event = event(payload);
        self.deliver(&event).await.expect("the event is taken");
        event
    }

    pub(crate) async fn deliver(&self, event: &Event) -> Result<(), Status> {
        self.deliver_as(Service::Auth, event).await
    }

    /// Delivers an event, as `sender` does.
    pub(crate) async fn deliver_as(&self, sender: Service, event: &Event) -> Result<(), Status> {
        let request = DeliverRequest { event: Some(event.clone()) };
        EventServiceClient::new(self.server.channel_as(Caller::service(sender)))
            .deliver(request)
            .await
            .map(drop)
    }

    pub(crate) async fn export(&self, account: &str) -> Vec<Mail> {
        let channel = self.server.channel_as(caller_with(account.parse().unwrap(), &[]));
        MailServiceClient::new(channel).export(ExportRequest::default()).await.unwrap().into_inner().mails
    }
}

pub(crate) fn event<Payload: Message + Name>(payload: &Payload) -> Event {
    event_at(NOW, payload)
}

/// An event of this time. A desk in a process of its own uses the system clock.
pub(crate) fn event_at<Payload: Message + Name>(occurred_at: OffsetDateTime, payload: &Payload) -> Event {
    Event {
        id: Uuid::now_v7().to_string(),
        r#type: Payload::full_name(),
        payload: payload.encode_to_vec(),
        occurred_at: Some(timestamp(occurred_at)),
    }
}

pub(crate) fn timestamp(time: OffsetDateTime) -> prost_types::Timestamp {
    prost_types::Timestamp { seconds: time.unix_timestamp(), nanos: 0 }
}
