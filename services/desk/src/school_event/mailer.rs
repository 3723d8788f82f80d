//! Queues the mails about entries, in the transaction that changes the entry.

use kit::Failure;
use kit::encryption::Encryptor;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use super::contact::Contact;
use crate::config::Serve;
use crate::email::account::Recipient;
use crate::email::school_event::{EventFacts, News, write_news};
use crate::error::Error;
use crate::notification::{Notification, Notifier};

/// Writes the mails about entries.
#[derive(Clone)]
pub(crate) struct EventMailer {
    notifier: Notifier,
    /// Encrypts contacts.
    contact_encryptor: Encryptor,
}

/// An entry to write about.
pub(crate) struct Addressee<'a> {
    pub(crate) entry: Uuid,
    pub(crate) booked_by: Uuid,
    /// `None` after the erasure of the account that booked.
    pub(crate) sealed: Option<&'a [u8]>,
}

impl EventMailer {
    pub(crate) fn new(config: &Serve) -> Result<Self, Failure> {
        Ok(Self {
            notifier: Notifier::new(&config.emails, &config.secret)?,
            contact_encryptor: config.secret.event_encryptor()?,
        })
    }

    pub(super) fn seal(&self, contact: &Contact, entry: Uuid) -> Result<Vec<u8>, Error> {
        contact.seal(&self.contact_encryptor, entry)
    }

    /// Queues a mail or a notification about an entry, and returns its id. `None` without a contact, or if it was queued
    /// before.
    pub(super) async fn send(
        &self,
        database: &mut PgConnection,
        event: &EventFacts<'_>,
        to: &Addressee<'_>,
        news: News,
        now: OffsetDateTime,
    ) -> Result<Option<Uuid>, Error> {
        let Some(sealed) = to.sealed else { return Ok(None) };
        let contact = Contact::open(&self.contact_encryptor, to.entry, sealed)?;
        let recipient = Recipient { to: contact.email, account: Some(to.booked_by), name: contact.name };
        let email = write_news(recipient, event, contact.participant, news);
        let occurrence = match news {
            News::Offered(until) => until,
            News::Reminder => event.starts_at,
            _ => now,
        };
        let notification = Notification {
            account: to.booked_by,
            dedupe_key: &format!("{} {} {}", email.kind, to.entry, occurrence.unix_timestamp()),
            about: Some(to.entry),
            email: &email,
        };
        self.notifier.notify(database, &notification, now).await
    }
}
