//! An exam hall for tests: two exams in a database, a running service, a clock that tests move, and
//! candidates with their devices.

#![expect(clippy::unnecessary_wraps, reason = "a blank answer is `None`")]

use std::path::Path;

use exam::ReceiptKeys;
use exam::config::Rules;
use exam::jobs::Jobs;
use exam::sealing::Sealing;
use kit::caller::Service;
use kit::client::Channel;
use kit::encryption::{Encryptor, Secret};
use kit::error::ServiceError;
use kit::shutdown::Shutdown;
use kit::test::{CALLER_SECRET, HandClock, TestServer};
use kit::timestamp::{from_timestamp, to_timestamp};
use kit_db::outbox::Outbox;
use kit_db::test::TestDatabase;
use kit_pdf::PdfWriter;
use prost_types::Timestamp;
use proto::exam::answer::Of;
use proto::exam::sitting_service_client::SittingServiceClient;
use proto::exam::{
    Answer, AnswerToSave, Choices, Device, FindSittingRequest, HandInSittingRequest, SaveAnswersRequest,
    SaveAnswersResponse, Sitting, StartSittingRequest, TakeOverSittingRequest, Transcript,
};
use serde_json::json;
use sqlx::PgConnection;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use tonic::{Response, Status};
use uuid::Uuid;

/// The start of every test and of exam 1.
pub(crate) const START: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);
/// The end of exam 1.
pub(crate) const END: OffsetDateTime = datetime!(2026-11-20 08:00 UTC);
/// A paper of exam 1, of 50 minutes.
pub(crate) const PAPER: i64 = 11;
/// Another paper of exam 1, of 40 minutes.
pub(crate) const OTHER_PAPER: i64 = 12;
/// A paper of 50 minutes. Its exam lasts for years.
pub(crate) const LONG_PAPER: i64 = 21;
/// Questions of `PAPER`: one of four choices, several choices, a number, a text, and one of four
/// choices in the author's order. The other papers have the same questions; see [`question_of`].
pub(crate) const SINGLE: i64 = 1101;
pub(crate) const MULTIPLE: i64 = 1102;
pub(crate) const NUMBER: i64 = 1103;
pub(crate) const TEXT: i64 = 1104;
pub(crate) const ORDERED: i64 = 1105;
/// Texts of keys and explanations. No response may contain one.
pub(crate) const SECRETS: [&str; 3] = ["7315924680", "key-word-of-the-test", "explanation-of-the-test"];

/// The default rules.
pub(crate) const RULES: Rules = Rules { grace: Duration::seconds(120) };
/// `EXAM_RECEIPT_KEY` of every test.
pub(crate) const RECEIPT_KEY: &str = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";
pub(crate) const MINUTE: Duration = Duration::MINUTE;
pub(crate) const SECOND: Duration = Duration::SECOND;

/// The font of reports.
pub(crate) const FONTS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/node_modules/@expo-google-fonts/biz-udpgothic");

pub(crate) fn pdf_writer() -> PdfWriter {
    PdfWriter::load(Path::new(FONTS)).unwrap()
}

/// The keys of receipts.
pub(crate) fn receipt_keys() -> ReceiptKeys {
    ReceiptKeys::new(RECEIPT_KEY, &[]).unwrap()
}

/// The outbox of every replica.
pub(crate) fn outbox() -> Outbox {
    let secret: Secret = CALLER_SECRET.parse().unwrap();
    Outbox::new(Encryptor::new(secret.key("exam", "outbox")))
}

pub(crate) struct Hall {
    pub(crate) clock: HandClock,
    pub(crate) database: TestDatabase,
    pub(crate) server: TestServer,
}

impl Hall {
    pub(crate) async fn open() -> Self {
        let database = TestDatabase::new(&exam::MIGRATIONS).await;
        let clock = HandClock::at(START);
        let services =
            exam::services(database.pool.clone(), clock.clock(), RULES, receipt_keys(), pdf_writer());
        let server = TestServer::service(Service::Exam, exam::CALLERS, services).await;
        let hall = Self { clock, database, server };
        let mut connection = hall.connection().await;
        sqlx::query!("INSERT INTO school (id, name, kana, prefecture, counts_school_marks, search) VALUES (1, '', '', '', false, '')")
            .execute(&mut *connection)
            .await
            .unwrap();
        sqlx::query!(
            "INSERT INTO department (id, school_id, position, name, border_tenths) VALUES (1, 1, 1, '', 500)"
        )
        .execute(&mut *connection)
        .await
        .unwrap();
        write_exam(&mut connection, 1, END, &[(PAPER, 50), (OTHER_PAPER, 40)]).await;
        write_exam(&mut connection, 2, START + Duration::DAY * 4_000, &[(LONG_PAPER, 50)]).await;
        drop(connection);
        hall
    }

