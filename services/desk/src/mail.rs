//! Mails: on their way, and for a month that they were sent. What they say, and to whom, is sealed while it waits and
//! forgotten when it is done.

use std::sync::atomic::{AtomicU32, Ordering};

use kit::db::span;
use kit::metrics::{self, Sample, list};
use kit::seal::Seal;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;

/// How long a mail rests after its first failure; twice as long after each further one.
const FIRST_REST: Duration = Duration::SECOND;
/// At most so long.
const LONGEST_REST: Duration = Duration::HOUR;
/// A mail that nobody took for so long is given up: its links are dead by then.
const GIVEN_UP_AFTER: Duration = Duration::DAY;
/// How long it is remembered that a mail was sent.
pub(crate) const KEPT: Duration = Duration::days(30);
/// What a mail server would say of an address that can't be one (RFC 5321, 4.2.3).
const NO_ADDRESS: i16 = 553;

/// A mail to be sent.
pub(crate) struct Draft<'a> {
    pub(crate) id: Uuid,
    pub(crate) kind: &'static str,
    pub(crate) account: Option<Uuid>,
    pub(crate) created: OffsetDateTime,
    pub(crate) to: &'a str,
    /// As it travels; `None` where it can't travel to such an address.
    pub(crate) message: Option<Vec<u8>>,
}

/// Puts a mail on its way.
pub(crate) async fn put(
    database: &mut PgConnection,
    draft: &Draft<'_>,
    seal: &Seal,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let sealed = match &draft.message {
        Some(message) => {
            let content = [draft.to.as_bytes(), b"\n", message].concat();
            Some(seal.seal(&draft.id.to_string(), &content).map_err(|_| Error::Sealing)?)
        }
        None => None,
    };
    let bounced = sealed.is_none();
    sqlx::query!(
        "INSERT INTO mail (id, kind, account, created, sealed, state, reply, traceparent, tries, next_try_at, done_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10)",
        draft.id,
        draft.kind,
        draft.account,
        draft.created,
        sealed,
        if bounced { End::Bounced.name() } else { "waiting" },
        bounced.then_some(NO_ADDRESS),
        kit::trace::current_traceparent(),
        now,
        bounced.then_some(now)
    )
    .execute(database)
    .instrument(span("INSERT mail"))
    .await?;
    if bounced {
        End::Bounced.count();
    }
    Ok(())
}

/// A mail that waits.
pub(crate) struct Waiting {
    pub(crate) id: Uuid,
    pub(crate) kind: String,
    created: OffsetDateTime,
    sealed: Vec<u8>,
    pub(crate) traceparent: Option<String>,
    /// This one counts.
    tries: i32,
}

impl Waiting {
    /// To whom, and what; `None` where it was sealed with another key.
    pub(crate) fn open(&self, seal: &Seal) -> Option<(String, Vec<u8>)> {
        let mut content = seal.open(&self.id.to_string(), &self.sealed).ok()?;
        let end = content.iter().position(|byte| *byte == b'\n')?;
        let message = content.split_off(end + 1);
        content.truncate(end);
        Some((String::from_utf8(content).ok()?, message))
    }
}

/// Takes the oldest mail that is due; nobody else takes it within `lease`.
pub(crate) async fn take(
    database: &mut PgConnection,
    now: OffsetDateTime,
    lease: Duration,
) -> sqlx::Result<Option<Waiting>> {
    // No span: mostly there is none.
    sqlx::query_as!(
        Waiting,
        r#"UPDATE mail SET tries = tries + 1, next_try_at = $2 WHERE id = (
            SELECT id FROM mail WHERE state = 'waiting' AND next_try_at <= $1
            ORDER BY created, id LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, kind, created, sealed AS "sealed!", traceparent, tries"#,
        now,
        now + lease
    )
    .fetch_optional(database)
    .await
}

/// How sending ended, once and for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The mail server has it.
    Sent,
    /// It will never take it.
    Bounced,
    /// It was tried for long enough.
    Expired,
}

/// How many mails of this process ended in each way.
static ENDED: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

