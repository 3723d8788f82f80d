//! The gRPC services. A method is one transaction. This file has events, mails and postal codes; the other services
//! have files of their own.

mod appointment;
mod calendar;
mod callers;
mod contact;
mod entry_exam;
mod faq;
mod interview;
mod member_notice;
mod notice;
mod notice_telling;
mod notification;
mod school_event;
mod search;
mod success;
mod teacher_question;

use forms::search::Words;
use kit::Failure;
use kit::caller::CallerOf as _;
use kit::clock::Clock;
use kit::encryption::{Encryptor, KeyedHash};
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use kit_db::inbox::{self, IncomingEvent};
use kit_db::limit::{self, Bucket, Rate};
use kit_db::outbox::Wake;
use kit_db::{Pool, Transaction};
use kit_picture::Converter;
use proto::common::event_service_server::{EventService, EventServiceServer};
use proto::common::{DeliverRequest, DeliverResponse};
use proto::desk::appointment_service_server::AppointmentServiceServer;
use proto::desk::calendar_service_server::CalendarServiceServer;
use proto::desk::contact_service_server::ContactServiceServer;
use proto::desk::entry_exam_service_server::EntryExamServiceServer;
use proto::desk::faq_service_server::FaqServiceServer;
use proto::desk::interview_service_server::InterviewServiceServer;
use proto::desk::mail_service_server::{MailService, MailServiceServer};
use proto::desk::member_notice_service_server::MemberNoticeServiceServer;
use proto::desk::notice_service_server::NoticeServiceServer;
use proto::desk::notice_telling_service_server::NoticeTellingServiceServer;
use proto::desk::notification_service_server::NotificationServiceServer;
use proto::desk::postal_service_server::{PostalService, PostalServiceServer};
use proto::desk::school_event_service_server::SchoolEventServiceServer;
use proto::desk::search_service_server::SearchServiceServer;
use proto::desk::success_service_server::SuccessServiceServer;
use proto::desk::teacher_question_service_server::TeacherQuestionServiceServer;
use proto::desk::{ExportRequest, ExportResponse, LookUpRequest, LookUpResponse, Mail, Town};
use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Postgres};
use time::{Date, OffsetDateTime};
use tonic::service::Routes;
use tonic::{Request, Response, Status};

pub use callers::CALLERS;

use crate::config::{Contacts, Serve};
use crate::email::{Email, EmailFormatter, EmailNotice};
use crate::error::Error;
use crate::event::{Action, EVENT_TYPES};
use crate::japan_time::date_in_japan;
use crate::mail::{self, Draft, MailRecord};
use crate::member_notice::NewNotice;
use crate::notification::{Notification, Notifier};
use crate::push::vapid::Vapid;
use crate::school_event::mailer::EventMailer;
use crate::teacher_question::Rules;
use crate::{account_age, learner_contact, postal, question_plan};

/// Largest request: a picture and its envelope.
const MESSAGE_LIMIT: usize = kit_picture::BYTES_LIMIT + 64 * 1024;

/// The gRPC services. New mails wake the dispatcher.
pub fn services(config: &Serve, pool: Pool, clock: Clock, wake: Wake) -> Result<Routes, Failure> {
    let desk = Desk {
        formatter: EmailFormatter::new(&config.emails),
        contacts: config.contacts.clone(),
        encryptor: config.secret.encryptor()?,
        contact_encryptor: config.secret.contact_encryptor()?,
        questions: config.questions.rules(),
        question_encryptor: config.secret.question_encryptor()?,
        interview_encryptor: config.secret.interview_encryptor()?,
        event_mailer: EventMailer::new(config)?,
        push_encryptor: config.secret.push_encryptor()?,
        vapid: config.push.vapid(&config.contacts.contact_to)?,
        allows_loopback: config.push.push_loopback,
        notifier: Notifier::new(&config.emails, &config.secret)?,
        keyed_hash: config.secret.keyed_hash()?,
        converter: Converter::default(),
        pool,
        clock,
        wake,
    };
    Ok(Routes::new(EventServiceServer::new(desk.clone()))
        .add_service(MailServiceServer::new(desk.clone()))
        .add_service(PostalServiceServer::new(desk.clone()))
        .add_service(NoticeServiceServer::new(desk.clone()))
        .add_service(MemberNoticeServiceServer::new(desk.clone()))
        .add_service(NoticeTellingServiceServer::new(desk.clone()))
        .add_service(NotificationServiceServer::new(desk.clone()))
        .add_service(FaqServiceServer::new(desk.clone()))
        .add_service(SuccessServiceServer::new(desk.clone()))
        .add_service(EntryExamServiceServer::new(desk.clone()))
        .add_service(SchoolEventServiceServer::new(desk.clone()))
        .add_service(SearchServiceServer::new(desk.clone()))
        .add_service(TeacherQuestionServiceServer::new(desk.clone()).max_decoding_message_size(MESSAGE_LIMIT))
        .add_service(InterviewServiceServer::new(desk.clone()))
        .add_service(AppointmentServiceServer::new(desk.clone()))
        .add_service(CalendarServiceServer::new(desk.clone()))
        .add_service(ContactServiceServer::new(desk).max_decoding_message_size(MESSAGE_LIMIT)))
}

