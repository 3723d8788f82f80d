//! `desk.v1.ContactService`.

use kit::error::FieldError;
use kit_db::idempotency::{self, Attempt, IdempotencyKey, IdempotentRequest, Refusal};
use kit_db::limit::{self, Bucket, Rate};
use proto::desk::contact_service_server::ContactService;
use proto::desk::{PutPictureRequest, PutPictureResponse, SendRequest, SendResponse};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Desk, commit, take_token};
use crate::contact::{self, Inquiry, Insertion, NewInquiry, StoredInquiry};
use crate::email::{Email, inquiry as emails};
use crate::error::Error;
use crate::japan_time::date_in_japan;
use crate::mail::{self, Draft};
use crate::picture::{self, StorageLimit};

/// Attempts to find a free number. A day has a million numbers.
const NUMBER_ATTEMPTS: usize = 5;

#[tonic::async_trait]
impl ContactService for Desk {
    async fn put_picture(
        &self,
        request: Request<PutPictureRequest>,
    ) -> Result<Response<PutPictureResponse>, Status> {
        let request = request.into_inner();
        let id = self.store_picture(request.content, &request.client_address).await?;
        Ok(Response::new(PutPictureResponse { picture: id.to_string() }))
    }

    async fn send(&self, request: Request<SendRequest>) -> Result<Response<SendResponse>, Status> {
        Ok(Response::new(self.accept_inquiry(&request.into_inner()).await?))
    }
}

/// An email with its id and its message.
type FormattedEmail = (Uuid, Email, Option<Vec<u8>>);

/// A validated request.
struct InquiryRequest {
    inquiry: Inquiry,
    idempotent: IdempotentRequest,
    /// Keyed hash of the idempotency key, for replicas of the previous release.
    key: Vec<u8>,
    /// Keyed hash of the body, for replicas of the previous release.
    digest: Vec<u8>,
    picture: Option<Uuid>,
    client_address: String,
}

impl Desk {
    async fn store_picture(&self, content: Vec<u8>, client_address: &str) -> Result<Uuid, Error> {
        if content.len() > kit_picture::BYTES_LIMIT {
            return Err(Error::PictureTooLarge);
        }
        let rate = Rate::hourly(self.contacts.pictures_per_hour);
        let bucket = limit::bucket(&self.keyed_hash, "contact picture", client_address);
        {
            let mut connection = self.acquire().await?;
            take_token(&mut connection, &bucket, rate, self.clock.now()).await?;
            // Checked before the conversion, which determines the size.
            picture::check_limit(&mut connection, 0, self.picture_limit()).await?;
        }
        let jpeg = self.converter.convert(content).await?;
        let id = Uuid::new_v4();
        let (limit, now) = (self.picture_limit(), self.clock.now());
        let mut transaction = self.pool.begin().await?;
        picture::add_picture(&mut transaction, id, &jpeg, &self.contact_encryptor, limit, now).await?;
        commit(transaction).await?;
        Ok(id)
    }

    fn picture_limit(&self) -> StorageLimit {
        let bytes = |mebibytes: u32| i64::from(mebibytes) << 20;
        StorageLimit {
            waiting: self.contacts.pictures_waiting.into(),
            waiting_bytes: bytes(self.contacts.pictures_waiting_mib),
            bytes: bytes(self.contacts.pictures_mib),
        }
    }

    async fn accept_inquiry(&self, request: &SendRequest) -> Result<SendResponse, Error> {
        let key = IdempotencyKey::parse(&request.idempotency_key)?;
        let inquiry = Inquiry::from_form(&request.kind, &request.name, &request.email, &request.text)?;
        let picture = request.picture.as_deref().map(str::parse).transpose();
        let picture = picture.map_err(|_| Error::Field(FieldError::new("picture", "INVALID_FORMAT")))?;
        let now = self.clock.now();
        if !request.website.is_empty() {
            self.check_rate(&mut *self.acquire().await?, &request.client_address, &inquiry.email, now)
                .await?;
            let number = contact::make_number(Uuid::now_v7(), date_in_japan(now));
            return Ok(SendResponse { number, receipt_withheld: false });
        }
        let digest = inquiry.hash_content(&self.keyed_hash, picture);
        let inquiry_request = InquiryRequest {
            idempotent: IdempotentRequest::new(&self.keyed_hash, "contact", key, &digest),
            key: self.keyed_hash.hash("contact key", key.as_str()),
            digest,
            inquiry,
            picture,
            client_address: request.client_address.clone(),
        };
        for _ in 0..NUMBER_ATTEMPTS {
            if let Some(answer) = self.find_answer(&inquiry_request, now).await? {
                return Ok(answer);
            }
            if let Some(answer) = self.try_to_store(&inquiry_request, now).await? {
                return Ok(answer);
            }
        }
        Err(Error::NoNumber)
    }

    /// The answer to an earlier request with the same key and content. The picture is not looked up, because it is
    /// attached already.
    async fn find_answer(
        &self,
        request: &InquiryRequest,
        now: OffsetDateTime,
    ) -> Result<Option<SendResponse>, Error> {
        let mut connection = self.acquire().await?;
        let answer = idempotency::find_answer(&mut connection, &request.idempotent, now).await?;
        if answer.is_some() {
            return Ok(answer);
        }
        // A replica of the previous release stores no answer. The next release drops these columns.
        match contact::find_by_key(&mut connection, &request.key).await? {
            Some(StoredInquiry { number, digest, has_receipt }) if digest == request.digest => {
                Ok(Some(SendResponse { number, receipt_withheld: !has_receipt }))
            }
            Some(_) => Err(Refusal::KeyReused.into()),
            None => Ok(None),
        }
    }