    pub(crate) fn now(&self) -> OffsetDateTime {
        self.clock.clock().now()
    }

    pub(crate) async fn connection(&self) -> sqlx::pool::PoolConnection<sqlx::Postgres> {
        self.database.pool.acquire().await.unwrap()
    }

    /// A learner with a seat and all steps done in both exams.
    pub(crate) async fn admit(&self) -> Candidate<'_> {
        let learner = Uuid::new_v4();
        let mut connection = self.connection().await;
        for exam in [1, 2] {
            self.seat(&mut connection, learner, exam).await;
            self.apply(&mut connection, learner, exam).await;
        }
        self.candidate(learner)
    }

    /// A learner without a seat.
    pub(crate) fn stranger(&self) -> Candidate<'_> {
        self.candidate(Uuid::new_v4())
    }

    fn candidate(&self, id: Uuid) -> Candidate<'_> {
        let channel = self.server.channel_as(kit::test::learner(id));
        Candidate { hall: self, id, client: SittingServiceClient::new(channel) }
    }

    pub(crate) async fn seat(&self, connection: &mut PgConnection, learner: Uuid, exam: i64) {
        sqlx::query!(
            "INSERT INTO seat (learner_id, exam_id, granted_at) VALUES ($1, $2, $3)",
            learner,
            exam,
            START,
        )
        .execute(connection)
        .await
        .unwrap();
    }

    async fn apply(&self, connection: &mut PgConnection, learner: Uuid, exam: i64) {
        sqlx::query!(
            "
            INSERT INTO application (
                learner_id, exam_id, last_name, first_name, last_kana, first_kana, school_year, school_name,
                prefecture, created_at, updated_at
            )
            VALUES ($1, $2, '', '', '', '', '', '', '', $3, $3)
            ",
            learner,
            exam,
            START,
        )
        .execute(&mut *connection)
        .await
        .unwrap();
        sqlx::query!(
            "
            INSERT INTO desired_school (learner_id, exam_id, rank, school_id, department_id)
            VALUES ($1, $2, 1, 1, 1)
            ",
            learner,
            exam,
        )
        .execute(&mut *connection)
        .await
        .unwrap();
        sqlx::query!(
            "
            INSERT INTO device_check (
                learner_id, exam_id, device_id, browser, clock_offset_ms, storage_kept, round_trip_ms, sound,
                quiet_place, passed, checked_at
            )
            VALUES ($1, $2, $3, '', 0, true, 20, true, true, true, $4)
            ",
            learner,
            exam,
            Uuid::new_v4(),
            START,
        )
        .execute(connection)
        .await
        .unwrap();
    }

    /// The sealing job of one replica.
    pub(crate) fn sealing(&self) -> Sealing {
        Sealing::new(self.database.pool.clone(), self.clock.clock(), RULES)
    }

    /// Runs the sealing job once. Returns the number of sealed sittings.
    pub(crate) async fn seal(&self) -> usize {
        self.sealing().seal_due().await.unwrap()
    }

    /// Runs the jobs in the background.
    pub(crate) fn spawn_jobs(&self) -> Shutdown {
        let shutdown = Shutdown::default();
        let jobs = Jobs::new(self.database.pool.clone(), outbox(), self.clock.clock(), RULES);
        jobs.spawn(shutdown.clone());
        shutdown
    }

    /// Returns the stored bytes of a transcript.
    pub(crate) async fn document(&self, sitting: &str) -> Option<Vec<u8>> {
        let id: Uuid = sitting.parse().unwrap();
        let mut connection = self.connection().await;
        sqlx::query_scalar!("SELECT transcript FROM sitting WHERE id = $1", id)
            .fetch_one(&mut *connection)
            .await
            .unwrap()
    }
}

