//! Consent that a guardian withdraws: by the link in the receipt, or as a linked guardian.

use kit::db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::link::{self, Purpose};
use crate::token::LinkToken;

/// Withdrawals of a learner that are listed. An export is one message of 4 MiB at most.
const LISTED: i64 = 1_000;

/// A consent in force, and who gave it.
pub(crate) struct ConsentInForce {
    pub(crate) learner: Uuid,
    /// As the guardian typed their own name.
    pub(crate) guardian_name: String,
}

/// The consent that a link withdraws, held to the end of the transaction.
pub(crate) async fn lock_by_token(
    database: &mut PgConnection,
    token: &LinkToken,
) -> sqlx::Result<Option<ConsentInForce>> {
    sqlx::query_as!(
        ConsentInForce,
        r#"SELECT account AS learner, given_name AS "guardian_name!" FROM consent
        WHERE withdraw_hash = $1 AND given_at IS NOT NULL AND given_name IS NOT NULL FOR UPDATE"#,
        token.hash()
    )
    .fetch_optional(database)
    .instrument(span("SELECT consent"))
    .await
}

/// Whom a consent came from that was given by mail.
pub(crate) struct ConsentGiver {
    pub(crate) email: String,
    pub(crate) name: String,
}

/// Withdraws the consent of a learner's guardians, and ends what was asked for. `guardian` is the linked guardian who does
/// so. Gives who had consented by mail.
pub(crate) async fn withdraw(
    database: &mut PgConnection,
    learner: Uuid,
    guardian: Option<Uuid>,
    now: OffsetDateTime,
) -> sqlx::Result<Option<ConsentGiver>> {
    sqlx::query!(
        "INSERT INTO consent_withdrawal (id, learner, guardian, withdrawn_at, given_name, relation, email, given_at, \
         given_network) SELECT $1, account.id, $3, $4, given_name, relation, consent.email, given_at, given_network \
         FROM account LEFT JOIN consent ON consent.account = account.id AND given_at IS NOT NULL WHERE account.id = $2",
        Uuid::now_v7(),
        learner,
        guardian,
        now
    )
    .execute(&mut *database)
    .instrument(span("INSERT consent_withdrawal"))
    .await?;
    let ended = sqlx::query!(
        "DELETE FROM consent WHERE account = $1 RETURNING email, COALESCE(given_name, name) AS \"name!\", given_at",
        learner
    )
    .fetch_optional(&mut *database)
    .instrument(span("DELETE consent"))
    .await?;
    link::end_all(database, Purpose::Consent, learner, now).await?;
    Ok(ended
        .filter(|ended| ended.given_at.is_some())
        .map(|ended| ConsentGiver { email: ended.email, name: ended.name }))
}

/// A consent that was withdrawn, as it is kept.
pub(crate) struct Withdrawal {
    pub(crate) given_name: Option<String>,
    pub(crate) given_at: Option<OffsetDateTime>,
    pub(crate) withdrawn_at: OffsetDateTime,
}

/// What was withdrawn for a learner, oldest first; no more than are listed.
pub(crate) async fn export(database: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Withdrawal>> {
    sqlx::query_as!(
        Withdrawal,
        "SELECT given_name, given_at, withdrawn_at FROM (SELECT * FROM consent_withdrawal WHERE learner = $1 \
         ORDER BY withdrawn_at DESC, id DESC LIMIT $2) AS latest ORDER BY withdrawn_at, id",
        learner,
        LISTED
    )
    .fetch_all(database)
    .instrument(span("SELECT consent_withdrawal"))
    .await
}
