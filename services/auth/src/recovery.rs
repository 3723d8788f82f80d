//! Recovery: what ends when the owner of an account secures or closes it.
//!
//! Whoever knew the password may have begun something that would give them the account afterwards. A new password, the
//! undo of a change of address and the closing of the account end all of it, in the same transaction.

use kit::db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::passkey::challenge;
use crate::{email_change, link, session};

/// Ends everything that is under way for an account: its sessions, its links in mails (but the ways back to an old
/// address), an unconfirmed change of its address, the passkeys that are being added, an unanswered request for a
/// guardian's consent, an unused code for a guardian, and a change of the birth date that waits. The account must be locked.
pub(crate) async fn end_everything(
    database: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    link::end_at_recovery(database, account, now).await?;
    email_change::forget_unconfirmed(database, account).await?;
    challenge::forget(database, account).await?;
    // What a guardian is using at this moment counts as used before. To wait for it would be a deadlock: it locks the
    // account last.
    sqlx::query!(
        "DELETE FROM consent WHERE account IN (SELECT account FROM consent \
         WHERE account = $1 AND given_at IS NULL FOR UPDATE SKIP LOCKED)",
        account
    )
    .execute(&mut *database)
    .instrument(span("DELETE consent"))
    .await?;
    sqlx::query!(
        "DELETE FROM guardian_code WHERE learner IN (SELECT learner FROM guardian_code \
         WHERE learner = $1 AND used_at IS NULL FOR UPDATE SKIP LOCKED)",
        account
    )
    .execute(&mut *database)
    .instrument(span("DELETE guardian_code"))
    .await?;
    sqlx::query!(
        "UPDATE birth_date_change SET state = 'replaced', decided_at = $2, decided_by = 'owner' WHERE id IN \
         (SELECT id FROM birth_date_change WHERE account = $1 AND state = 'waiting' FOR UPDATE SKIP LOCKED)",
        account,
        now
    )
    .execute(&mut *database)
    .instrument(span("UPDATE birth_date_change"))
    .await?;
    session::end_all(database, account, now).await
}
