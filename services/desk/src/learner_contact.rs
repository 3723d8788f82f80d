//! Names and mail addresses of learners who deal with teachers, encrypted, and the lock of an account. The table is named
//! after the first use, questions to teachers.

use kit::encryption::Encryptor;
use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;

/// Where a learner gets mails about questions and interviews.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LearnerContact {
    /// Family name and given name.
    pub(crate) name: String,
    pub(crate) email: String,
}

impl LearnerContact {
    /// `None` for a name of several lines, or without an address.
    pub(crate) fn new(name: String, email: String) -> Option<Self> {
        (!name.contains('\n') && !email.is_empty()).then_some(Self { name, email })
    }
}

/// Locks the account until the transaction ends. Its questions, interviews and entries change one after another, and its
/// erasure waits.
pub(crate) async fn lock(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text, 0)) IS NULL AS locked",
        account
    )
    .fetch_one(database)
    .instrument(span("SELECT pg_advisory_xact_lock"))
    .await?;
    Ok(())
}

/// Stores the newest name and address of an account.
///
/// # Errors
///
/// [`Error::NotFound`] if the account was erased. The caller holds its lock.
pub(crate) async fn save(
    database: &mut PgConnection,
    account: Uuid,
    contact: &LearnerContact,
    encryptor: &Encryptor,
) -> Result<(), Error> {
    if erased_account::contains(database, account).await? {
        return Err(Error::NotFound);
    }
    let content = [contact.name.as_str(), &contact.email].join("\n");
    let sealed = encryptor.seal(&account.to_string(), content.as_bytes()).map_err(|_| Error::Sealing)?;
    sqlx::query!(
        "INSERT INTO question_asker (account, sealed) VALUES ($1, $2) \
         ON CONFLICT ON CONSTRAINT question_asker_pkey DO UPDATE SET sealed = excluded.sealed",
        account,
        sealed
    )
    .execute(database)
    .instrument(span("INSERT question_asker"))
    .await?;
    Ok(())
}

/// Finds the newest name and address of an account.
pub(crate) async fn find(
    database: &mut PgConnection,
    account: Uuid,
    encryptor: &Encryptor,
) -> Result<Option<LearnerContact>, Error> {
    let sealed = sqlx::query_scalar!("SELECT sealed FROM question_asker WHERE account = $1", account)
        .fetch_optional(database)
        .instrument(span("SELECT question_asker"))
        .await?;
    let Some(sealed) = sealed else { return Ok(None) };
    let content = encryptor.open(&account.to_string(), &sealed).map_err(|_| Error::Sealing)?;
    let content = String::from_utf8(content).map_err(|_| Error::Sealing)?;
    let (name, email) = content.split_once('\n').ok_or(Error::Sealing)?;
    Ok(Some(LearnerContact { name: name.to_owned(), email: email.to_owned() }))
}

/// Deletes the account's questions with all messages, and remembers the erasure. The account stays locked until the
/// transaction ends.
pub(crate) async fn erase(
    database: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    lock(database, account).await?;
    erased_account::add(database, account, now).await?;
    // The questions and their messages go with it.
    sqlx::query!("DELETE FROM question_asker WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE question_asker"))
        .await?;
    Ok(())
}
