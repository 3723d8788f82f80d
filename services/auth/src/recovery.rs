//! Recovery: what ends when the owner secures or closes an account.
//!
//! A person who knew the password may have prepared another way into the account. A new password, the undo of an e-mail
//! change and the closing of the account end all of these in the same transaction.

use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::guardian::{code, consent};
use crate::passkey::challenge;
use crate::{birth_date, email_change, link, session};

/// Ends everything that is pending for an account. The caller holds the lock of the account.
///
/// That is: its sessions, its links in mails except those that restore an old address, an unconfirmed e-mail change,
/// passkey registrations, an unanswered request for consent, an unused code for a guardian, and a pending birth date.
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
    birth_date::end_pending_at_recovery(database, account, now).await?;
    session::end_all(database, account, now).await
}