impl End {
    const ALL: [Self; 3] = [Self::Sent, Self::Bounced, Self::Expired];

    fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Bounced => "bounced",
            Self::Expired => "expired",
        }
    }

    fn count(self) {
        ENDED[self as usize].fetch_add(1, Ordering::Relaxed);
    }
}

/// Shows among the metrics how mails ended.
pub(crate) fn show() {
    metrics::watch(&list::MAILS, || {
        let ended = |end: End| f64::from(ENDED[end as usize].load(Ordering::Relaxed));
        End::ALL.into_iter().map(|end| Sample::new([end.name()], ended(end))).collect()
    });
}

/// A mail is done: what it said is forgotten.
pub(crate) async fn done(
    database: &mut PgConnection,
    id: Uuid,
    end: End,
    reply: Option<i16>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let done = sqlx::query!(
        "UPDATE mail SET state = $2, reply = $3, done_at = $4, sealed = NULL WHERE id = $1 AND state = 'waiting'",
        id,
        end.name(),
        reply,
        now
    )
    .execute(database)
    .instrument(span("UPDATE mail"))
    .await?;
    // Another may have ended it since.
    if done.rows_affected() > 0 {
        end.count();
    }
    Ok(())
}

/// A mail could not be sent: later again, unless somebody else took it meanwhile, or never. Says whether it is given up.
pub(crate) async fn postpone(
    database: &mut PgConnection,
    mail: &Waiting,
    reply: Option<i16>,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    if now - mail.created >= GIVEN_UP_AFTER {
        done(database, mail.id, End::Expired, reply, now).await?;
        return Ok(true);
    }
    sqlx::query!(
        "UPDATE mail SET next_try_at = $3, reply = $4 WHERE id = $1 AND tries = $2 AND state = 'waiting'",
        mail.id,
        mail.tries,
        now + rest(mail.tries),
        reply
    )
    .execute(database)
    .instrument(span("UPDATE mail"))
    .await?;
    Ok(false)
}

/// How long to wait after so many failures.
fn rest(tries: i32) -> Duration {
    let doublings = u32::try_from(tries - 1).unwrap_or(0);
    2_i32.checked_pow(doublings).map_or(LONGEST_REST, |factor| (FIRST_REST * factor).min(LONGEST_REST))
}

/// Since when the oldest mail waits.
pub(crate) async fn oldest(database: &mut PgConnection) -> sqlx::Result<Option<OffsetDateTime>> {
    sqlx::query_scalar!("SELECT min(created) FROM mail WHERE state = 'waiting'").fetch_one(database).await
}

/// What is kept of a mail.
pub(crate) struct Kept {
    pub(crate) kind: String,
    pub(crate) created: OffsetDateTime,
    pub(crate) state: String,
    pub(crate) done_at: Option<OffsetDateTime>,
}

/// Mails of an account that are listed: the newest. They go out in one message of 4 MiB at most.
const LISTED: i64 = 20_000;

/// The mails of an account, newest first; no more than are listed.
pub(crate) async fn of_account(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<Kept>> {
    sqlx::query_as!(
        Kept,
        "SELECT kind, created, state, done_at FROM mail WHERE account = $1 ORDER BY created DESC, id DESC LIMIT $2",
        account,
        LISTED
    )
    .fetch_all(database)
    .instrument(span("SELECT mail"))
    .await
}

/// Forgets the mails of an account, sent or not.
pub(crate) async fn forget(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM mail WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE mail"))
        .await?;
    Ok(())
}

/// Forgets at most `most` of the mails that were done long ago; gives how many.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, most: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM mail WHERE id IN (SELECT id FROM mail WHERE done_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now - KEPT,
        most
    )
    .execute(database)
    .instrument(span("DELETE mail"))
    .await?;
    Ok(deleted.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_rests_a_second_then_twice_as_long_each_time_and_never_over_an_hour() {
        let rests: Vec<_> = [1, 2, 3, 12, 13, i32::MAX].map(|tries| rest(tries).whole_seconds()).into();
        assert_eq!(rests, [1, 2, 4, 2048, 3600, 3600]);
    }
}
