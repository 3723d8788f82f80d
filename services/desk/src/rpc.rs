//! The wire: events that come in, mails of an account, postal codes.

use kit::clock::Clock;
use kit::db::{Pool, span};
use kit::inbox;
use kit::seal::Seal;
use proto::common::event_service_server::{EventService, EventServiceServer};
use proto::common::{DeliverRequest, DeliverResponse, Event};
use proto::desk::mail_service_server::{MailService, MailServiceServer};
use proto::desk::postal_service_server::{PostalService, PostalServiceServer};
use proto::desk::{ExportRequest, ExportResponse, LookUpRequest, LookUpResponse, Mail, Town};
use time::OffsetDateTime;
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::courier::Couriers;
use crate::error::Error;
use crate::event::{self, Taken, What};
use crate::letter::Writer;
use crate::mail::{self, Draft, Kept};
use crate::postal;

/// The gRPC services. Mails are written by `writer`, sealed, and told to `couriers`.
#[must_use]
pub fn services(writer: Writer, seal: Seal, pool: Pool, clock: Clock, couriers: Couriers) -> Routes {
    let desk = Desk { writer, seal, pool, clock, couriers };
    Routes::new(EventServiceServer::new(desk.clone()))
        .add_service(MailServiceServer::new(desk.clone()))
        .add_service(PostalServiceServer::new(desk))
}

/// What every method has at hand.
#[derive(Clone)]
struct Desk {
    writer: Writer,
    seal: Seal,
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
        let account = request.into_inner().account_id.parse::<Uuid>();
        let account = account.map_err(|_| Error::Field { name: "account_id", code: "INVALID_FORMAT" })?;
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
        transaction.commit().instrument(span("COMMIT")).await?;
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

fn timestamp(moment: OffsetDateTime) -> prost_types::Timestamp {
    prost_types::Timestamp { seconds: moment.unix_timestamp(), nanos: moment.nanosecond().cast_signed() }
}
