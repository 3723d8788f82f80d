//! What people write to the school.

use kit::limit::{self, Rate};
use proto::desk::contact_service_server::ContactService;
use proto::desk::{PutPictureRequest, PutPictureResponse, SendRequest, SendResponse};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Desk, commit};
use crate::contact::{self, Inquiry, New, Put, Taken};
use crate::error::Error;
use crate::letter::{Letter, inquiry as letters};
use crate::mail::{self, Draft};
use crate::{moment, picture};

const KEY_LENGTHS: std::ops::RangeInclusive<usize> = 8..=64;
/// There are a million numbers a day.
const NUMBERS_TRIED: usize = 5;

#[tonic::async_trait]
impl ContactService for Desk {
    async fn put_picture(
        &self,
        request: Request<PutPictureRequest>,
    ) -> Result<Response<PutPictureResponse>, Status> {
        let request = request.into_inner();
        let id = self.keep_picture(request.content, &request.client_address).await?;
        Ok(Response::new(PutPictureResponse { picture: id.to_string() }))
    }

    async fn send(&self, request: Request<SendRequest>) -> Result<Response<SendResponse>, Status> {
        let number = self.take_inquiry(&request.into_inner()).await?;
        Ok(Response::new(SendResponse { number }))
    }
}

/// An inquiry and what it came with.
struct Arrived {
    inquiry: Inquiry,
    /// Blinded.
    key: Vec<u8>,
    digest: Vec<u8>,
    picture: Option<Uuid>,
    client_address: String,
}

impl Desk {
    async fn keep_picture(&self, content: Vec<u8>, client_address: &str) -> Result<Uuid, Error> {
        if content.len() > picture::BYTES_LIMIT {
            return Err(Error::PictureTooLarge);
        }
        let rate = Rate::hourly(self.contacts.pictures_per_hour);
        let bucket = limit::bucket(&self.blinding, "contact picture", client_address);
        take(&mut *self.acquire().await?, &bucket, rate, self.clock.now()).await?;
        // Goes with the work: who hangs up does not make room while their picture is still worked on.
        let place = self.redrawing.clone().acquire_owned().await.map_err(|_| Error::PictureUnreadable)?;
        let redrawn = tokio::task::spawn_blocking(move || {
            let _place = place;
            picture::redraw(&content)
        });
        // A decoder that panics has met a picture it can't read.
        let jpeg = redrawn.await.map_err(|_| Error::PictureUnreadable)??;
        let id = Uuid::new_v4();
        let mut connection = self.acquire().await?;
        picture::put(&mut connection, id, &jpeg, &self.contact_seal, self.clock.now()).await?;
        Ok(id)
    }

    async fn take_inquiry(&self, request: &SendRequest) -> Result<String, Error> {
        let key = key(&request.idempotency_key)?;
        let inquiry = Inquiry::read(&request.kind, &request.name, &request.email, &request.text)?;
        let picture = request.picture.as_deref().map(str::parse).transpose();
        let picture = picture.map_err(|_| Error::Field { name: "picture", code: "INVALID_FORMAT" })?;
        let now = self.clock.now();
        if !request.website.is_empty() {
            self.limit(&mut *self.acquire().await?, &request.client_address, &inquiry.email, now).await?;
            return Ok(contact::number(Uuid::now_v7(), moment::day(now)));
        }
        let arrived = Arrived {
            key: self.blinding.blind("contact key", key),
            digest: inquiry.digest(&self.blinding, picture),
            inquiry,
            picture,
            client_address: request.client_address.clone(),
        };
        for _ in 0..NUMBERS_TRIED {
            if let Some(number) = self.known(&arrived).await? {
                return Ok(number);
            }
            if let Some(number) = self.try_to_take(&arrived, now).await? {
                return Ok(number);
            }
        }
        Err(Error::NoNumber)
    }

