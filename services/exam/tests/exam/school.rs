//! A small school to test with: a database, a running service, a clock moved by hand.

use kit::caller::Service;
use kit::test::{HandClock, TestServer};
use kit_db::test::TestDatabase;
use time::OffsetDateTime;
use time::macros::datetime;

/// When every test begins: Friday noon in Tokyo.
pub(crate) const NOON: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);

pub(crate) struct School {
    pub(crate) server: TestServer,
    /// In use as long as the service runs.
    _database: TestDatabase,
}

impl School {
    pub(crate) async fn open() -> Self {
        let database = TestDatabase::new(&exam::MIGRATIONS).await;
        let clock = HandClock::at(NOON);
        let services = exam::services(database.pool.clone(), clock.clock(), crate::hall::RULES);
        let server = TestServer::service(Service::Exam, exam::CALLERS, services).await;
        Self { server, _database: database }
    }
}
