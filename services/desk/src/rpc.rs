//! The wire: a method is a transaction. Here what comes of events, mails of an account and postal codes; the rest by
//! service.

mod callers;
mod contact;
mod entry_exam;
mod faq;
mod notice;
mod search;
mod success;

use std::sync::Arc;

use kit::Failure;
use kit::caller::CallerOf as _;
use kit::clock::Clock;
use kit::db::{Pool, Transaction};
use kit::inbox;
use kit::page::Page;
use kit::seal::{Blinding, Seal};
use kit::search::Words;
use kit::timestamp::to_timestamp as timestamp;
use proto::common::event_service_server::{EventService, EventServiceServer};
use proto::common::{DeliverRequest, DeliverResponse, Event};
use proto::desk::contact_service_server::ContactServiceServer;
use proto::desk::entry_exam_service_server::EntryExamServiceServer;
use proto::desk::faq_service_server::FaqServiceServer;
use proto::desk::mail_service_server::{MailService, MailServiceServer};
use proto::desk::notice_service_server::NoticeServiceServer;
use proto::desk::postal_service_server::{PostalService, PostalServiceServer};
use proto::desk::search_service_server::SearchServiceServer;
use proto::desk::success_service_server::SuccessServiceServer;
use proto::desk::{ExportRequest, ExportResponse, LookUpRequest, LookUpResponse, Mail, Town};
use sqlx::Postgres;
use sqlx::pool::PoolConnection;
use time::Date;
use tokio::sync::Semaphore;
use tonic::service::Routes;
use tonic::{Request, Response, Status};

pub use callers::CALLERS;

use crate::config::{Contacts, Serve};
use crate::courier::Couriers;
use crate::error::Error;
use crate::event::{self, Taken, What};
use crate::letter::Writer;
use crate::mail::{self, Draft, Kept};
use crate::{moment, picture, postal};

/// More than a picture may have, and what is around it.
const MESSAGE_LIMIT: usize = picture::BYTES_LIMIT + 64 * 1024;

/// The gRPC services as they are configured. New mails are told to `couriers`.
pub fn services(config: &Serve, pool: Pool, clock: Clock, couriers: Couriers) -> Result<Routes, Failure> {
    let desk = Desk {
        writer: Writer::new(&config.letters),
        contacts: config.contacts.clone(),
        seal: config.secret.seal()?,
        contact_seal: config.secret.contact_seal()?,
        blinding: config.secret.blinding()?,
        redrawing: Arc::new(Semaphore::new(1)),
        pool,
        clock,
        couriers,
    };
    Ok(Routes::new(EventServiceServer::new(desk.clone()))
        .add_service(MailServiceServer::new(desk.clone()))
        .add_service(PostalServiceServer::new(desk.clone()))
        .add_service(NoticeServiceServer::new(desk.clone()))
        .add_service(FaqServiceServer::new(desk.clone()))
        .add_service(SuccessServiceServer::new(desk.clone()))
        .add_service(EntryExamServiceServer::new(desk.clone()))
        .add_service(SearchServiceServer::new(desk.clone()))
        .add_service(ContactServiceServer::new(desk).max_decoding_message_size(MESSAGE_LIMIT)))
}

/// What every method has at hand.
#[derive(Clone)]
struct Desk {
    writer: Writer,
    contacts: Contacts,
    seal: Seal,
    contact_seal: Seal,
    blinding: Blinding,
    /// A picture at a time: each may take a hundred megabytes.
    redrawing: Arc<Semaphore>,
    pool: Pool,
    clock: Clock,
    couriers: Couriers,
}

#[tonic::async_trait]
impl EventService for Desk {
    async fn deliver(&self, request: Request<DeliverRequest>) -> Result<Response<DeliverResponse>, Status> {
        let event = request.into_inner().event.unwrap_or_default();
        self.take(&event).await?;
        Ok(Response::new(DeliverResponse {}))
    }
}

#[tonic::async_trait]
impl MailService for Desk {
    async fn export(&self, request: Request<ExportRequest>) -> Result<Response<ExportResponse>, Status> {
        let account = request.caller()?.account()?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let mails = mail::of_account(&mut connection, account).await.map_err(Error::from)?;
        Ok(Response::new(ExportResponse { mails: mails.into_iter().map(encode_mail).collect() }))
    }
}

#[tonic::async_trait]
impl PostalService for Desk {
    async fn look_up(&self, request: Request<LookUpRequest>) -> Result<Response<LookUpResponse>, Status> {
        let code = request.into_inner().postal_code;
        if code.len() != 7 || !code.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Error::Field { name: "postal_code", code: "INVALID_FORMAT" }.into());
        }
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let towns = postal::of(&mut connection, &code).await.map_err(Error::from)?;
        Ok(Response::new(LookUpResponse { towns: towns.into_iter().map(encode_town).collect() }))
    }
}

impl Desk {
    async fn acquire(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.pool.acquire().await?)
    }

    /// The day that it is in Japan.
    fn today(&self) -> Date {
        moment::day(self.clock.now())
    }

    async fn take(&self, event: &Event) -> Result<(), Error> {
        let Some(Taken { id, occurred_at, what }) = event::read(event)? else {
            return Ok(());
        };
        // Written before the transaction: that takes a while.
        let message = match &what {
            What::Tell(letter) => self.writer.write(letter, id, occurred_at)?,
            What::Forget(_) => None,
        };
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        if !inbox::is_new(&mut transaction, id, now).await? {
            return Ok(());
        }
        match what {
            What::Tell(letter) => {
                let draft = Draft {
                    id,
                    kind: letter.kind,
                    account: letter.account,
                    created: occurred_at,
                    to: &letter.to,
                    message,
                };
                mail::put(&mut transaction, &draft, &self.seal, now).await?;
            }
            What::Forget(account) => mail::forget(&mut transaction, account).await?,
        }
        commit(transaction).await?;
        self.couriers.wake();
        Ok(())
    }
}

fn encode_mail(mail: Kept) -> Mail {
    Mail {
        kind: mail.kind,
        created: Some(timestamp(mail.created)),
        state: mail.state,
        done: mail.done_at.map(timestamp),
    }
}

fn encode_town(town: postal::Town) -> Town {
    Town {
        prefecture: town.prefecture,
        city: town.city,
        town: town.town,
        prefecture_kana: town.prefecture_kana,
        city_kana: town.city_kana,
        town_kana: town.town_kana,
    }
}

async fn commit(transaction: Transaction) -> Result<(), Error> {
    Ok(transaction.commit().await?)
}

fn page(number: u32, size: u32) -> Result<Page, Error> {
    Page::new(number, size).ok_or(Error::Field { name: "page", code: "OUT_OF_RANGE" })
}

/// How many rows there are on all pages, for the wire; a page beyond the last is not there. A page without rows does
/// not know how many others have, hence the first is always there.
fn count(page: Page, rows: i64) -> Result<u32, Error> {
    if rows == 0 && page.number() > 1 {
        return Err(Error::NotFound);
    }
    Ok(u32::try_from(rows).unwrap_or(u32::MAX))
}

/// A word to look for; PostgreSQL takes no text with a NUL in it.
fn filter<'a>(name: &'static str, word: Option<&'a str>) -> Result<Option<&'a str>, Error> {
    if word.is_some_and(|word| word.contains('\0')) {
        return Err(Error::Field { name, code: "INVALID_FORMAT" });
    }
    Ok(word)
}

fn words(name: &'static str, typed: &str) -> Result<Words, Error> {
    Words::read(typed).map_err(|wrong| Error::Field { name, code: wrong.code() })
}