/// Writes an exam from `START` to `end`. `papers` are ids and minutes.
async fn write_exam(connection: &mut PgConnection, id: i64, end: OffsetDateTime, papers: &[(i64, i32)]) {
    sqlx::query!(
        "
        INSERT INTO exam (
            id, name, description, school_year, application_opens_at, application_closes_at, starts_at, ends_at,
            results_at
        )
        VALUES ($1, '', '', '', $2, $2, $2, $3, $3)
        ",
        id,
        START,
        end,
    )
    .execute(&mut *connection)
    .await
    .unwrap();
    for (position, (paper, minutes)) in (1..).zip(papers) {
        sqlx::query!(
            "
            INSERT INTO paper (id, exam_id, position, subject, minutes, question_count, points, revision)
            VALUES ($1, $2, $3, '英語', $4, 5, 25, 1)
            ",
            paper,
            id,
            position,
            minutes,
        )
        .execute(&mut *connection)
        .await
        .unwrap();
        let four = ["一", "二", "三", "四"];
        let questions = [
            ("single", &four[..], false, json!({"choices": [2]})),
            ("multiple", &four, false, json!({"choices": [1, 3]})),
            ("number", &[], false, json!({"number": SECRETS[0]})),
            ("text", &[], false, json!({"texts": [SECRETS[1]]})),
            ("single", &four, true, json!({"choices": [4]})),
        ];
        for (number, (kind, choices, is_ordered, key)) in (1..).zip(questions) {
            let content = json!({
                "kind": kind, "prompt": format!("問{number}"), "figures": [], "choices": choices,
                "is_ordered": is_ordered, "points": 5, "key": key, "explanation": SECRETS[2], "lesson_id": null,
            });
            sqlx::query!(
                "INSERT INTO question (id, paper_id, number, content) VALUES ($1, $2, $3, $4)",
                paper * 100 + i64::from(number),
                paper,
                number,
                content,
            )
            .execute(&mut *connection)
            .await
            .unwrap();
        }
    }
}

/// Returns the question of another paper that is the same as `question` of `PAPER`.
pub(crate) fn question_of(paper: i64, question: i64) -> i64 {
    question - PAPER * 100 + paper * 100
}

/// A browser and the error of its clock.
#[derive(Clone, Copy)]
pub(crate) struct Browser {
    pub(crate) id: Uuid,
    pub(crate) error: Duration,
}

impl Browser {
    pub(crate) fn new() -> Self {
        Self::with_clock(Duration::ZERO)
    }

    pub(crate) fn with_clock(error: Duration) -> Self {
        Self { id: Uuid::new_v4(), error }
    }

    /// Returns the device's time at a time of the server.
    pub(crate) fn time(&self, at: OffsetDateTime) -> Timestamp {
        to_timestamp(at + self.error)
    }

    pub(crate) fn device(&self, now: OffsetDateTime) -> Device {
        Device { id: self.id.to_string(), time: Some(self.time(now)) }
    }
}

/// A learner who sits papers.
pub(crate) struct Candidate<'a> {
    pub(crate) hall: &'a Hall,
    pub(crate) id: Uuid,
    pub(crate) client: SittingServiceClient<Channel>,
}

