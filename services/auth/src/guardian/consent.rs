//! A guardian's consent to what a minor does here: asked for by mail, given by a link.

use kit::db::span;
use kit::form::Wrong;
use kit::outbox::Outbox;
use proto::auth as wire;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::link::{self, Purpose};
use crate::profile::full_name;
use crate::token::Token;
use crate::{adult, school};

/// What a guardian may be to a learner.
const RELATIONS: [&str; 4] = ["母", "父", "祖父母", "その他の保護者"];

/// Whether a guardian has to agree, and has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consent {
    NotNeeded,
    /// Nobody was asked, or too long ago.
    Missing,
    /// Somebody was asked and can still agree.
    Waiting,
    Given,
}

/// Whether it is needed: by learners under 18, and by those whose age is not known.
pub(crate) fn is_needed(scope: &[String], birth_date: Option<Date>, now: OffsetDateTime) -> bool {
    scope.iter().any(|held| held == "learner")
        && !birth_date.is_some_and(|birth| adult::is_adult(birth, school::today(now)))
}

/// A guardian as a learner names them.
pub(crate) struct Guardian {
    pub(crate) name: String,
    /// As [`relation`] knows it.
    pub(crate) relation: String,
    pub(crate) email: String,
}

/// What a guardian is to a learner.
pub(crate) fn relation(typed: &str) -> Result<String, Wrong> {
    match typed {
        "" => Err(Wrong::Required),
        typed if RELATIONS.contains(&typed) => Ok(typed.to_owned()),
        _ => Err(Wrong::UnknownChoice),
    }
}

/// Who is asked for consent, and what was found out about both.
pub(crate) struct Request {
    pub(crate) learner: Uuid,
    pub(crate) learner_name: String,
    pub(crate) guardian: Guardian,
    /// The mailbox is that of an account of a minor: its owner gets another mail, without the link.
    pub(crate) is_minors_mailbox: bool,
    /// There is a consent that does not count any more; this one takes its place.
    pub(crate) replaces_void: bool,
}

/// How long a link lives, and how soon it can be asked for again.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) lifetime: Duration,
    pub(crate) resend_after: Duration,
}

/// Asks a guardian by mail; the links of those asked before are dead.
///
/// The same is done for the mailbox of a minor's account, but for the words of the mail: who asks can't tell the two apart.
pub(crate) async fn ask(
    database: &mut PgConnection,
    outbox: &Outbox,
    request: Request,
    rule: Rule,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let Request { learner, learner_name, guardian, is_minors_mailbox, replaces_void } = request;
    let (id, expires_at) = (Uuid::now_v7(), now + rule.lifetime);
    // One statement: of two at once the second sees that the first has just asked.
    let asked = sqlx::query!(
        "INSERT INTO consent (account, id, name, relation, email, asked_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT consent_pkey DO UPDATE SET \
         id = excluded.id, name = excluded.name, relation = excluded.relation, email = excluded.email, \
         asked_at = excluded.asked_at, expires_at = excluded.expires_at, given_at = NULL, given_name = NULL, \
         given_network = NULL, withdraw_hash = NULL \
         WHERE (consent.given_at IS NULL OR $9) AND consent.asked_at <= $8",
        learner,
        id,
        guardian.name,
        guardian.relation,
        guardian.email,
        now,
        expires_at,
        now - rule.resend_after,
        replaces_void
    )
    .execute(&mut *database)
    .instrument(span("INSERT consent"))
    .await?;
    if asked.rows_affected() == 0 {
        return Err(refusal(database, learner, replaces_void, rule, now).await?);
    }
    link::end_all(database, Purpose::Consent, learner, now).await?;
    let token = link::issue(database, Purpose::Consent, Some(learner), Some(id), expires_at).await?;
    if is_minors_mailbox {
        let event = wire::GuardianMailboxRefused { to: guardian.email, account_id: learner.to_string() };
        outbox.add(database, crate::rpc::DESK, &event, now).await?;
        return Ok(());
    }
    let event = wire::GuardianConsentRequested {
        to: guardian.email,
        account_id: learner.to_string(),
        guardian_name: guardian.name,
        learner_name,
        token: token.encode(),
        expires_at: Some(crate::rpc::timestamp(expires_at)),
    };
    outbox.add(database, crate::rpc::DESK, &event, now).await?;
    Ok(())
}

/// Why nobody is asked.
async fn refusal(
    database: &mut PgConnection,
    learner: Uuid,
    replaces_void: bool,
    rule: Rule,
    now: OffsetDateTime,
) -> sqlx::Result<Error> {
    let before = sqlx::query!("SELECT asked_at, given_at FROM consent WHERE account = $1", learner)
        .fetch_one(database)
        .instrument(span("SELECT consent"))
        .await?;
    if before.given_at.is_some() && !replaces_void {
        return Ok(Error::ConsentGiven);
    }
    Ok(Error::ResendTooSoon((before.asked_at + rule.resend_after - now).unsigned_abs()))
}

/// What a link asks for.
pub(crate) struct Asked {
    pub(crate) learner: Uuid,
    pub(crate) learner_name: String,
    pub(crate) learner_email: String,
    pub(crate) guardian_name: String,
    pub(crate) guardian_email: String,
}

/// What was asked for by the link with this subject; held to the end of the transaction.
pub(crate) async fn asked(database: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Asked>> {
    let row = sqlx::query!(
        "SELECT account.id, account.email, last_name, first_name, consent.name, \
         consent.email AS guardian_email FROM consent JOIN account ON account.id = consent.account \
         WHERE consent.id = $1 AND given_at IS NULL FOR UPDATE OF consent",
        id
    )
    .fetch_optional(database)
    .instrument(span("SELECT consent"))
    .await?;
    Ok(row.map(|row| Asked {
        learner: row.id,
        learner_name: full_name(&row.last_name, &row.first_name),
        learner_email: row.email,
        guardian_name: row.name,
        guardian_email: row.guardian_email,
    }))
}

/// Notes that a guardian agreed: under which name, and from which network. Gives the token that withdraws it.
pub(crate) async fn give(
    database: &mut PgConnection,
    id: Uuid,
    name: &str,
    network: Option<Vec<u8>>,
    now: OffsetDateTime,
) -> Result<Token, Error> {
    let withdraw = Token::random()?;
    sqlx::query!(
        "UPDATE consent SET given_at = $2, given_name = $3, given_network = $4, withdraw_hash = $5 WHERE id = $1",
        id,
        now,
        name,
        network,
        withdraw.hash()
    )
    .execute(database)
    .instrument(span("UPDATE consent"))
    .await?;
    Ok(withdraw)
}

/// A consent as it is kept.
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) relation: String,
    pub(crate) email: String,
    pub(crate) asked_at: OffsetDateTime,
    pub(crate) given_at: Option<OffsetDateTime>,
    pub(crate) given_name: Option<String>,
}

/// The consent of a learner, given or asked for.
pub(crate) async fn of(database: &mut PgConnection, learner: Uuid) -> sqlx::Result<Option<Kept>> {
    sqlx::query_as!(
        Kept,
        "SELECT name, relation, email, asked_at, given_at, given_name FROM consent WHERE account = $1",
        learner
    )
    .fetch_optional(database)
    .instrument(span("SELECT consent"))
    .await
}
