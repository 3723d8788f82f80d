//! Profiles: the data of an account that its owner sees.

use kit_db::span;
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::{adult, school};

/// The data of one account except for its address and its sessions.
pub(crate) struct Profile {
    pub(crate) id: Uuid,
    pub(crate) email: String,
    pub(crate) scope: Vec<String>,
    pub(crate) last_name: String,
    pub(crate) first_name: String,
    pub(crate) last_name_kana: String,
    pub(crate) first_name_kana: String,
    pub(crate) birth_date: Option<Date>,
    pub(crate) school_year_shift: i16,
    pub(crate) school_name: String,
    pub(crate) news: bool,
    pub(crate) created: OffsetDateTime,
    pub(crate) erase_at: Option<OffsetDateTime>,
    pub(crate) suspended_passkeys: i64,
    /// Whether consent given by mail is valid: the mailbox is neither the learner's nor a minor's. `None` if none was
    /// given.
    pub(crate) is_consent_valid: Option<bool>,
    /// An adult guardian with a valid mailbox is linked, and consent was never withdrawn.
    pub(crate) has_consenting_link: bool,
    /// Expiry of the link for the guardian who was asked last.
    pub(crate) consent_until: Option<OffsetDateTime>,
    /// The pending birth date.
    pub(crate) requested_birth_date: Option<Date>,
    /// When the pending date was requested.
    pub(crate) requested_at: Option<OffsetDateTime>,
    /// Expiry of the link by which guardians decide.
    pub(crate) guardian_asked_until: Option<OffsetDateTime>,
}

impl Profile {
    /// 小1 to 高3, or 既卒.
    pub(crate) fn school_year(&self, now: OffsetDateTime) -> Option<String> {
        self.birth_date
            .and_then(|birth| school::compute_year(birth, self.school_year_shift, school::today(now)))
    }
}

/// Finds the profile of an account.
pub(crate) async fn find_by_id(
    database: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Profile>> {
    sqlx::query_as!(
        Profile,
        r#"SELECT account.id, account.email, scope, last_name, first_name, last_name_kana, first_name_kana, birth_date,
            school_year_shift, school_name, news, created, erase_at,
            (SELECT count(*) FROM passkey WHERE passkey.account = account.id AND suspended_at IS NOT NULL)
                AS "suspended_passkeys!",
            CASE WHEN given_at IS NOT NULL THEN consent.mailbox <> account.mailbox
                AND NOT is_mailbox_of_minor(consent.mailbox, $2) END AS "is_consent_valid?",
            EXISTS (SELECT FROM guardian_link JOIN account AS other ON other.id = guardian
                WHERE learner = account.id AND 'guardian' = ANY (other.scope) AND other.birth_date <= $2
                    AND other.mailbox <> account.mailbox AND NOT is_mailbox_of_minor(other.mailbox, $2)
                    AND NOT EXISTS (SELECT FROM consent_withdrawal WHERE consent_withdrawal.learner = account.id)
            ) AS "has_consenting_link!",
            CASE WHEN given_at IS NULL THEN consent.expires_at END AS "consent_until?",
            requested.new_birth_date AS "requested_birth_date?", requested.asked_at AS "requested_at?",
            requested.link_expires_at AS "guardian_asked_until?"
        FROM account LEFT JOIN consent ON consent.account = account.id
            LEFT JOIN birth_date_change AS requested
                ON requested.account = account.id AND requested.state = 'waiting'
        WHERE account.id = $1"#,
        account,
        adult::latest_birth_date(school::today(now))
    )
    .fetch_optional(database)
    .instrument(span("SELECT account"))
    .await
}

/// Locks an account until the transaction ends; returns whether it exists.
pub(crate) async fn lock(database: &mut PgConnection, account: Uuid) -> sqlx::Result<bool> {
    let found = sqlx::query_scalar!("SELECT id FROM account WHERE id = $1 FOR NO KEY UPDATE", account)
        .fetch_optional(database)
        .instrument(span("SELECT account"))
        .await?;
    Ok(found.is_some())
}

/// The fields that the owner can change.
pub(crate) struct ProfileUpdate {
    pub(crate) last_name: String,
    pub(crate) first_name: String,
    pub(crate) last_name_kana: String,
    pub(crate) first_name_kana: String,
    pub(crate) birth_date: Option<Date>,
    pub(crate) school_year_shift: i16,
    pub(crate) school_name: String,
    pub(crate) news: bool,
}

/// Updates a profile. Does nothing if the account does not exist.
pub(crate) async fn update(
    database: &mut PgConnection,
    account: Uuid,
    update: &ProfileUpdate,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE account SET last_name = $2, first_name = $3, last_name_kana = $4, first_name_kana = $5, \
         birth_date = $6, school_year_shift = $7, school_name = $8, news = $9 WHERE id = $1",
        account,
        update.last_name,
        update.first_name,
        update.last_name_kana,
        update.first_name_kana,
        update.birth_date,
        update.school_year_shift,
        update.school_name,
        update.news,
    )
    .execute(database)
    .instrument(span("UPDATE account"))
    .await?;
    Ok(())
}
