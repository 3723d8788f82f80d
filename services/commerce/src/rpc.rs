//! The gRPC services, one file each. A method decodes the request, calls the domain code within one
//! transaction, and encodes the response.

mod buyer;
mod callers;
mod card;
mod cart;
mod coupon;
mod coupon_problem;
mod event;
mod export;
mod order;
mod order_change;
mod order_message;
mod product;
mod provider;
mod receipt_pdf;
mod refund;
mod refund_message;
mod return_invoice_pdf;
mod subscription;

use kit::caller::{CallerError, CallerOf as _};
use kit::client::Channel;
use kit::clock::Clock;
use kit::encryption::KeyedHash;
use kit_db::{Pool, Transaction};
use kit_pdf::PdfWriter;
use proto::commerce::card_service_server::CardServiceServer;
use proto::commerce::cart_service_server::CartServiceServer;
use proto::commerce::coupon_service_server::CouponServiceServer;
use proto::commerce::order_service_server::OrderServiceServer;
use proto::commerce::product_service_server::ProductServiceServer;
use proto::commerce::provider_service_server::ProviderServiceServer;
use proto::commerce::refund_service_server::RefundServiceServer;
use proto::commerce::subscription_service_server::SubscriptionServiceServer;
use proto::common::event_service_server::EventServiceServer;
use sqlx::Postgres;
use sqlx::pool::PoolConnection;
use tonic::Request;
use tonic::service::Routes;
use uuid::Uuid;

pub use callers::CALLERS;

use crate::buyer::Buyer;
use crate::config::Issuer;
use crate::erased_account;
use crate::error::Error;
use crate::settlement::Settlement;

/// Builds the gRPC services.
#[must_use]
pub fn services(commerce: Commerce) -> Routes {
    Routes::new(ProductServiceServer::new(commerce.clone()))
        .add_service(CartServiceServer::new(commerce.clone()))
        .add_service(CouponServiceServer::new(commerce.clone()))
        .add_service(OrderServiceServer::new(commerce.clone()))
        .add_service(RefundServiceServer::new(commerce.clone()))
        .add_service(CardServiceServer::new(commerce.clone()))
        .add_service(SubscriptionServiceServer::new(commerce.clone()))
        .add_service(ProviderServiceServer::new(commerce.clone()))
        .add_service(EventServiceServer::new(commerce))
}

/// The shared state of all methods.
#[derive(Clone)]
pub struct Commerce {
    /// The database.
    pub pool: Pool,
    /// The time.
    pub clock: Clock,
    /// The client of lms, which knows the courses that learners own.
    pub lms: Channel,
    /// The issuer of receipts.
    pub issuer: Issuer,
    /// Renders PDFs of receipts.
    pub pdf_writer: PdfWriter,
    /// Payments at the provider.
    pub settlement: Settlement,
    /// Hashes idempotency keys and bodies.
    pub keyed_hash: KeyedHash,
}

impl Commerce {
    async fn acquire(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.pool.acquire().await?)
    }

    async fn begin(&self) -> Result<Transaction, Error> {
        Ok(self.pool.begin().await?)
    }

    /// Begins a transaction that writes the account's purchases. Fails if the account was erased,
    /// and removes erased learners.
    async fn begin_for(&self, account: Uuid, buyer: &mut Buyer) -> Result<Transaction, Error> {
        let mut transaction = self.begin().await?;
        erased_account::admit(&mut transaction, account, buyer).await?;
        Ok(transaction)
    }
}

async fn commit(transaction: Transaction) -> Result<(), Error> {
    Ok(transaction.commit().await?)
}

/// The calling learner's or guardian's account.
fn account<Message>(request: &Request<Message>) -> Result<Uuid, CallerError> {
    let caller = request.caller()?;
    caller.learner().or_else(|_| caller.guardian())
}

/// Parses an id of the account's own items. Invalid text is treated as an unknown id.
fn parse_id(text: &str) -> Result<Uuid, Error> {
    text.parse().map_err(|_| Error::NotFound)
}
