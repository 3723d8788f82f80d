//! Accounts: who a person is.

use aws_lc_rs::digest::{SHA256, digest};
use kit::db::span;
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;

/// What a person may be allowed to do.
pub const SCOPES: [&str; 5] = ["learner", "guardian", "staff:content", "staff:support", "staff:commerce"];

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: Uuid,
    /// As it was registered.
    pub email: String,
    /// A PHC string.
    pub password_hash: String,
    /// What its owner may do, e.g. `learner`.
    pub scope: Vec<String>,
    /// 姓
    pub last_name: String,
    /// 名
    pub first_name: String,
    /// セイ
    pub last_name_kana: String,
    /// メイ
    pub first_name_kana: String,
    /// If it was told.
    pub birth_date: Option<Date>,
    /// When the account was made.
    pub created: OffsetDateTime,
}

impl Account {
    /// 姓 and 名
    #[must_use]
    pub fn name(&self) -> String {
        full_name(&self.last_name, &self.first_name)
    }

    /// Changes whenever the password is set: SHA-256 of its hash, which has a salt of its own.
    pub(crate) fn password_version(&self) -> Vec<u8> {
        digest(&SHA256, self.password_hash.as_bytes()).as_ref().to_vec()
    }

    /// What a stranger may know of its owner, who had better not use it in a password.
    pub(crate) fn personal_words(&self) -> Vec<String> {
        [&self.email, &self.last_name, &self.first_name, &self.last_name_kana, &self.first_name_kana]
            .map(Clone::clone)
            .into()
    }
}

/// Family name, a space and given name: the name in mails and on the screens of other people.
pub(crate) fn full_name(last_name: &str, first_name: &str) -> String {
    format!("{last_name} {first_name}")
}

/// How an account is found by its e-mail address: without regard to case.
#[must_use]
pub fn email_key(email: &str) -> String {
    email.to_lowercase()
}

/// The account of an e-mail address, given as [`email_key`] makes it.
pub async fn find_by_email(database: &mut PgConnection, email_key: &str) -> sqlx::Result<Option<Account>> {
    sqlx::query_as!(
        Account,
        "SELECT id, email, password_hash, scope, last_name, first_name, last_name_kana, first_name_kana, \
         birth_date, created FROM account WHERE email_key = $1",
        email_key
    )
    .fetch_optional(database)
    .instrument(span("SELECT account"))
    .await
}