impl Candidate<'_> {
    pub(crate) async fn start(&self, paper: i64, browser: &Browser) -> Result<Sitting, ServiceError> {
        let device = Some(browser.device(self.hall.now()));
        let request = StartSittingRequest { paper_id: paper, device, resume_only: false };
        let response = inner(self.client.clone().start_sitting(request).await)?;
        Ok(response.sitting.unwrap())
    }

    pub(crate) async fn find(&self, sitting: &str, browser: &Browser) -> Result<Sitting, ServiceError> {
        let request = FindSittingRequest { id: sitting.to_owned(), device_id: Some(browser.id.to_string()) };
        Ok(inner(self.client.clone().find_sitting(request).await)?.sitting.unwrap())
    }

    /// Saves answers that were given just now.
    pub(crate) async fn save(
        &self,
        sitting: &str,
        browser: &Browser,
        epoch: i32,
        answers: Vec<AnswerToSave>,
    ) -> Result<SaveAnswersResponse, ServiceError> {
        self.send(self.message(sitting, browser, epoch, answers)).await
    }

    /// Makes the message that the browser would send now.
    pub(crate) fn message(
        &self,
        sitting: &str,
        browser: &Browser,
        epoch: i32,
        answers: Vec<AnswerToSave>,
    ) -> SaveAnswersRequest {
        let now = self.hall.now();
        let stamp = |row: AnswerToSave| AnswerToSave {
            answered_at: row.answered_at.or_else(|| Some(browser.time(now))),
            ..row
        };
        SaveAnswersRequest {
            id: sitting.to_owned(),
            device: Some(browser.device(now)),
            epoch,
            pending: 0,
            answers: answers.into_iter().map(stamp).collect(),
            away_seconds: 0,
            question_times: Vec::new(),
        }
    }

    pub(crate) async fn send(
        &self,
        message: SaveAnswersRequest,
    ) -> Result<SaveAnswersResponse, ServiceError> {
        inner(self.client.clone().save_answers(message).await)
    }

    pub(crate) async fn take_over(&self, sitting: &str, browser: &Browser) -> Result<Sitting, ServiceError> {
        let device = Some(browser.device(self.hall.now()));
        let request = TakeOverSittingRequest { id: sitting.to_owned(), device };
        Ok(inner(self.client.clone().take_over_sitting(request).await)?.sitting.unwrap())
    }

    pub(crate) async fn hand_in(
        &self,
        sitting: &str,
        browser: &Browser,
        epoch: i32,
    ) -> Result<Transcript, ServiceError> {
        let request =
            HandInSittingRequest { id: sitting.to_owned(), device_id: browser.id.to_string(), epoch };
        Ok(inner(self.client.clone().hand_in_sitting(request).await)?.transcript.unwrap())
    }
}

fn inner<Message>(outcome: Result<Response<Message>, Status>) -> Result<Message, ServiceError> {
    outcome.map(Response::into_inner).map_err(|status| ServiceError::from_status(&status))
}

/// An answer that is given when it is sent.
pub(crate) fn row(question: i64, sequence: i64, answer: Option<Answer>) -> AnswerToSave {
    AnswerToSave { question_id: question, sequence, answer, is_flagged: false, answered_at: None }
}

pub(crate) fn choices(ids: &[i32]) -> Option<Answer> {
    Some(Answer { of: Some(Of::Choices(Choices { ids: ids.to_vec() })) })
}

pub(crate) fn number(typed: &str) -> Option<Answer> {
    Some(Answer { of: Some(Of::Number(typed.to_owned())) })
}

pub(crate) fn text(typed: &str) -> Option<Answer> {
    Some(Answer { of: Some(Of::Text(typed.to_owned())) })
}

/// Lists the acknowledged sequences, by question.
pub(crate) fn acked(response: &SaveAnswersResponse) -> Vec<(i64, i64)> {
    let mut acked: Vec<_> = response.acks.iter().map(|ack| (ack.question_id, ack.sequence)).collect();
    acked.sort_unstable();
    acked
}

/// Lists the refused sequences with their codes, by question.
pub(crate) fn refused(response: &SaveAnswersResponse) -> Vec<(i64, i64, &'static str)> {
    let mut refused: Vec<_> = response
        .refused
        .iter()
        .map(|row| (row.question_id, row.sequence, row.code().as_str_name()))
        .collect();
    refused.sort_unstable();
    refused
}

/// Returns the stored answer to a question.
pub(crate) fn saved(sitting: &Sitting, question: i64) -> Option<Answer> {
    sitting.answers.iter().find(|saved| saved.question_id == question)?.answer.clone()
}

/// Returns the handed-in answer to a question.
pub(crate) fn handed_in(transcript: &Transcript, question: i64) -> Option<Answer> {
    transcript.answers.iter().find(|row| row.question_id == question)?.answer.clone()
}

/// Converts a time of a message.
pub(crate) fn at(time: Option<Timestamp>) -> OffsetDateTime {
    from_timestamp(time.unwrap()).unwrap()
}

/// Returns the reason of a refused call.
pub(crate) fn reason<Message: std::fmt::Debug>(outcome: Result<Message, ServiceError>) -> String {
    outcome.unwrap_err().reason.into_owned()
}
