//! Mails: the queue, and a record of each mail for 30 days. Recipient and message are encrypted while a mail waits, and
//! deleted when it is finished.

use std::sync::atomic::{AtomicU32, Ordering};

use kit::encryption::Encryptor;
use kit::metrics::{Kind, Metric, Sample, watch};
use kit_db::outbox::{Backoff, QueueState};
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::email::{Email, EmailFormatter};
use crate::error::Error;
use crate::notification_topic::Topic;

/// The pauses between the attempts to send a mail.
const BACKOFF: Backoff = Backoff { first: Duration::SECOND, longest: Duration::HOUR };
/// A mail expires when it has been due for this time. Its links have expired by then.
const EXPIRY: Duration = Duration::DAY;
/// How long the record of a finished mail is kept.
pub(crate) const RETENTION: Duration = Duration::days(30);
/// The reply of a mail server to an invalid address (RFC 5321, 4.2.3).
const INVALID_ADDRESS: i16 = 553;

/// A mail to be sent.
pub(crate) struct Draft<'a> {
    pub(crate) id: Uuid,
    pub(crate) kind: &'static str,
    /// `None` for a mail that can't be switched off.
    pub(crate) topic: Option<Topic>,
    pub(crate) account: Option<Uuid>,
    pub(crate) created: OffsetDateTime,
    /// When to send it first.
    pub(crate) due: OffsetDateTime,
    pub(crate) to: &'a str,
    /// The formatted message; `None` if the address is invalid.
    pub(crate) message: Option<Vec<u8>>,
}

/// Adds a mail to the queue. A mail to an invalid address bounces at once.
pub(crate) async fn add_mail(
    database: &mut PgConnection,
    draft: &Draft<'_>,
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let sealed = match &draft.message {
        Some(message) => {
            let content = [draft.to.as_bytes(), b"\n", message].concat();
            Some(encryptor.seal(&draft.id.to_string(), &content).map_err(|_| Error::Sealing)?)
        }
        None => None,
    };
    let bounced = sealed.is_none();
    sqlx::query!(
        "INSERT INTO mail (id, kind, account, created, sealed, state, reply, traceparent, tries, next_try_at, done_at, topic) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11)",
        draft.id,
        draft.kind,
        draft.account,
        draft.created,
        sealed,
        if bounced { FinalState::Bounced.name() } else { "waiting" },
        bounced.then_some(INVALID_ADDRESS),
        kit::trace::current_traceparent(),
        draft.due,
        bounced.then_some(now),
        draft.topic.map(Topic::name)
    )
    .execute(database)
    .instrument(span("INSERT mail"))
    .await?;
    if bounced {
        FinalState::Bounced.count();
    }
    Ok(())
}

/// Formats an email and adds it to the queue. Returns the id of the mail.
pub(crate) async fn add_email(
    database: &mut PgConnection,
    email: &Email,
    (formatter, encryptor): (&EmailFormatter, &Encryptor),
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    let id = Uuid::now_v7();
    let message = formatter.format_message(email, id, now)?;
    let draft = Draft {
        id,
        kind: email.kind,
        topic: None,
        account: email.account,
        created: now,
        due: now,
        to: &email.to,
        message,
    };
    add_mail(database, &draft, encryptor, now).await?;
    Ok(id)
}

/// A mail that waits to be sent.
pub(crate) struct QueuedMail {
    pub(crate) id: Uuid,
    pub(crate) kind: String,
    /// When the first attempt was due.
    due_at: OffsetDateTime,
    sealed: Vec<u8>,
    pub(crate) traceparent: Option<String>,
    /// Attempts so far, including the current one.
    tries: i32,
}

impl QueuedMail {
    /// The recipient and the message; `None` if they were encrypted with another key.
    pub(crate) fn decrypt(&self, encryptor: &Encryptor) -> Option<(String, Vec<u8>)> {
        let mut content = encryptor.open(&self.id.to_string(), &self.sealed).ok()?;
        let end = content.iter().position(|byte| *byte == b'\n')?;
        let message = content.split_off(end + 1);
        content.truncate(end);
        Some((String::from_utf8(content).ok()?, message))
    }
}

