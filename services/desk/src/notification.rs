//! The one way to tell a person of something that they did not just do themselves. A notification obeys the settings of
//! the person and their quiet hours, and is made once. Mails that answer an action, and mails about money, the account or
//! the law, do not come here: they are always sent.

pub(crate) mod setting;
pub(crate) mod unsubscribe;

use kit::Failure;
use kit::encryption::Encryptor;
use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::config::{EmailSettings, SecretArg};
use crate::email::{Email, EmailFormatter};
use crate::error::Error;
use crate::mail::{self, Draft};
use crate::notification_topic::Topic;
use crate::push::{self, PushMessage, subscription};
use unsubscribe::Unsubscriber;

/// How long a notification is remembered.
const RETENTION: Duration = Duration::days(30);

/// Something to tell a person.
pub(crate) struct Notification<'a> {
    pub(crate) account: Uuid,
    pub(crate) topic: Topic,
    /// The occurrence. The same occurrence is told once.
    pub(crate) dedupe_key: &'a str,
    /// What it tells of, to withdraw it.
    pub(crate) about: Option<Uuid>,
    pub(crate) email: &'a Email,
}

/// Queues notifications, in the transaction of what happened. The dispatcher sends them.
#[derive(Clone)]
pub(crate) struct Notifier {
    formatter: EmailFormatter,
    encryptor: Encryptor,
    push_encryptor: Encryptor,
    unsubscriber: Unsubscriber,
}

impl Notifier {
    pub(crate) fn new(emails: &EmailSettings, secret: &SecretArg) -> Result<Self, Failure> {
        Ok(Self {
            formatter: EmailFormatter::new(emails),
            encryptor: secret.encryptor()?,
            push_encryptor: secret.push_encryptor()?,
            unsubscriber: Unsubscriber::new(secret.unsubscribe_hash()?),
        })
    }

    pub(crate) fn unsubscriber(&self) -> &Unsubscriber {
        &self.unsubscriber
    }

    /// Queues an email that is always sent, and returns its id.
    pub(crate) async fn send_always(
        &self,
        database: &mut PgConnection,
        email: &Email,
        now: OffsetDateTime,
    ) -> Result<Uuid, Error> {
        mail::add_email(database, email, (&self.formatter, &self.encryptor), now).await
    }

    /// Tells a person of something, as their settings say. Returns the id of the notification; `None` if it was told before
    /// or the account was erased.
    pub(crate) async fn notify(
        &self,
        database: &mut PgConnection,
        notification: &Notification<'_>,
        now: OffsetDateTime,
    ) -> Result<Option<Uuid>, Error> {
        let Notification { account, topic, dedupe_key, about, email } = *notification;
        if erased_account::contains(database, account).await? {
            return Ok(None);
        }
        let id = Uuid::now_v7();
        let added = sqlx::query!(
            "INSERT INTO notification (id, account, dedupe_key, topic, about, created_at) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT ON CONSTRAINT notification_once DO NOTHING",
            id,
            account,
            dedupe_key,
            topic.name(),
            about,
            now
        )
        .execute(&mut *database)
        .instrument(span("INSERT notification"))
        .await?;
        if added.rows_affected() == 0 {
            return Ok(None);
        }
        let settings = setting::find(database, account).await?;
        if settings.has_mail(topic) {
            let email = email.clone().with_unsubscribe(self.unsubscriber.make_token(account, topic));
            let message = self.formatter.format_message(&email, id, now)?;
            let draft = Draft {
                id,
                kind: email.kind,
                topic: Some(topic),
                account: Some(account),
                created: now,
                due: settings.find_due(now),
                to: &email.to,
                message,
            };
            mail::add_mail(database, &draft, &self.encryptor, now).await?;
        }
        if settings.has_push(topic) {
            let message = PushMessage { id, text: email.headline(), path: email.path() };
            let times = (now, settings.find_due(now));
            push::add(database, (account, topic), &message, &self.push_encryptor, times).await?;
        }
        Ok(Some(id))
    }
}

/// Withdraws what was not sent yet of the notifications about `about`, because they no longer hold.
pub(crate) async fn withdraw(database: &mut PgConnection, about: Uuid) -> sqlx::Result<()> {
    let ids = sqlx::query_scalar!("SELECT id FROM notification WHERE about = $1", about)
        .fetch_all(&mut *database)
        .instrument(span("SELECT notification"))
        .await?;
    for id in ids {
        mail::withdraw(database, id).await?;
        push::withdraw(database, id).await?;
    }
    Ok(())
}

/// Deletes the notifications, the settings and the browsers of an account. The caller holds its lock.
pub(crate) async fn erase(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    setting::erase(database, account).await?;
    subscription::erase(database, account).await?;
    sqlx::query!("DELETE FROM notification WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE notification"))
        .await?;
    Ok(())
}

/// Deletes at most `limit` notifications that are older than 30 days. Returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM notification WHERE id IN \
         (SELECT id FROM notification WHERE created_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now - RETENTION,
        limit
    )
    .execute(database)
    .instrument(span("DELETE notification"))
    .await?;
    Ok(deleted.rows_affected())
}