    /// Stores an inquiry and queues its mails. `None` if another inquiry has its number, or a replica of the previous
    /// release has stored it.
    async fn try_to_store(
        &self,
        request: &InquiryRequest,
        now: OffsetDateTime,
    ) -> Result<Option<SendResponse>, Error> {
        let inquiry = &request.inquiry;
        let id = Uuid::now_v7();
        let number = contact::make_number(id, date_in_japan(now));
        let jpeg = match request.picture {
            Some(picture) => {
                let mut connection = self.acquire().await?;
                let jpeg = picture::find_pending(&mut connection, picture, &self.contact_encryptor).await?;
                Some(jpeg.ok_or(NO_PICTURE)?)
            }
            None => None,
        };
        let trace_id = kit::trace::current_id();
        let school = self.contacts.contact_to.to_string();
        // Formatted before the transaction, to keep that short.
        let mails = [
            emails::write_receipt(inquiry, &number, now),
            emails::write_copy(inquiry, &number, &school, &trace_id, jpeg),
        ];
        let mails =
            mails.into_iter().map(|email| self.format_email(email, now)).collect::<Result<Vec<_>, _>>()?;
        let new =
            NewInquiry { id, number: &number, key: &request.key, digest: &request.digest, trace_id, inquiry };

        let mut transaction = self.pool.begin().await?;
        let claim = match idempotency::claim(&mut transaction, &request.idempotent, now).await? {
            Attempt::Answered(answer) => return Ok(Some(answer)),
            Attempt::First(claim) => claim,
        };
        let answer = self.store_inquiry(&mut transaction, request, &new, mails, now).await?;
        let Some(answer) = answer else { return Ok(None) };
        claim.store(&mut transaction, &answer).await?;
        commit(transaction).await?;
        self.wake.wake();
        Ok(Some(answer))
    }

    /// Applies all effects of a request in its transaction. `None` if another inquiry has its number or its key.
    async fn store_inquiry(
        &self,
        database: &mut PgConnection,
        request: &InquiryRequest,
        new: &NewInquiry<'_>,
        mut mails: Vec<FormattedEmail>,
        now: OffsetDateTime,
    ) -> Result<Option<SendResponse>, Error> {
        // First statement: replicas of the previous release wait here for this transaction.
        match contact::add_inquiry(database, new, &self.contact_encryptor, now).await? {
            Insertion::Done => {}
            Insertion::KeyExists | Insertion::NumberExists => return Ok(None),
        }
        self.check_rate(database, &request.client_address, &request.inquiry.email, now).await?;
        if let Some(picture) = request.picture
            && !picture::attach_picture(database, picture, new.id).await?
        {
            return Err(NO_PICTURE);
        }
        // Last except for the mails, because it locks a row that all inquiries share.
        let is_withheld = self.count_receipt(database, now).await?;
        if is_withheld {
            // The inquiry is accepted, and the screen shows its number.
            contact::withhold_receipt(database, new.id).await?;
            mails.remove(0);
        }
        for (id, email, message) in &mails {
            let draft = Draft {
                id: *id,
                kind: email.kind,
                topic: None,
                account: None,
                created: now,
                due: now,
                to: &email.to,
                message: message.clone(),
            };
            mail::add_mail(database, &draft, &self.encryptor, now).await?;
        }
        Ok(Some(SendResponse { number: new.number.to_owned(), receipt_withheld: is_withheld }))
    }

    /// Counts a receipt against the limit of the school. Returns whether the limit is exceeded.
    async fn count_receipt(&self, database: &mut PgConnection, now: OffsetDateTime) -> Result<bool, Error> {
        let bucket = Bucket::new(self.keyed_hash.hash("all receipts", ""));
        let rate = Rate::hourly(self.contacts.receipts_per_hour);
        let is_withheld = limit::take(database, &bucket, rate, now).await?.is_some();
        if is_withheld {
            contact::count_withheld_receipt();
        }
        Ok(is_withheld)
    }

    fn format_email(&self, email: Email, now: OffsetDateTime) -> Result<FormattedEmail, Error> {
        let id = Uuid::now_v7();
        let message = self.formatter.format_message(&email, id, now)?;
        Ok((id, email, message))
    }

    /// Counts an inquiry from a client address, and a receipt for a mailbox, so that the form cannot flood a mailbox.
    async fn check_rate(
        &self,
        database: &mut PgConnection,
        client_address: &str,
        email: &str,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        let rate = Rate::hourly(self.contacts.per_hour);
        let mailbox = Bucket::new(self.keyed_hash.hash("contact mailbox", &forms::mailbox(email)));
        for bucket in [limit::bucket(&self.keyed_hash, "contact", client_address), mailbox] {
            take_token(database, &bucket, rate, now).await?;
        }
        Ok(())
    }
}

const NO_PICTURE: Error = Error::Field(FieldError::new("picture", "UNKNOWN_CHOICE"));
