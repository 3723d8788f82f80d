//! Accounts: the identity, the password and the scope of a person.

use aws_lc_rs::digest::{SHA256, digest};
use kit_db::span;
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;

/// Every scope that an account may have.
pub const SCOPES: [&str; 5] = ["learner", "guardian", "staff:content", "staff:support", "staff:commerce"];

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: Uuid,
    /// As the owner typed it.
    pub email: String,
    /// PHC string.
    pub password_hash: String,
    /// What the owner may do, e.g. `learner`.
    pub scope: Vec<String>,
    /// 姓
    pub last_name: String,
    /// 名
    pub first_name: String,
    /// セイ
    pub last_name_kana: String,
    /// メイ
    pub first_name_kana: String,
    /// `None` if it is unknown.
    pub birth_date: Option<Date>,
    /// When the account was created.
    pub created: OffsetDateTime,
}

impl Account {
    /// 姓 and 名 with a space between them.
    #[must_use]
    pub fn name(&self) -> String {
        full_name(&self.last_name, &self.first_name)
    }

    /// Changes with every new password: the SHA-256 hash of the password hash, which has its own salt.
    pub(crate) fn password_version(&self) -> Vec<u8> {
        digest(&SHA256, self.password_hash.as_bytes()).as_ref().to_vec()
    }

    /// Words about the owner that a stranger may know. A password should not consist of them.
    pub(crate) fn personal_words(&self) -> Vec<String> {
        [&self.email, &self.last_name, &self.first_name, &self.last_name_kana, &self.first_name_kana]
            .map(Clone::clone)
            .into()
    }
}

/// The family name, a space and the given name, as in mails and on the screens of other people.
pub(crate) fn full_name(last_name: &str, first_name: &str) -> String {
    format!("{last_name} {first_name}")
}

/// The key by which an account is found: the e-mail address in lower case.
#[must_use]
pub fn email_key(email: &str) -> String {
    email.to_lowercase()
}

/// Finds an account by the [`email_key`] of its address.
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

/// Finds an account by its id.
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

/// Finds an account and locks it until the transaction ends, so its password and its e-mail address cannot change
/// meanwhile.
///
/// A transaction that also locks links or passkeys of the account locks the account first. This order prevents
/// deadlocks.
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

/// Whether the account still has this password hash. If so, locks the row until the transaction ends: a session started
/// in it cannot survive a change of password that ends all sessions. The lock is exclusive, because the transaction may
/// change the account next: two that share a lock and both want more wait for each other.
pub async fn lock_password(database: &mut PgConnection, id: Uuid, password_hash: &str) -> sqlx::Result<bool> {
    let kept = sqlx::query_scalar!(
        "SELECT id FROM account WHERE id = $1 AND password_hash = $2 FOR NO KEY UPDATE",
        id,
        password_hash
    )
    .fetch_optional(database)
    .instrument(span("SELECT account"))
    .await?;
    Ok(kept.is_some())
}

/// What decides whether the owner of an account can sign in.
pub(crate) struct SignInState {
    pub(crate) password_hash: String,
    pub(crate) scope: Vec<String>,
    /// Set while the account is closing.
    pub(crate) erase_at: Option<OffsetDateTime>,
    pub(crate) must_change_password: bool,
}

/// Reads the sign-in state, and locks the account until the transaction ends: sign-ins of one account run one after
/// another.
pub(crate) async fn lock_sign_in_state(
    database: &mut PgConnection,
    id: Uuid,
) -> sqlx::Result<Option<SignInState>> {
    sqlx::query_as!(
        SignInState,
        "SELECT password_hash, scope, erase_at, must_change_password FROM account WHERE id = $1 FOR NO KEY UPDATE",
        id
    )
    .fetch_optional(database)
    .instrument(span("SELECT account"))
    .await
}

/// Makes the owner of an account choose another password at the next login.
pub(crate) async fn require_new_password(database: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("UPDATE account SET must_change_password = true WHERE id = $1", id)
        .execute(database)
        .instrument(span("UPDATE account"))
        .await?;
    Ok(())
}

/// Sets the password, which need not be changed at the next login.
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

/// Replaces the password if the account still has `old_hash`; returns whether it did.
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

/// What is recorded about a sign-up beside the account itself.
pub(crate) struct Registration<'a> {
    /// When the owner agreed to the terms.
    pub(crate) terms_at: OffsetDateTime,
    /// The campaign that led to the sign-up; may be empty.
    pub(crate) campaign: &'a str,
    /// Whether the owner wants news by mail.
    pub(crate) news: bool,
    /// Difference between the chosen school year and the one computed from the birth date, in years.
    pub(crate) school_year_shift: i16,
}

/// Inserts a new account.
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
    .map_err(|error| match kit_db::constraint(&error) {
        Some("account_email_unique") => Error::EmailTaken,
        _ => error.into(),
    })?;
    Ok(())
}

/// Sets the e-mail address. Fails with `account_email_unique` if another account has it.
pub(crate) async fn set_email(database: &mut PgConnection, id: Uuid, email: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE account SET email = $2, email_key = $3 WHERE id = $1", id, email, email_key(email))
        .execute(database)
        .instrument(span("UPDATE account"))
        .await?;
    Ok(())
}

/// Inserts an account, or updates the one with its id except for its time of creation.
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
