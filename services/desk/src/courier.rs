//! Who sends: a few tasks, each with a mail at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kit::Failure;
use kit::clock::Clock;
use kit::db::Pool;
use kit::outbox::{Age, Ages};
use kit::seal::Seal;
use kit::shutdown::Shutdown;
use kit::task::Ticks;
use lettre::address::Envelope;
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{self, PoolConfig};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use tokio::sync::Notify;
use tokio::time::timeout;
use tracing::Instrument as _;

use crate::config::Serve;
use crate::letter;
use crate::mail::{self, End, Waiting};

/// How often it is looked whether a mail is due again; new ones are told.
const PERIOD: Duration = Duration::from_secs(1);

/// The couriers of this process, to tell that there is a new mail.
#[derive(Clone, Default)]
pub struct Couriers(Arc<Notify>);

impl Couriers {
    /// Sends what waits, now and from now on, until `shutdown`; see the settings for how many at once.
    pub fn spawn(
        config: &Serve,
        pool: &Pool,
        seal: &Seal,
        clock: &Clock,
        shutdown: &Shutdown,
    ) -> Result<Self, Failure> {
        let couriers = Self::default();
        let mut ages = Ages::default();
        let age = ages.add("smtp");
        ages.show(clock);
        mail::show();
        let connections = config.smtp.smtp_connections;
        let from = config.letters.mail_from.clone();
        let courier = Courier {
            smtp: AsyncSmtpTransport::<Tokio1Executor>::from_url(&config.smtp.smtp_url)
                .map_err(
                    |_| "DESK_SMTP_URL is not the address of a mail server, like smtps://user:password@host",
                )?
                .hello_name(ClientId::Domain(from.domain().to_owned()))
                .timeout(Some(config.smtp.smtp_limit))
                .pool_config(PoolConfig::new().max_size(connections.into()))
                .build(),
            from,
            pool: pool.clone(),
            seal: seal.clone(),
            clock: clock.clone(),
            limit: config.smtp.smtp_limit,
            // Who was killed over a mail has surely ended by then.
            lease: time::Duration::try_from(config.smtp.smtp_limit * 2)?,
            trouble: Arc::default(),
        };
        for _ in 0..connections {
            let (courier, age, new, shutdown) =
                (courier.clone(), age.clone(), couriers.0.clone(), shutdown.clone());
            kit::task::spawn("courier", &shutdown.clone(), async move {
                courier.run(&age, &new, &shutdown).await;
            });
        }
        Ok(couriers)
    }

    /// There is a new mail.
    pub(crate) fn wake(&self) {
        self.0.notify_one();
    }
}

#[derive(Clone)]
struct Courier {
    smtp: AsyncSmtpTransport<Tokio1Executor>,
    from: Address,
    pool: Pool,
    seal: Seal,
    clock: Clock,
    limit: Duration,
    lease: time::Duration,
    /// The mail server can't be reached; said once.
    trouble: Arc<AtomicBool>,
}

/// What came of one mail.
enum Outcome {
    /// The mail server answered with this code: 2xx has it, 4xx later, 5xx never.
    Answered(u16),
    /// There is no talking to it: why, in words that say nothing of the mail.
    Trouble(&'static str),
    /// This process can't read it.
    Unreadable,
}

impl Courier {
    async fn run(self, age: &Age, new: &Notify, shutdown: &Shutdown) {
        let mut ticks = Ticks::new(PERIOD, shutdown.clone());
        while ticks.next_or(new).await {
            if let Err(error) = self.round(age, shutdown).await {
                tracing::warn!(error = kit::error::chain(&error), "mails wait");
            }
        }
    }

    /// Sends all that is due, oldest first; stops where the mail server can't be reached.
    async fn round(&self, age: &Age, shutdown: &Shutdown) -> sqlx::Result<()> {
        while !shutdown.begun() {
            // The connection is given back before: sending takes its time.
            let mail = mail::take(&mut *self.pool.acquire().await?, self.clock.now(), self.lease).await?;
            let Some(mail) = mail else { break };
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
            if !self.send(&mail).instrument(span).await? {
                break;
            }
        }
        age.set(mail::oldest(&mut *self.pool.acquire().await?).await?);
        Ok(())
    }

    /// Sends one, and says whether the next is worth a try.
    async fn send(&self, mail: &Waiting) -> sqlx::Result<bool> {
        let outcome = self.hand_over(mail).await;
        let mut connection = self.pool.acquire().await?;
        let now = self.clock.now();
        match outcome {
            Outcome::Answered(reply) => {
                tracing::Span::current().record("smtp.reply", reply);
                self.is_well();
                let kept = i16::try_from(reply).ok();
                match reply {
                    ..400 => mail::done(&mut connection, mail.id, End::Sent, kept, now).await?,
                    500.. => {
                        mail::done(&mut connection, mail.id, End::Bounced, kept, now).await?;
                        tracing::warn!(mail = %mail.id, kind = mail.kind, reply, "a mail was refused for good");
                    }
                    _ => self.later(&mut connection, mail, kept).await?,
                }
                Ok(true)
            }
            Outcome::Trouble(why) => {
                if !self.trouble.swap(true, Ordering::Relaxed) {
                    tracing::warn!(why, "mails wait: the mail server can't be used");
                }
                self.later(&mut connection, mail, None).await?;
                Ok(false)
            }
            Outcome::Unreadable => {
                tracing::error!(mail = %mail.id, kind = mail.kind, "a mail was sealed with another DESK_SECRET");
                self.later(&mut connection, mail, None).await?;
                Ok(true)
            }
        }
    }

    async fn later(
        &self,
        database: &mut sqlx::PgConnection,
        mail: &Waiting,
        reply: Option<i16>,
    ) -> sqlx::Result<()> {
        if mail::postpone(database, mail, reply, self.clock.now()).await? {
            tracing::error!(mail = %mail.id, kind = mail.kind, "a mail is given up after a day");
        }
        Ok(())
    }

    fn is_well(&self) {
        if self.trouble.swap(false, Ordering::Relaxed) {
            tracing::info!("mails are sent again");
        }
    }

    async fn hand_over(&self, mail: &Waiting) -> Outcome {
        let Some((to, message)) = mail.open(&self.seal) else {
            return Outcome::Unreadable;
        };
        let envelope =
            letter::address(&to).and_then(|to| Envelope::new(Some(self.from.clone()), vec![to]).ok());
        let Some(envelope) = envelope else {
            return Outcome::Unreadable;
        };
        match timeout(self.limit, self.smtp.send_raw(&envelope, &message)).await {
            Ok(Ok(response)) => Outcome::Answered(response.code().into()),
            Ok(Err(error)) => judge(&error),
            Err(_) => Outcome::Trouble("it does not answer in time"),
        }
    }
}

/// What an error means. Its own text may repeat the address, so nobody hears it.
fn judge(error: &smtp::Error) -> Outcome {
    match error.status().map(u16::from) {
        // Of the login and the encryption, not of the mail (RFC 4954).
        Some(530 | 534 | 535 | 538) => Outcome::Trouble("it refuses our login: see DESK_SMTP_URL"),
        // It closes, whoever asks (RFC 5321).
        Some(421) => Outcome::Trouble("it is closing"),
        Some(reply @ 400..) => Outcome::Answered(reply),
        _ if error.is_tls() => Outcome::Trouble("there is no encrypted connection to it"),
        _ if error.is_timeout() => Outcome::Trouble("it does not answer in time"),
        _ => Outcome::Trouble("it can't be reached"),
    }
}
