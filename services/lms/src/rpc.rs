//! The gRPC services, one file each. A method decodes the request, calls nouns within one
//! transaction, and encodes the response.

mod callers;
mod catalogue;
mod certificate;
mod class;
mod course;
mod entitlement;
mod event;
mod exam_review;
mod inventory;
mod learner;
mod lesson;
mod mark;
mod note;
mod question;
mod search;
mod study_plan;
mod teacher;
mod watch;
mod weekly_report;

use forms::search::Words;
use kit::caller::{Caller, GuardianOf};
use kit::clock::Clock;
use kit::error::FieldError;
use kit::shutdown::Shutdown;
use kit_db::{Pool, Transaction};
use kit_pdf::PdfWriter;
use proto::common::event_service_server::EventServiceServer;
use proto::lms;
use sqlx::Postgres;
use sqlx::pool::PoolConnection;
use tonic::service::Routes;

pub use callers::CALLERS;

use crate::audit;
use crate::config::Rules;
use crate::course::{CourseCache, CourseRevisions};
use crate::error::Error;
use crate::stream::ended::EndedStreams;

/// Builds the gRPC services. Streams to callers end at `shutdown`.
#[must_use]
pub fn services(pool: Pool, clock: Clock, rules: Rules, pdf_writer: PdfWriter, shutdown: Shutdown) -> Routes {
    let ended_streams = EndedStreams::follow(pool.clone(), clock.clone(), rules.link_time, shutdown);
    let lms = Lms {
        pool,
        clock,
        rules,
        pdf_writer,
        courses: CourseCache::default(),
        revisions: CourseRevisions::default(),
        ended_streams,
    };
    Routes::new(lms::catalogue_service_server::CatalogueServiceServer::new(lms.clone()))
        .add_service(lms::inventory_service_server::InventoryServiceServer::new(lms.clone()))
        .add_service(lms::mark_service_server::MarkServiceServer::new(lms.clone()))
        .add_service(lms::watch_service_server::WatchServiceServer::new(lms.clone()))
        .add_service(lms::note_service_server::NoteServiceServer::new(lms.clone()))
        .add_service(lms::question_service_server::QuestionServiceServer::new(lms.clone()))
        .add_service(lms::exam_review_service_server::ExamReviewServiceServer::new(lms.clone()))
        .add_service(lms::certificate_service_server::CertificateServiceServer::new(lms.clone()))
        .add_service(lms::class_service_server::ClassServiceServer::new(lms.clone()))
        .add_service(lms::learner_service_server::LearnerServiceServer::new(lms.clone()))
        .add_service(lms::entitlement_service_server::EntitlementServiceServer::new(lms.clone()))
        .add_service(lms::lesson_service_server::LessonServiceServer::new(lms.clone()))
        .add_service(lms::search_service_server::SearchServiceServer::new(lms.clone()))
        .add_service(lms::study_plan_service_server::StudyPlanServiceServer::new(lms.clone()))
        .add_service(lms::teacher_service_server::TeacherServiceServer::new(lms.clone()))
        .add_service(lms::weekly_report_service_server::WeeklyReportServiceServer::new(lms.clone()))
        .add_service(EventServiceServer::new(lms))
}

/// The state that every method uses.
#[derive(Clone)]
struct Lms {
    pool: Pool,
    clock: Clock,
    rules: Rules,
    pdf_writer: PdfWriter,
    courses: CourseCache<lms::Course>,
    revisions: CourseRevisions,
    ended_streams: EndedStreams,
}

impl Lms {
    async fn acquire(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.pool.acquire().await?)
    }

    async fn begin(&self) -> Result<Transaction, Error> {
        Ok(self.pool.begin().await?)
    }

    /// Begins the transaction of an rpc that a guardian calls for a child. Writes the audit entry
    /// in it.
    async fn begin_for(&self, relation: GuardianOf, rpc: &'static str) -> Result<Transaction, Error> {
        let mut transaction = self.begin().await?;
        audit::record(&mut transaction, relation, rpc, self.clock.now()).await?;
        Ok(transaction)
    }

    /// Begins the transaction of an rpc for a learner or a guardian. A guardian's call writes the
    /// audit entry in it.
    async fn begin_as(&self, caller: &Caller, rpc: &'static str) -> Result<Transaction, Error> {
        match caller.guardian_of() {
            Ok(relation) => self.begin_for(relation, rpc).await,
            Err(_) => self.begin().await,
        }
    }
}

async fn commit(transaction: Transaction) -> Result<(), Error> {
    Ok(transaction.commit().await?)
}

/// Parses the words of a query.
fn parse_words(query: &str) -> Result<Words, Error> {
    Words::parse(query).map_err(|wrong| Error::Field(FieldError::new("query", wrong.code())))
}