/// The account with this id.
pub async fn find_by_id(database: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Account>> {
    sqlx::query_as!(
        Account,
        "SELECT id, email, password_hash, scope, last_name, first_name, last_name_kana, first_name_kana, \
         birth_date, created FROM account WHERE id = $1",
        id
    )
    .fetch_optional(database)
    .instrument(span("SELECT account"))
    .await
}

/// The account with this id, held to the end of the transaction: its password stays, and nobody else confirms, stops or
/// undoes a change of its address meanwhile. Whoever locks links or passkeys of an account as well locks the account
/// first, so that no two transactions wait for each other.
pub(crate) async fn lock(database: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Account>> {
    sqlx::query_as!(
        Account,
        "SELECT id, email, password_hash, scope, last_name, first_name, last_name_kana, first_name_kana, \
         birth_date, created FROM account WHERE id = $1 FOR UPDATE",
        id
    )
    .fetch_optional(database)
    .instrument(span("SELECT account"))
    .await
}

/// Whether an account has this password hash still. If so it keeps it until the transaction ends: a session begun in it
/// cannot slip past a change of the password that ends all sessions.
pub async fn lock_password(database: &mut PgConnection, id: Uuid, password_hash: &str) -> sqlx::Result<bool> {
    let kept = sqlx::query_scalar!(
        "SELECT id FROM account WHERE id = $1 AND password_hash = $2 FOR SHARE",
        id,
        password_hash
    )
    .fetch_optional(database)
    .instrument(span("SELECT account"))
    .await?;
    Ok(kept.is_some())
}

/// What decides whether an account may be signed in to.
pub(crate) struct SignInState {
    pub(crate) password_hash: String,
    pub(crate) scope: Vec<String>,
    /// Set while it is closing.
    pub(crate) erase_at: Option<OffsetDateTime>,
    pub(crate) must_change_password: bool,
}

/// How an account stands, and will until the transaction ends.
pub(crate) async fn lock_sign_in_state(
    database: &mut PgConnection,
    id: Uuid,
) -> sqlx::Result<Option<SignInState>> {
    sqlx::query_as!(
        SignInState,
        "SELECT password_hash, scope, erase_at, must_change_password FROM account WHERE id = $1 FOR SHARE",
        id
    )
    .fetch_optional(database)
    .instrument(span("SELECT account"))
    .await
}

/// Lets the owner of an account go on only after choosing another password.
pub(crate) async fn require_new_password(database: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("UPDATE account SET must_change_password = true WHERE id = $1", id)
        .execute(database)
        .instrument(span("UPDATE account"))
        .await?;
    Ok(())
}

/// Gives an account another password, which need not be changed.
pub(crate) async fn set_password(
    database: &mut PgConnection,
    id: Uuid,
    password_hash: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE account SET password_hash = $2, must_change_password = false WHERE id = $1",
        id,
        password_hash
    )
    .execute(database)
    .instrument(span("UPDATE account"))
    .await?;
    Ok(())
}

/// Gives an account another password in place of the one with this hash, if it still has that.
pub(crate) async fn replace_password(
    database: &mut PgConnection,
    id: Uuid,
    old_hash: &str,
    new_hash: &str,
) -> sqlx::Result<bool> {
    let replaced = sqlx::query!(
        "UPDATE account SET password_hash = $3, must_change_password = false \
         WHERE id = $1 AND password_hash = $2",
        id,
        old_hash,
        new_hash
    )
    .execute(database)
    .instrument(span("UPDATE account"))
    .await?;
    Ok(replaced.rows_affected() > 0)
}

/// What a new account begins with, beside what every account has.
pub(crate) struct Registration<'a> {
    /// When its owner agreed to the terms.
    pub(crate) terms_at: OffsetDateTime,
    /// Where they came from.
    pub(crate) campaign: &'a str,
    /// Whether they want it by mail.
    pub(crate) news: bool,
    /// By how many years the school year differs from what the birth date says.
    pub(crate) school_year_shift: i16,
}

/// Opens a new account.
pub(crate) async fn create(
    database: &mut PgConnection,
    account: &Account,
    registration: &Registration<'_>,
) -> Result<(), Error> {
    sqlx::query!(
        "INSERT INTO account (id, email, email_key, password_hash, scope, last_name, first_name, last_name_kana, \
         first_name_kana, birth_date, created, terms_at, campaign, news, school_year_shift) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        account.id,
        account.email,
        email_key(&account.email),
        account.password_hash,
        &account.scope,
        account.last_name,
        account.first_name,
        account.last_name_kana,
        account.first_name_kana,
        account.birth_date,
        account.created,
        registration.terms_at,
        registration.campaign,
        registration.news,
        registration.school_year_shift,
    )
    .execute(database)
    .instrument(span("INSERT account"))
    .await
    .map_err(|error| match kit::db::constraint(&error) {
        Some("account_email_unique") => Error::EmailTaken,
        _ => error.into(),
    })?;
    Ok(())
}

/// Gives an account another e-mail address. Fails by `account_email_unique` where that is another's.
pub(crate) async fn set_email(database: &mut PgConnection, id: Uuid, email: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE account SET email = $2, email_key = $3 WHERE id = $1", id, email, email_key(email))
        .execute(database)
        .instrument(span("UPDATE account"))
        .await?;
    Ok(())
}

/// Writes an account: a new one, or over the one with its id (but for the time it was made).
pub async fn put(database: &mut PgConnection, account: &Account) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO account (id, email, email_key, password_hash, scope, last_name, first_name, last_name_kana, \
         first_name_kana, birth_date, created) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT ON CONSTRAINT account_pkey DO UPDATE SET email = excluded.email, \
         email_key = excluded.email_key, password_hash = excluded.password_hash, scope = excluded.scope, \
         last_name = excluded.last_name, first_name = excluded.first_name, \
         last_name_kana = excluded.last_name_kana, first_name_kana = excluded.first_name_kana, \
         birth_date = excluded.birth_date",
        account.id,
        account.email,
        email_key(&account.email),
        account.password_hash,
        &account.scope,
        account.last_name,
        account.first_name,
        account.last_name_kana,
        account.first_name_kana,
        account.birth_date,
        account.created,
    )
    .execute(database)
    .instrument(span("INSERT account"))
    .await?;
    Ok(())
}