/// The shared state of all methods.
#[derive(Clone)]
struct Desk {
    formatter: EmailFormatter,
    contacts: Contacts,
    encryptor: Encryptor,
    contact_encryptor: Encryptor,
    questions: Rules,
    question_encryptor: Encryptor,
    interview_encryptor: Encryptor,
    event_mailer: EventMailer,
    push_encryptor: Encryptor,
    /// `None` if Web Push is not offered.
    vapid: Option<Vapid>,
    /// Whether a push service may be on this host, in tests.
    allows_loopback: bool,
    notifier: Notifier,
    keyed_hash: KeyedHash,
    /// Converts one picture at a time, as each may take 128 MiB.
    converter: Converter,
    pool: Pool,
    clock: Clock,
    wake: Wake,
}

#[tonic::async_trait]
impl EventService for Desk {
    async fn deliver(&self, request: Request<DeliverRequest>) -> Result<Response<DeliverResponse>, Status> {
        if let Some(event) = EVENT_TYPES.decode(request)? {
            self.apply_event(event).await?;
        }
        Ok(Response::new(DeliverResponse {}))
    }
}

#[tonic::async_trait]
impl MailService for Desk {
    async fn export(&self, request: Request<ExportRequest>) -> Result<Response<ExportResponse>, Status> {
        let account = request.caller()?.account()?;
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let mails = mail::list_account_mails(&mut connection, account).await.map_err(Error::from)?;
        Ok(Response::new(ExportResponse { mails: mails.into_iter().map(encode_mail).collect() }))
    }
}

#[tonic::async_trait]
impl PostalService for Desk {
    async fn look_up(&self, request: Request<LookUpRequest>) -> Result<Response<LookUpResponse>, Status> {
        let code = request.into_inner().postal_code;
        if code.len() != 7 || !code.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Error::Field(FieldError::new("postal_code", "INVALID_FORMAT")).into());
        }
        let mut connection = self.pool.acquire().await.map_err(Error::from)?;
        let towns = postal::find_towns(&mut connection, &code).await.map_err(Error::from)?;
        Ok(Response::new(LookUpResponse { towns: towns.into_iter().map(encode_town).collect() }))
    }
}