    /// The number of what came with the same key before.
    async fn known(&self, arrived: &Arrived) -> Result<Option<String>, Error> {
        match contact::by_key(&mut *self.acquire().await?, &arrived.key).await? {
            Some(Taken { number, digest }) if digest == arrived.digest => Ok(Some(number)),
            Some(_) => Err(Error::KeyReused),
            None => Ok(None),
        }
    }

    /// Keeps an inquiry and puts its mails on their way. `None` where another came first, with its key or by chance with
    /// its number.
    async fn try_to_take(&self, arrived: &Arrived, now: OffsetDateTime) -> Result<Option<String>, Error> {
        let inquiry = &arrived.inquiry;
        let id = Uuid::now_v7();
        let number = contact::number(id, moment::day(now));
        let jpeg = match arrived.picture {
            Some(picture) => {
                let mut connection = self.acquire().await?;
                let jpeg = picture::get(&mut connection, picture, &self.contact_seal).await?;
                Some(jpeg.ok_or(NO_PICTURE)?)
            }
            None => None,
        };
        let trace_id = kit::trace::current_id();
        let school = self.contacts.contact_to.to_string();
        // Written before the transaction: that takes a while.
        let mails = [
            letters::receipt(inquiry, &number),
            letters::forwarded(inquiry, &number, &school, &trace_id, jpeg),
        ];
        let mails = mails.into_iter().map(|letter| self.write(letter, now)).collect::<Result<Vec<_>, _>>()?;

        let mut transaction = self.pool.begin().await?;
        let new = New { id, number: &number, key: &arrived.key, digest: &arrived.digest, trace_id, inquiry };
        // First of all: the same again waits here until this one is kept.
        match contact::put(&mut transaction, &new, &self.contact_seal, now).await? {
            Put::Done => {}
            Put::KeyTaken | Put::NumberTaken => return Ok(None),
        }
        self.limit(&mut transaction, &arrived.client_address, &inquiry.email, now).await?;
        if let Some(picture) = arrived.picture
            && !picture::attach(&mut transaction, picture, id).await?
        {
            return Err(NO_PICTURE);
        }
        for (mail, letter, message) in &mails {
            let draft = Draft {
                id: *mail,
                kind: letter.kind,
                account: None,
                created: now,
                to: &letter.to,
                message: message.clone(),
            };
            mail::put(&mut transaction, &draft, &self.seal, now).await?;
        }
        commit(transaction).await?;
        self.couriers.wake();
        Ok(Some(number))
    }

    fn write(&self, letter: Letter, now: OffsetDateTime) -> Result<(Uuid, Letter, Option<Vec<u8>>), Error> {
        let id = Uuid::now_v7();
        let message = self.writer.write(&letter, id, now)?;
        Ok((id, letter, message))
    }

    /// Counts an inquiry of a client address, and a receipt for a mail address: nobody fills another's mailbox from here.
    async fn limit(
        &self,
        database: &mut PgConnection,
        client_address: &str,
        email: &str,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        let rate = Rate::hourly(self.contacts.per_hour);
        let mailbox = self.blinding.blind("contact mailbox", &email.to_lowercase());
        for bucket in [limit::bucket(&self.blinding, "contact", client_address), mailbox] {
            take(database, &bucket, rate, now).await?;
        }
        Ok(())
    }
}

const NO_PICTURE: Error = Error::Field { name: "picture", code: "UNKNOWN_CHOICE" };

async fn take(
    database: &mut PgConnection,
    bucket: &[u8],
    rate: Rate,
    now: OffsetDateTime,
) -> Result<(), Error> {
    limit::take(database, bucket, rate, now).await?.map_or(Ok(()), |wait| Err(Error::RateLimited(wait)))
}

fn key(text: &str) -> Result<&str, Error> {
    let wrong = |code| Err(Error::Field { name: "idempotency_key", code });
    if text.is_empty() {
        return wrong("REQUIRED");
    }
    let is_key = KEY_LENGTHS.contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_key { Ok(text) } else { wrong("INVALID_FORMAT") }
}
