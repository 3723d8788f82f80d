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
use crate::school;

/// What a guardian may be to a learner.
const RELATIONS: [&str; 4] = ["母", "父", "祖父母", "その他の保護者"];

/// Of age.
const ADULT: i32 = 18;

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
        && birth_date.is_none_or(|birth| kit::form::age(birth, school::today(now)) < ADULT)
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

/// How long a link lives, and how soon it can be asked for again.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) lifetime: Duration,
    pub(crate) resend_after: Duration,
}

/// Asks a guardian by mail; the links of those asked before are dead. The learner is named by account and full name.
pub(crate) async fn ask(
    database: &mut PgConnection,
    outbox: &Outbox,
    (learner, learner_name): (Uuid, String),
    guardian: Guardian,
    rule: Rule,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let (id, expires_at) = (Uuid::now_v7(), now + rule.lifetime);
    // One statement: of two at once the second sees that the first has just asked.
    let asked = sqlx::query!(
        "INSERT INTO consent (account, id, name, relation, email, asked_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT consent_pkey DO UPDATE SET \
         id = excluded.id, name = excluded.name, relation = excluded.relation, email = excluded.email, \
         asked_at = excluded.asked_at, expires_at = excluded.expires_at \
         WHERE consent.given_at IS NULL AND consent.asked_at <= $8",
        learner,
        id,
        guardian.name,
        guardian.relation,
        guardian.email,
        now,
        expires_at,
        now - rule.resend_after
    )
    .execute(&mut *database)
    .instrument(span("INSERT consent"))
    .await?;
    if asked.rows_affected() == 0 {
        return Err(refusal(database, learner, rule, now).await?);
    }
    link::end_all(database, Purpose::Consent, learner, now).await?;
    let token = link::issue(database, Purpose::Consent, Some(learner), Some(id), expires_at).await?;
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
    rule: Rule,
    now: OffsetDateTime,
) -> sqlx::Result<Error> {
    let before = sqlx::query!("SELECT asked_at, given_at FROM consent WHERE account = $1", learner)
        .fetch_one(database)
        .instrument(span("SELECT consent"))
        .await?;
    if before.given_at.is_some() {
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
}

/// What was asked for by the link with this subject; held to the end of the transaction.
pub(crate) async fn asked(database: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Asked>> {
    let row = sqlx::query!(
        "SELECT account.id, account.email, last_name, first_name, consent.name \
         FROM consent JOIN account ON account.id = consent.account \
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
    }))
}

/// Notes that a guardian agreed.
pub(crate) async fn give(database: &mut PgConnection, id: Uuid, now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!("UPDATE consent SET given_at = $2 WHERE id = $1", id, now)
        .execute(database)
        .instrument(span("UPDATE consent"))
        .await?;
    Ok(())
}

/// A consent as it is kept.
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) relation: String,
    pub(crate) email: String,
    pub(crate) asked_at: OffsetDateTime,
    pub(crate) given_at: Option<OffsetDateTime>,
}

/// The consent of a learner, given or asked for.
pub(crate) async fn of(database: &mut PgConnection, learner: Uuid) -> sqlx::Result<Option<Kept>> {
    sqlx::query_as!(
        Kept,
        "SELECT name, relation, email, asked_at, given_at FROM consent WHERE account = $1",
        learner
    )
    .fetch_optional(database)
    .instrument(span("SELECT consent"))
    .await
}
