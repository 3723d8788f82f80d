//! What people write to the school.

use kit::form;
use kit::limit::{self, Bucket, Rate};
use kit::metrics::{self, CappedMail};
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
use crate::picture::Ceiling;
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
        let receipt = self.take_inquiry(&request.into_inner()).await?;
        let Receipt { number, is_withheld } = receipt;
        Ok(Response::new(SendResponse { number, receipt_withheld: is_withheld }))
    }
}

/// What the sender is told.
struct Receipt {
    number: String,
    /// No mail says so: too many went out this hour.
    is_withheld: bool,
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
        {
            let mut connection = self.acquire().await?;
            take(&mut connection, &bucket, rate, self.clock.now()).await?;
            // Before the work; how many bytes it will be is not known yet.
            picture::check_room(&mut connection, 0, self.picture_ceiling()).await?;
        }
        // Goes with the work: who hangs up does not make room while their picture is still worked on.
        let place = self.redrawing.clone().acquire_owned().await.map_err(|_| Error::PictureUnreadable)?;
        let redrawn = tokio::task::spawn_blocking(move || {
            let _place = place;
            picture::redraw(&content)
        });
        // A decoder that panics has met a picture it can't read.
        let jpeg = redrawn.await.map_err(|_| Error::PictureUnreadable)??;
        let id = Uuid::new_v4();
        let (ceiling, now) = (self.picture_ceiling(), self.clock.now());
        let mut transaction = self.pool.begin().await?;
        picture::put(&mut transaction, id, &jpeg, &self.contact_seal, ceiling, now).await?;
        commit(transaction).await?;
        Ok(id)
    }

    fn picture_ceiling(&self) -> Ceiling {
        let bytes = |mebibytes: u32| i64::from(mebibytes) << 20;
        Ceiling {
            waiting: self.contacts.pictures_waiting.into(),
            waiting_bytes: bytes(self.contacts.pictures_waiting_mib),
            bytes: bytes(self.contacts.pictures_mib),
        }
    }

    async fn take_inquiry(&self, request: &SendRequest) -> Result<Receipt, Error> {
        let key = key(&request.idempotency_key)?;
        let inquiry = Inquiry::read(&request.kind, &request.name, &request.email, &request.text)?;
        let picture = request.picture.as_deref().map(str::parse).transpose();
        let picture = picture.map_err(|_| Error::Field { name: "picture", code: "INVALID_FORMAT" })?;
        let now = self.clock.now();
        if !request.website.is_empty() {
            self.limit(&mut *self.acquire().await?, &request.client_address, &inquiry.email, now).await?;
            let number = contact::number(Uuid::now_v7(), moment::day(now));
            return Ok(Receipt { number, is_withheld: false });
        }
        let arrived = Arrived {
            key: self.blinding.blind("contact key", key),
            digest: inquiry.digest(&self.blinding, picture),
            inquiry,
            picture,
            client_address: request.client_address.clone(),
        };
        for _ in 0..NUMBERS_TRIED {
            if let Some(receipt) = self.known(&arrived).await? {
                return Ok(receipt);
            }
            if let Some(receipt) = self.try_to_take(&arrived, now).await? {
                return Ok(receipt);
            }
        }
        Err(Error::NoNumber)
    }

    /// What was answered when the same came with the same key before.
    async fn known(&self, arrived: &Arrived) -> Result<Option<Receipt>, Error> {
        match contact::by_key(&mut *self.acquire().await?, &arrived.key).await? {
            Some(Taken { number, digest, has_receipt }) if digest == arrived.digest => {
                Ok(Some(Receipt { number, is_withheld: !has_receipt }))
            }
            Some(_) => Err(Error::KeyReused),
            None => Ok(None),
        }
    }

    /// Keeps an inquiry and puts its mails on their way. `None` where another came first, with its key or by chance with
    /// its number.
    async fn try_to_take(&self, arrived: &Arrived, now: OffsetDateTime) -> Result<Option<Receipt>, Error> {
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
            letters::receipt(inquiry, &number, now),
            letters::forwarded(inquiry, &number, &school, &trace_id, jpeg),
        ];
        let mut mails =
            mails.into_iter().map(|letter| self.write(letter, now)).collect::<Result<Vec<_>, _>>()?;

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
        // Last of all: its one row stays locked until the end.
        let is_withheld = self.withholds_receipt(&mut transaction, now).await?;
        if is_withheld {
            // The inquiry is on its way all the same, and the screen shows its number.
            contact::withhold_receipt(&mut transaction, id).await?;
            mails.remove(0);
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
        Ok(Some(Receipt { number, is_withheld }))
    }

    /// Counts a receipt of all of the school; says whether it is beyond the ceiling.
    async fn withholds_receipt(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> Result<bool, Error> {
        let bucket = Bucket::of(self.blinding.blind("all receipts", ""));
        let rate = Rate::hourly(self.contacts.receipts_per_hour);
        let is_withheld = limit::take(database, &bucket, rate, now).await?.is_some();
        if is_withheld {
            metrics::withheld(CappedMail::Receipt);
        }
        Ok(is_withheld)
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
        let mailbox = Bucket::of(self.blinding.blind("contact mailbox", &form::mailbox(email)));
        for bucket in [limit::bucket(&self.blinding, "contact", client_address), mailbox] {
            take(database, &bucket, rate, now).await?;
        }
        Ok(())
    }
}

const NO_PICTURE: Error = Error::Field { name: "picture", code: "UNKNOWN_CHOICE" };

async fn take(
    database: &mut PgConnection,
    bucket: &Bucket,
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