/// Takes the oldest mail that is due, and leases it for `lease`: no other dispatcher takes it meanwhile.
pub(crate) async fn take_due(
    database: &mut PgConnection,
    now: OffsetDateTime,
    lease: Duration,
) -> sqlx::Result<Option<QueuedMail>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as!(
        QueuedMail,
        r#"UPDATE mail SET tries = tries + 1, due_at = COALESCE(due_at, next_try_at), next_try_at = $2 WHERE id = (
            SELECT id FROM mail WHERE state = 'waiting' AND next_try_at <= $1
            ORDER BY created, id LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, kind, due_at AS "due_at!", sealed AS "sealed!", traceparent, tries"#,
        now,
        now + lease
    )
    .fetch_optional(database)
    .await
}

/// Extends the lease of a mail, unless another dispatcher has taken it since.
pub(crate) async fn extend_lease(
    database: &mut PgConnection,
    mail: &QueuedMail,
    until: OffsetDateTime,
) -> sqlx::Result<()> {
    // No span: it says nothing about the delivery.
    sqlx::query!(
        "UPDATE mail SET next_try_at = $3 WHERE id = $1 AND tries = $2 AND state = 'waiting'",
        mail.id,
        mail.tries,
        until
    )
    .execute(database)
    .await?;
    Ok(())
}

/// The final state of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FinalState {
    /// The mail server accepted it.
    Sent,
    /// The mail server refused it permanently.
    Bounced,
    /// It could not be sent for a day.
    Expired,
}

/// Number of mails that this process finished, by state.
static FINISHED: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

impl FinalState {
    const ALL: [Self; 3] = [Self::Sent, Self::Bounced, Self::Expired];

    fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Bounced => "bounced",
            Self::Expired => "expired",
        }
    }

    fn count(self) {
        FINISHED[self as usize].fetch_add(1, Ordering::Relaxed);
    }
}

/// Mails by their final state.
const MAILS: Metric = Metric {
    name: "konomana_mails_total",
    kind: Kind::Counter,
    labels: &["end"],
    help: "Mails in a final state: sent, accepted by the mail server; bounced, refused permanently; expired, tried for a day",
};
pub(crate) const METRICS: &[Metric] = &[MAILS];

/// Registers the metric of finished mails.
pub(crate) fn register_metrics() {
    watch(&MAILS, || {
        let count = |state: FinalState| f64::from(FINISHED[state as usize].load(Ordering::Relaxed));
        FinalState::ALL.into_iter().map(|state| Sample::new([state.name()], count(state))).collect()
    });
}

/// Finishes a mail and deletes its content.
pub(crate) async fn finish(
    database: &mut PgConnection,
    id: Uuid,
    state: FinalState,
    reply: Option<i16>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let updated = sqlx::query!(
        "UPDATE mail SET state = $2, reply = $3, done_at = $4, sealed = NULL WHERE id = $1 AND state = 'waiting'",
        id,
        state.name(),
        reply,
        now
    )
    .execute(database)
    .instrument(span("UPDATE mail"))
    .await?;
    // Another process may have finished it.
    if updated.rows_affected() > 0 {
        state.count();
    }
    Ok(())
}

/// Postpones a mail after a failed attempt, unless another process has taken it since. Returns whether the mail expired
/// instead.
pub(crate) async fn postpone(
    database: &mut PgConnection,
    mail: &QueuedMail,
    reply: Option<i16>,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    if now - mail.due_at >= EXPIRY {
        finish(database, mail.id, FinalState::Expired, reply, now).await?;
        return Ok(true);
    }
    sqlx::query!(
        "UPDATE mail SET next_try_at = $3, reply = $4 WHERE id = $1 AND tries = $2 AND state = 'waiting'",
        mail.id,
        mail.tries,
        now + BACKOFF.pause(mail.tries),
        reply
    )
    .execute(database)
    .instrument(span("UPDATE mail"))
    .await?;
    Ok(false)
}