impl Desk {
    async fn acquire(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.pool.acquire().await?)
    }

    /// The date in Japan.
    fn today(&self) -> Date {
        date_in_japan(self.clock.now())
    }

    /// Applies an event once.
    async fn apply_event(&self, event: IncomingEvent<Action>) -> Result<(), Error> {
        let IncomingEvent { id, occurred_at, action } = event;
        // Formatted before the transaction, to keep that short.
        let message = match &action {
            Action::SendEmail(email) if email.topic.is_none() => {
                self.formatter.format_message(email, id, occurred_at)?
            }
            Action::SendEmail(_)
            | Action::EraseAccount(_)
            | Action::SetBirthDate(..)
            | Action::GrantPlan(_)
            | Action::RevokePlan(_) => None,
        };
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        if !inbox::is_new(&mut transaction, id, now).await? {
            return Ok(());
        }
        if let Action::SendEmail(email) = &action
            && let Some((account, birth)) = email.account.zip(email.birth_date)
        {
            account_age::learn(&mut transaction, account, birth, occurred_at).await?;
        }
        match action {
            Action::SendEmail(email) if email.topic.is_some() => {
                let Some(account) = email.account else {
                    return Err(Error::Field(FieldError::new("payload", "INVALID_FORMAT")));
                };
                // Serialises with an erasure and with changes of settings.
                learner_contact::lock(&mut transaction, account).await?;
                let occurrence = email.occurrence.clone().unwrap_or_else(|| id.to_string());
                let dedupe_key = &format!("{} {occurrence}", email.kind);
                let notification = Notification { account, dedupe_key, about: None, email: &email };
                self.notifier.notify(&mut transaction, &notification, now).await?;
            }
            Action::SendEmail(email) => {
                let draft = Draft {
                    id,
                    kind: email.kind,
                    topic: None,
                    account: email.account,
                    created: occurred_at,
                    due: now,
                    to: &email.to,
                    message,
                };
                mail::add_mail(&mut transaction, &draft, &self.encryptor, now).await?;
                send_notice(&mut transaction, &email, now).await?;
            }
            Action::EraseAccount(account) => {
                learner_contact::erase(&mut transaction, account, now).await?;
                crate::teacher_question::picture::erase(&mut transaction, account).await?;
                question_plan::erase(&mut transaction, account).await?;
                crate::member_notice::erase(&mut transaction, account).await?;
                crate::interview::erase(&mut transaction, account).await?;
                crate::school_event::stored_entry::erase(&mut transaction, account).await?;
                crate::calendar_address::end(&mut transaction, account).await?;
                account_age::erase(&mut transaction, account).await?;
                // Last: the calls above wait for transactions that may add notifications and mails of the account.
                crate::notification::erase(&mut transaction, account).await?;
                mail::delete_account_mails(&mut transaction, account).await?;
            }
            Action::SetBirthDate(account, birth) => {
                account_age::learn(&mut transaction, account, birth, occurred_at).await?;
            }
            Action::GrantPlan(grant) => question_plan::grant(&mut transaction, &grant).await?,
            Action::RevokePlan(subscription) => {
                question_plan::revoke(&mut transaction, subscription, now).await?;
            }
        }
        commit(transaction).await?;
        self.wake.wake();
        Ok(())
    }
}

/// Sends the notice with the same text as the email, if it has one. An erased account gets none.
async fn send_notice(transaction: &mut Transaction, email: &Email, now: OffsetDateTime) -> Result<(), Error> {
    let Some((account, notice)) = email.account.zip(email.notice()) else { return Ok(()) };
    let EmailNotice { title, summary, body } = notice;
    let notice = NewNotice { account, category: "お知らせ", title, summary, body: &body };
    match crate::member_notice::send(transaction, &notice, now).await {
        // The email tells of it.
        Ok(id) => Ok(crate::notice_telling::set_told(transaction, id, now).await?),
        Err(Error::NotFound) => Ok(()),
        Err(error) => Err(error),
    }
}

fn encode_mail(mail: MailRecord) -> Mail {
    Mail {
        kind: mail.kind,
        created: Some(to_timestamp(mail.created)),
        state: mail.state,
        done: mail.done_at.map(to_timestamp),
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

/// Parses an id. Fails with [`Error::NotFound`] if it is not a UUID.
fn parse_id(text: &str) -> Result<uuid::Uuid, Error> {
    text.parse().map_err(|_| Error::NotFound)
}

/// Takes a token of a rate limit.
async fn take_token(
    database: &mut PgConnection,
    bucket: &Bucket,
    rate: Rate,
    now: OffsetDateTime,
) -> Result<(), Error> {
    limit::take(database, bucket, rate, now).await?.map_or(Ok(()), |wait| Err(Error::RateLimited(wait)))
}

async fn commit(transaction: Transaction) -> Result<(), Error> {
    Ok(transaction.commit().await?)
}

/// Checks the value of a filter. PostgreSQL accepts no NUL in a text.
fn check_filter<'a>(name: &'static str, word: Option<&'a str>) -> Result<Option<&'a str>, Error> {
    if word.is_some_and(|word| word.contains('\0')) {
        return Err(Error::Field(FieldError::new(name, "INVALID_FORMAT")));
    }
    Ok(word)
}

fn parse_words(name: &'static str, typed: &str) -> Result<Words, Error> {
    Words::parse(typed).map_err(|wrong| Error::Field(FieldError::new(name, wrong.code())))
}
