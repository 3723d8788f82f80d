//! Consent of a guardian for a minor: requested by mail, given by a link.

use forms::Wrong;
use kit_db::span;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::account::full_name;
use crate::error::Error;
use crate::link::{self, Purpose};
use crate::profile::Profile;
use crate::token::LinkToken;
use crate::{adult, school};

/// Relations of a guardian to a learner, as the form offers them.
const RELATIONS: [&str; 4] = ["母", "父", "祖父母", "その他の保護者"];

/// Whether an account needs the consent of a guardian, and whether it has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConsentStatus {
    NotNeeded,
    /// There is no request, or its link has expired.
    Missing,
    /// A guardian was asked and can still give consent.
    Waiting,
    Given,
}

impl ConsentStatus {
    /// The consent status of an account.
    pub(crate) fn from_profile(profile: &Profile, now: OffsetDateTime) -> Self {
        if !is_needed(&profile.scope, profile.birth_date, now) {
            Self::NotNeeded
        } else if profile.is_consent_valid == Some(true) || profile.has_consenting_link {
            Self::Given
        } else if profile.consent_until.is_some_and(|until| until > now) {
            Self::Waiting
        } else {
            Self::Missing
        }
    }
}

/// Learners under 18 need consent, and so do learners of unknown age.
fn is_needed(scope: &[String], birth_date: Option<Date>, now: OffsetDateTime) -> bool {
    scope.iter().any(|held| held == "learner")
        && !birth_date.is_some_and(|birth| adult::is_adult(birth, school::today(now)))
}

/// A guardian as named by a learner.
pub(crate) struct Guardian {
    pub(crate) name: String,
    /// A relation accepted by [`parse_relation`].
    pub(crate) relation: String,
    pub(crate) email: String,
}

/// Parses the relation of a guardian to a learner.
pub(crate) fn parse_relation(typed: &str) -> Result<String, Wrong> {
    match typed {
        "" => Err(Wrong::Required),
        typed if RELATIONS.contains(&typed) => Ok(typed.to_owned()),
        _ => Err(Wrong::UnknownChoice),
    }
}

/// A request for consent.
pub(crate) struct ConsentRequest<'a> {
    pub(crate) learner: Uuid,
    pub(crate) guardian: &'a Guardian,
    /// There is a consent that is no longer valid, which this request replaces.
    pub(crate) replaces_void: bool,
}

/// The link by which a guardian gives consent.
pub(crate) struct ConsentLink {
    pub(crate) token: LinkToken,
    pub(crate) expires_at: OffsetDateTime,
}

/// Lifetime of a link, and the minimum interval between two requests.
#[derive(Clone, Copy)]
pub(crate) struct RequestRule {
    pub(crate) lifetime: Duration,
    pub(crate) resend_after: Duration,
}

/// Stores a request and issues its link. The links of earlier requests stop working.
pub(crate) async fn add_request(
    database: &mut PgConnection,
    request: &ConsentRequest<'_>,
    rule: RequestRule,
    now: OffsetDateTime,
) -> Result<ConsentLink, Error> {
    let ConsentRequest { learner, guardian, replaces_void } = *request;
    let (id, expires_at) = (Uuid::now_v7(), now + rule.lifetime);
    // One statement: of two requests at the same time the second sees the first.
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
        return Err(find_refusal(database, learner, replaces_void, rule, now).await?);
    }
    link::end_all(database, Purpose::Consent, learner, now).await?;
    let token = link::issue(database, Purpose::Consent, Some(learner), Some(id), expires_at).await?;
    Ok(ConsentLink { token, expires_at })
}

/// Finds out why a request was refused.
async fn find_refusal(
    database: &mut PgConnection,
    learner: Uuid,
    replaces_void: bool,
    rule: RequestRule,
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

/// A request that no guardian has answered yet.
pub(crate) struct PendingConsent {
    pub(crate) learner: Uuid,
    pub(crate) learner_name: String,
    pub(crate) learner_email: String,
    pub(crate) guardian_name: String,
    pub(crate) guardian_email: String,
}

/// Finds the request that a link is about, and locks it until the transaction ends.
pub(crate) async fn lock_pending(
    database: &mut PgConnection,
    id: Uuid,
) -> sqlx::Result<Option<PendingConsent>> {
    let row = sqlx::query!(
        "SELECT account.id, account.email, last_name, first_name, consent.name, \
         consent.email AS guardian_email FROM consent JOIN account ON account.id = consent.account \
         WHERE consent.id = $1 AND given_at IS NULL FOR UPDATE OF consent",
        id
    )
    .fetch_optional(database)
    .instrument(span("SELECT consent"))
    .await?;
    Ok(row.map(|row| PendingConsent {
        learner: row.id,
        learner_name: full_name(&row.last_name, &row.first_name),
        learner_email: row.email,
        guardian_name: row.name,
        guardian_email: row.guardian_email,
    }))
}

/// Stores the consent with the name and the network of the guardian. Returns the token that withdraws it.
pub(crate) async fn give(
    database: &mut PgConnection,
    id: Uuid,
    name: &str,
    network: Option<Vec<u8>>,
    now: OffsetDateTime,
) -> Result<LinkToken, Error> {
    let withdraw = LinkToken::random()?;
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

/// A stored request or consent.
pub(crate) struct ConsentRecord {
    pub(crate) name: String,
    pub(crate) relation: String,
    pub(crate) email: String,
    pub(crate) asked_at: OffsetDateTime,
    pub(crate) given_at: Option<OffsetDateTime>,
    pub(crate) given_name: Option<String>,
}

/// The request or the consent of a learner.
pub(crate) async fn export(
    database: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Option<ConsentRecord>> {
    sqlx::query_as!(
        ConsentRecord,
        "SELECT name, relation, email, asked_at, given_at, given_name FROM consent WHERE account = $1",
        learner
    )
    .fetch_optional(database)
    .instrument(span("SELECT consent"))
    .await
}

/// Deletes the unanswered request of a learner.
///
/// Skips a row that a guardian is answering at this moment, so the answer wins. Waiting for it would be a deadlock: the
/// guardian's transaction locks the account last.
pub(crate) async fn delete_unanswered(database: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM consent WHERE account IN (SELECT account FROM consent \
         WHERE account = $1 AND given_at IS NULL FOR UPDATE SKIP LOCKED)",
        learner
    )
    .execute(database)
    .instrument(span("DELETE consent"))
    .await?;
    Ok(())
}

/// Deletes at most `limit` expired requests without an answer; returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM consent WHERE account IN (SELECT account FROM consent WHERE given_at IS NULL AND \
         expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit
    )
    .execute(database)
    .instrument(span("DELETE consent"))
    .await?;
    Ok(swept.rows_affected())
}
