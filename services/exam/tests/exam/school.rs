//! A small school for tests: a folder of content, a database, a running service, and a clock that
//! tests move.

use std::fs;
use std::path::{Path, PathBuf};

use kit::caller::{Caller, Service};
use kit::client::Channel;
use kit::test::{HandClock, TestServer, anyone};
use kit::timestamp::to_timestamp;
use kit_content::Difference;
use kit_db::test::TestDatabase;
use prost::{Message, Name};
use proto::common::event_service_client::EventServiceClient;
use proto::common::{DeliverRequest, Event};
use proto::exam::application_service_client::ApplicationServiceClient;
use proto::exam::check_service_client::CheckServiceClient;
use proto::exam::exam_service_client::ExamServiceClient;
use proto::exam::school_service_client::SchoolServiceClient;
use time::OffsetDateTime;
use time::macros::datetime;
use uuid::Uuid;

/// The start of every test: Friday noon in Tokyo. Both exams are open for application and have not
/// started.
pub(crate) const NOON: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);

pub(crate) struct School {
    pub(crate) folder: Folder,
    pub(crate) clock: HandClock,
    pub(crate) database: TestDatabase,
    pub(crate) server: TestServer,
}

impl School {
    /// Opens a school with the content of `tests/content`.
    pub(crate) async fn open() -> Self {
        let school = Self::empty().await;
        school.import().await.unwrap();
        school
    }

    /// Opens the same school before its import.
    pub(crate) async fn empty() -> Self {
        let database = TestDatabase::new(&exam::MIGRATIONS).await;
        let clock = HandClock::at(NOON);
        let services = exam::services(
            database.pool.clone(),
            clock.clock(),
            crate::hall::RULES,
            crate::hall::receipt_keys(),
            crate::hall::pdf_writer(),
        );
        let server = TestServer::service(Service::Exam, exam::CALLERS, services).await;
        Self { folder: Folder::new(), clock, database, server }
    }

    /// Imports the folder. The error is the text of the faults.
    pub(crate) async fn import(&self) -> Result<Difference, String> {
        self.import_as(false).await
    }

    /// Returns what an import would change.
    pub(crate) async fn try_import(&self) -> Result<Difference, String> {
        self.import_as(true).await
    }

    async fn import_as(&self, dry_run: bool) -> Result<Difference, String> {
        exam::import_folder(&self.database.pool, &self.clock.clock(), &self.folder.path, dry_run)
            .await
            .map_err(|error| error.to_string())
    }

    /// Lists the faults of an import.
    pub(crate) async fn faults(&self) -> Vec<String> {
        let faults = self.import().await.unwrap_err();
        faults.lines().skip(1).map(str::to_owned).collect()
    }

    pub(crate) fn exams(&self) -> ExamServiceClient<Channel> {
        ExamServiceClient::new(self.server.channel_as(anyone()))
    }

    pub(crate) fn checks(&self) -> CheckServiceClient<Channel> {
        CheckServiceClient::new(self.server.channel_as(anyone()))
    }

    pub(crate) fn schools(&self) -> SchoolServiceClient<Channel> {
        SchoolServiceClient::new(self.server.channel_as(anyone()))
    }

    pub(crate) fn applications(&self, learner: Uuid) -> ApplicationServiceClient<Channel> {
        ApplicationServiceClient::new(self.server.channel_as(kit::test::learner(learner)))
    }

    /// Delivers an event as the outbox of `sender` does.
    pub(crate) async fn deliver<Payload: Message + Name>(
        &self,
        sender: Service,
        id: Uuid,
        payload: &Payload,
    ) {
        let event = Event {
            id: id.to_string(),
            r#type: Payload::full_name(),
            payload: payload.encode_to_vec(),
            occurred_at: Some(to_timestamp(NOON)),
        };
        let channel = self.server.channel_as(Caller::service(sender));
        let request = DeliverRequest { event: Some(event) };
        EventServiceClient::new(channel).deliver(request).await.unwrap();
    }
}

/// Returns the id of a new learner.
pub(crate) fn learner() -> Uuid {
    Uuid::now_v7()
}

/// A copy of `tests/content`. It is deleted at the end of the test.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
}

impl Folder {
    fn new() -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(Uuid::now_v7().to_string());
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/content"), &path);
        Self { path }
    }

    /// Replaces a text. Panics if the file does not contain it.
    pub(crate) fn replace(&self, file: &str, text: &str, by: &str) {
        let path = self.path.join(file);
        let content = fs::read_to_string(&path).unwrap();
        assert!(content.contains(text), "{file} has no {text}");
        fs::write(path, content.replacen(text, by, 1)).unwrap();
    }

    pub(crate) fn remove(&self, file: &str) {
        fs::remove_file(self.path.join(file)).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}
