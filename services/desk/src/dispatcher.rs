//! Sends the queued mails over SMTP, and starts the dispatcher of pushes.

use std::time::Duration;

use kit::Failure;
use kit::clock::Clock;
use kit::encryption::Encryptor;
use kit::shutdown::Shutdown;
use kit_db::Pool;
use kit_db::outbox::{Ages, Dispatcher, Prober, Queue, QueueState, Reach, Wake};
use lettre::address::Envelope;
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{self, PoolConfig};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tokio::time::timeout;
use tracing::Span;

use crate::config::Serve;
use crate::email;
use crate::mail::{self, FinalState, QueuedMail};
use crate::push::dispatcher::Pushes;

/// Number of pushes that are sent at a time.
const PUSH_WORKERS: u16 = 2;
/// How often due mails are looked for. New mails wake the dispatcher at once.
const PERIOD: Duration = Duration::from_secs(2);

/// Sends queued mails until `shutdown`, as many at a time as `config` says. Notify the returned handle of new mails.
pub fn spawn(
    config: &Serve,
    pool: &Pool,
    encryptor: &Encryptor,
    clock: &Clock,
    shutdown: &Shutdown,
) -> Result<Wake, Failure> {
    let wake = Wake::default();
    let mut ages = Ages::default();
    let age = ages.add("smtp");
    let push_age = ages.add("push");
    ages.register_metrics(clock);
    mail::register_metrics();
    let connections = config.smtp.smtp_connections;
    let sender = config.emails.mail_from.clone();
    let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&config.smtp.smtp_url)
        .map_err(|_| "DESK_SMTP_URL is not the address of a mail server, like smtps://user:password@host")?
        .hello_name(ClientId::Domain(sender.domain().to_owned()))
        .timeout(Some(config.smtp.smtp_limit))
        .pool_config(PoolConfig::new().max_size(connections.into()))
        .build();
    let queue = Mails {
        transport,
        sender,
        encryptor: encryptor.clone(),
        limit: config.smtp.smtp_limit,
        // Twice the limit of an attempt: a process that was killed during one cannot still be sending.
        lease: time::Duration::try_from(config.smtp.smtp_limit * 2)?,
    };
    let dispatcher = Dispatcher {
        queue,
        receiver: "smtp",
        pool: pool.clone(),
        clock: clock.clone(),
        wake: wake.clone(),
        age,
    };
    let mut prober = Prober::new(pool, PERIOD);
    dispatcher.spawn(connections, &mut prober, shutdown);
    if let Some(vapid) = config.push.vapid(&config.contacts.contact_to)? {
        let encryptor = config.secret.push_encryptor()?;
        let dispatcher = Dispatcher {
            queue: Pushes::new(vapid, config.push.push_loopback, &encryptor, clock),
            receiver: "push",
            pool: pool.clone(),
            clock: clock.clone(),
            // Never woken: a push waits for the next probe, at most 2 s.
            wake: Wake::default(),
            age: push_age,
        };
        dispatcher.spawn(PUSH_WORKERS, &mut prober, shutdown);
    }
    prober.spawn(shutdown);
    Ok(wake)
}

/// The queued mails and the mail server.
#[derive(Clone)]
struct Mails {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Address,
    encryptor: Encryptor,
    limit: Duration,
    lease: time::Duration,
}

/// How an attempt to send a mail ended.
enum Outcome {
    /// The mail server replied with this code: 2xx accepted, 4xx try again, 5xx refused permanently.
    Answered(u16),
    /// The mail server cannot be used. The reason reveals nothing of the mail.
    Unreachable(&'static str),
    /// The mail was encrypted with another secret.
    Unreadable,
}

impl Queue for Mails {
    type Item = QueuedMail;
    type Outcome = Outcome;

    async fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<QueuedMail>> {
        mail::take_due(database, now, self.lease).await
    }

    fn span(&self, mail: &QueuedMail) -> Span {
        let span = tracing::info_span!(
            parent: None,
            "send",
            otel.name = format!("send {}", mail.kind),
            otel.kind = "producer",
            messaging.message.id = %mail.id,
            messaging.destination.name = "smtp",
            smtp.reply = tracing::field::Empty,
        );
        kit::trace::follow(&span, mail.traceparent.as_deref());
        span
    }

    async fn deliver(&self, mail: &QueuedMail) -> Outcome {
        let Some((recipient, message)) = mail.decrypt(&self.encryptor) else {
            return Outcome::Unreadable;
        };
        let envelope = email::parse_address(&recipient)
            .and_then(|to| Envelope::new(Some(self.sender.clone()), vec![to]).ok());
        let Some(envelope) = envelope else {
            return Outcome::Unreadable;
        };
        match timeout(self.limit, self.transport.send_raw(&envelope, &message)).await {
            Ok(Ok(response)) => Outcome::Answered(response.code().into()),
            Ok(Err(error)) => classify_error(&error),
            Err(_) => Outcome::Unreachable("it did not answer in time"),
        }
    }

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        mail: &QueuedMail,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        mail::extend_lease(database, mail, now + self.lease).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        mail: &QueuedMail,
        outcome: Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        match outcome {
            Outcome::Answered(code) => {
                Span::current().record("smtp.reply", code);
                let reply = i16::try_from(code).ok();
                match code {
                    ..400 => mail::finish(database, mail.id, FinalState::Sent, reply, now).await?,
                    500.. => {
                        mail::finish(database, mail.id, FinalState::Bounced, reply, now).await?;
                        tracing::warn!(mail = %mail.id, kind = mail.kind, reply = code, "a mail was refused permanently");
                    }
                    _ => postpone(database, mail, reply, now).await?,
                }
                Ok(Reach::Reached)
            }
            Outcome::Unreachable(reason) => {
                postpone(database, mail, None, now).await?;
                Ok(Reach::Unreachable(reason))
            }
            Outcome::Unreadable => {
                tracing::error!(mail = %mail.id, kind = mail.kind, "a mail was encrypted with another DESK_SECRET");
                postpone(database, mail, None, now).await?;
                Ok(Reach::Unknown)
            }
        }
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        mail::probe(database, now).await
    }
}

async fn postpone(
    database: &mut PgConnection,
    mail: &QueuedMail,
    reply: Option<i16>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    if mail::postpone(database, mail, reply, now).await? {
        tracing::error!(mail = %mail.id, kind = mail.kind, "a mail expired: it could not be sent for a day");
    }
    Ok(())
}

/// What an error of SMTP means. Its text may contain the address, so it is not logged.
fn classify_error(error: &smtp::Error) -> Outcome {
    match error.status().map(u16::from) {
        // Authentication and encryption failed, not the mail (RFC 4954).
        Some(530 | 534 | 535 | 538) => Outcome::Unreachable("it refuses the login: check DESK_SMTP_URL"),
        // The mail server is closing the connection (RFC 5321).
        Some(421) => Outcome::Unreachable("it is closing the connection"),
        Some(reply @ 400..) => Outcome::Answered(reply),
        _ if error.is_tls() => Outcome::Unreachable("the encrypted connection failed"),
        _ if error.is_timeout() => Outcome::Unreachable("it did not answer in time"),
        _ => Outcome::Unreachable("it is unreachable"),
    }
}
