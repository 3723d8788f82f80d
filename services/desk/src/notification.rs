//! Notifications: mails and pushes about something that the person did not just do. They follow the person's settings and
//! quiet hours, and each is sent once. Mails that confirm an action, and mails about money, the account or the law, are
//! always sent.

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
use crate::push::{self, PushMessage, subscription};
use unsubscribe::Unsubscriber;

/// How long a notification is remembered.
const RETENTION: Duration = Duration::days(30);

/// A notification to send.
pub(crate) struct Notification<'a> {
    pub(crate) account: Uuid,
    /// Identifies the occurrence. A second notification of the account with the same key is dropped.
    pub(crate) dedupe_key: &'a str,
    /// The subject, e.g. an entry of an event, for [`withdraw`].
    pub(crate) about: Option<Uuid>,
    /// Without a topic it is always sent.
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

    /// Queues a notification according to the settings of the person. Returns its id; `None` if it was queued before, or if
    /// the account was erased.
    pub(crate) async fn notify(
        &self,
        database: &mut PgConnection,
        notification: &Notification<'_>,
        now: OffsetDateTime,
    ) -> Result<Option<Uuid>, Error> {
        let Notification { account, dedupe_key, about, email } = *notification;
        let Some(topic) = email.topic else {
            return self.send_always(database, email, now).await.map(Some);
        };
        if erased_account::contains(database, account).await? {
            return Ok(None);
        }
        let id = Uuid::now_v7();
        let added = sqlx::query!(
            "INSERT INTO notification (id, account, dedupe_key, about, created_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT ON CONSTRAINT notification_once DO NOTHING",
            id,
            account,
            dedupe_key,
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
        let due = settings.find_due(now);
        if settings.has_mail(topic) {
            let email = email.clone().with_unsubscribe(self.unsubscriber.make_token(account, topic));
            let message = self.formatter.format_message(&email, id, now)?;
            let draft = Draft {
                id,
                kind: email.kind,
                topic: Some(topic),
                account: Some(account),
                created: now,
                due,
                to: &email.to,
                message,
            };
            mail::add_mail(database, &draft, &self.encryptor, now).await?;
        }
        if settings.has_push(topic) {
            let message = PushMessage { id, text: email.headline(), path: email.path() };
            push::add(database, (account, topic), &message, &self.push_encryptor, (now, due)).await?;
        }
        Ok(Some(id))
    }
}

/// Deletes the unsent mails and pushes of the notifications about these subjects. A notification of which nothing was sent
/// is forgotten, so it can be sent later. If an attempt to send it is running, it counts as unsent.
pub(crate) async fn withdraw(database: &mut PgConnection, about: &[Uuid]) -> sqlx::Result<()> {
    let ids = sqlx::query_scalar!("SELECT id FROM notification WHERE about = ANY ($1)", about)
        .fetch_all(&mut *database)
        .instrument(span("SELECT notification"))
        .await?;
    if ids.is_empty() {
        return Ok(());
    }
    mail::withdraw(database, &ids).await?;
    push::withdraw(database, &ids).await?;
    sqlx::query!(
        "DELETE FROM notification WHERE id = ANY ($1) AND NOT is_pushed \
         AND NOT EXISTS (SELECT FROM mail WHERE mail.id = notification.id AND state = 'sent')",
        &ids
    )
    .execute(database)
    .instrument(span("DELETE notification"))
    .await?;
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
