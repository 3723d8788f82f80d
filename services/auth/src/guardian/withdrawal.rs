//! Withdrawal of consent: by the link in the receipt, or by a linked guardian.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::link::{self, Purpose};
use crate::token::LinkToken;

/// Maximum number of withdrawals in an export. An export is one gRPC message of at most 4 MiB.
const LISTED: i64 = 1_000;

/// A consent in force, with the guardian who gave it.
pub(crate) struct ConsentInForce {
    pub(crate) learner: Uuid,
    /// As the guardian typed it.
    pub(crate) guardian_name: String,
}

/// Finds the consent that a link withdraws, and locks it until the transaction ends.
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

/// The guardian who gave consent by mail.
pub(crate) struct ConsentGiver {
    pub(crate) email: String,
    pub(crate) name: String,
}

/// Withdraws the consent for a learner and ends a pending request. `guardian` is the linked guardian who withdraws.
/// Returns the guardian who had given consent by mail.
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

/// A stored withdrawal.
pub(crate) struct Withdrawal {
    pub(crate) given_name: Option<String>,
    pub(crate) given_at: Option<OffsetDateTime>,
    pub(crate) withdrawn_at: OffsetDateTime,
}

/// The latest withdrawals of a learner, oldest first; at most [`LISTED`].
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
