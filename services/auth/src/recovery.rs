//! Recovery: what ends when the owner of an account secures or closes it.
//!
//! Whoever knew the password may have begun something that would give them the account afterwards. A new password, the
//! undo of a change of address and the closing of the account end all of it, in the same transaction.

use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::guardian::{code, consent};
use crate::passkey::challenge;
use crate::{birth_date, email_change, link, session};

/// Ends everything that is under way for an account: its sessions, its links in mails (but the ways back to an old
/// address), an unconfirmed change of its address, the passkeys that are being added, an unanswered request for a
/// guardian's consent, an unused code for a guardian, and a change of the birth date that waits. The account must be locked.
pub(crate) async fn end_everything(
    database: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    link::end_at_recovery(database, account, now).await?;
    email_change::delete_unconfirmed(database, account).await?;
    challenge::delete_all(database, account).await?;
    consent::delete_unanswered(database, account).await?;
    code::delete_unused(database, account).await?;
    birth_date::replace_pending(database, account, now).await?;
    session::end_all(database, account, now).await
}