/// Reads since when the oldest mail has been due, and whether one is due. Mails in quiet hours do not count.
pub(crate) async fn probe(database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    sqlx::query_as!(
        QueueState,
        r#"SELECT
            (SELECT min(COALESCE(due_at, next_try_at)) FROM mail
                WHERE state = 'waiting' AND COALESCE(due_at, next_try_at) <= $1) AS oldest,
            EXISTS (SELECT FROM mail WHERE state = 'waiting' AND next_try_at <= $1) AS "is_due!""#,
        now
    )
    .fetch_one(database)
    .await
}

/// The record of a mail: all that remains once it is finished.
pub(crate) struct MailRecord {
    pub(crate) kind: String,
    pub(crate) created: OffsetDateTime,
    pub(crate) state: String,
    pub(crate) done_at: Option<OffsetDateTime>,
}

/// The most mails of an account in one list, which must fit in a gRPC message of 4 MiB.
const LIST_LIMIT: i64 = 20_000;

/// Lists the mails of an account, newest first, at most 20,000.
pub(crate) async fn list_account_mails(
    database: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<Vec<MailRecord>> {
    sqlx::query_as!(
        MailRecord,
        "SELECT kind, created, state, done_at FROM mail WHERE account = $1 ORDER BY created DESC, id DESC LIMIT $2",
        account,
        LIST_LIMIT
    )
    .fetch_all(database)
    .instrument(span("SELECT mail"))
    .await
}

/// Deletes those of these mails that are not finished. An attempt to send one may be running.
pub(crate) async fn withdraw(database: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM mail WHERE id = ANY ($1) AND state = 'waiting'", ids)
        .execute(database)
        .instrument(span("DELETE mail"))
        .await?;
    Ok(())
}

/// Deletes the mails of an account about these topics, unless they are finished.
pub(crate) async fn withdraw_topics(
    database: &mut PgConnection,
    account: Uuid,
    topics: &[String],
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM mail WHERE account = $1 AND state = 'waiting' AND topic = ANY ($2)",
        account,
        topics
    )
    .execute(database)
    .instrument(span("DELETE mail"))
    .await?;
    Ok(())
}

/// Sets when the mails of an account that can be switched off are sent, unless an attempt was made.
pub(crate) async fn set_due(
    database: &mut PgConnection,
    account: Uuid,
    due: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE mail SET next_try_at = $2 WHERE account = $1 AND state = 'waiting' AND topic IS NOT NULL AND tries = 0",
        account,
        due
    )
    .execute(database)
    .instrument(span("UPDATE mail"))
    .await?;
    Ok(())
}

/// When the mail server refused the newest finished mail to an account. `None` if it accepted that mail, or if the address
/// was changed since. Mails to an unconfirmed address do not count.
pub(crate) async fn find_bounce(
    database: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<Option<OffsetDateTime>> {
    let newest = sqlx::query!(
        "SELECT kind, state, done_at FROM mail WHERE account = $1 AND state IN ('sent', 'bounced') AND kind <> 'email_change' \
         ORDER BY created DESC, id DESC LIMIT 1",
        account
    )
    .fetch_optional(database)
    .instrument(span("SELECT mail"))
    .await?;
    // `email_changed` goes to the former address.
    let bounced = newest.filter(|mail| mail.state == "bounced" && mail.kind != "email_changed");
    Ok(bounced.and_then(|mail| mail.done_at))
}

/// Deletes the mails of an account, queued or finished.
pub(crate) async fn delete_account_mails(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM mail WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE mail"))
        .await?;
    Ok(())
}

/// Deletes at most `limit` records that are older than 30 days. Returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM mail WHERE id IN (SELECT id FROM mail WHERE done_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now - RETENTION,
        limit
    )
    .execute(database)
    .instrument(span("DELETE mail"))
    .await?;
    Ok(deleted.rows_affected())
}

#[cfg(test)]
mod tests;
