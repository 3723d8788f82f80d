//! The gRPC services, one file each. A method decodes the request, calls nouns within one
//! transaction, and encodes the response.

mod application;
mod callers;
mod check;
mod child_result;
mod event;
mod exam;
mod question;
mod receipt;
mod result;
mod school;
mod sitting;

use kit::clock::Clock;
use kit_db::{Pool, Transaction};
use kit_pdf::PdfWriter;
use kit_picture::Converter;
use proto::common::event_service_server::EventServiceServer;
use proto::exam::application_service_server::ApplicationServiceServer;
use proto::exam::check_service_server::CheckServiceServer;
use proto::exam::child_result_service_server::ChildResultServiceServer;
use proto::exam::exam_service_server::ExamServiceServer;
use proto::exam::receipt_service_server::ReceiptServiceServer;
use proto::exam::result_service_server::ResultServiceServer;
use proto::exam::school_service_server::SchoolServiceServer;
use proto::exam::sitting_service_server::SittingServiceServer;
use sqlx::Postgres;
use sqlx::pool::PoolConnection;
use tonic::service::Routes;

pub use callers::CALLERS;

use crate::config::Rules;
use crate::error::Error;
use crate::receipt_keys::ReceiptKeys;
use crate::sitting::PaperCache;

/// Largest request: a picture and its envelope.
const MESSAGE_LIMIT: usize = kit_picture::BYTES_LIMIT + 64 * 1024;

/// Builds the gRPC services.
#[must_use]
pub fn services(
    pool: Pool,
    clock: Clock,
    rules: Rules,
    receipt_keys: ReceiptKeys,
    pdf_writer: PdfWriter,
) -> Routes {
    let exam = Exam {
        pool,
        clock,
        rules,
        receipt_keys,
        pdf_writer,
        papers: PaperCache::default(),
        converter: Converter::default(),
    };
    Routes::new(ExamServiceServer::new(exam.clone()))
        .add_service(SittingServiceServer::new(exam.clone()).max_decoding_message_size(MESSAGE_LIMIT))
        .add_service(ApplicationServiceServer::new(exam.clone()))
        .add_service(ReceiptServiceServer::new(exam.clone()))
        .add_service(ResultServiceServer::new(exam.clone()))
        .add_service(ChildResultServiceServer::new(exam.clone()))
        .add_service(CheckServiceServer::new(exam.clone()))
        .add_service(SchoolServiceServer::new(exam.clone()))
        .add_service(EventServiceServer::new(exam))
}

/// The state that every method uses.
#[derive(Clone)]
struct Exam {
    pool: Pool,
    clock: Clock,
    rules: Rules,
    receipt_keys: ReceiptKeys,
    pdf_writer: PdfWriter,
    papers: PaperCache,
    /// Converts one picture at a time, as each may take 128 MiB.
    converter: Converter,
}

impl Exam {
    async fn acquire(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.pool.acquire().await?)
    }

    async fn begin(&self) -> Result<Transaction, Error> {
        Ok(self.pool.begin().await?)
    }
}

async fn commit(transaction: Transaction) -> Result<(), Error> {
    Ok(transaction.commit().await?)
}
