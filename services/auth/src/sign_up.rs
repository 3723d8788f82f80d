//! Sign-ups: the data of a future account until its e-mail address is verified.

use forms::Wrong;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::token::SignUpHandle;
use kit::encryption::KeyedHash;

/// The kinds of accounts that a person can sign up for. The kind becomes the scope.
const KINDS: [&str; 2] = [LEARNER, "guardian"];

/// The kind of a person who learns.
pub(crate) const LEARNER: &str = "learner";

/// Parses the kind of a sign-up.
pub(crate) fn parse_kind(typed: &str) -> Result<&'static str, Wrong> {
    if typed.is_empty() {
        return Err(Wrong::Required);
    }
    KINDS.into_iter().find(|kind| *kind == typed).ok_or(Wrong::UnknownChoice)
}

/// The six-digit code in a mail.
pub(crate) struct Code(u32);

impl Code {
    /// Number of possible codes.
    const COUNT: u32 = 1_000_000;

    pub(crate) fn random() -> Result<Self, Error> {
        // Larger numbers are dropped, so that all codes are equally likely.
        let limit = u32::MAX - u32::MAX % Self::COUNT;
        loop {
            let mut bytes = [0; 4];
            aws_lc_rs::rand::fill(&mut bytes)?;
            let number = u32::from_le_bytes(bytes);
            if number < limit {
                return Ok(Self(number % Self::COUNT));
            }
        }
    }

    /// The code as text.
    pub(crate) fn digits(&self) -> String {
        format!("{:06}", self.0)
    }
}

/// The keyed hash of a code, which is stored. A plain hash of six digits could be found by trying all codes.
pub(crate) fn hash_code(keyed_hash: &KeyedHash, sign_up: Uuid, digits: &str) -> Vec<u8> {
    keyed_hash.hash("sign-up code", &format!("{sign_up} {digits}"))
}

/// The data of a new sign-up.
pub(crate) struct NewSignUp<'a> {
    pub(crate) id: Uuid,
    /// The account that already has the address. The sign-up then only looks real.
    pub(crate) decoy_of: Option<Uuid>,
    pub(crate) email: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) password_hash: &'a str,
    pub(crate) news: bool,
    pub(crate) campaign: &'a str,
    pub(crate) code_hash: &'a [u8],
}

/// Stores a new sign-up. The person agrees to the terms at `now`.
pub(crate) async fn add(
    database: &mut PgConnection,
    sign_up: &NewSignUp<'_>,
    now: OffsetDateTime,
    expires_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO sign_up (id, decoy_of, email, kind, password_hash, terms_at, news, campaign, code_hash, tries, \
         mailed_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $6, $10)",
        sign_up.id,
        sign_up.decoy_of,
        sign_up.email,
        sign_up.kind,
        sign_up.password_hash,
        now,
        sign_up.news,
        sign_up.campaign,
        sign_up.code_hash,
        expires_at
    )
    .execute(database)
    .instrument(span("INSERT sign_up"))
    .await?;
    Ok(())
}

/// Issues a handle to a browser: the one that starts, or one that has verified the address by the link.
pub(crate) async fn issue_handle(
    database: &mut PgConnection,
    sign_up: Uuid,
    by_link: bool,
) -> Result<SignUpHandle, Error> {
    let handle = SignUpHandle::random()?;
    sqlx::query!(
        "INSERT INTO sign_up_handle (hash, sign_up, proven_by_link) VALUES ($1, $2, $3)",
        handle.hash(),
        sign_up,
        by_link.then_some(true)
    )
    .execute(database)
    .instrument(span("INSERT sign_up_handle"))
    .await?;
    Ok(handle)
}

/// Records that the browser with this handle has entered the correct code.
pub(crate) async fn prove_by_code(database: &mut PgConnection, handle: &SignUpHandle) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sign_up_handle SET proven_by_link = COALESCE(proven_by_link, false) WHERE hash = $1",
        handle.hash()
    )
    .execute(database)
    .instrument(span("UPDATE sign_up_handle"))
    .await?;
    Ok(())
}

/// A sign-up that has not expired, as one browser has it.
pub(crate) struct SignUp {
    pub(crate) id: Uuid,
    pub(crate) decoy_of: Option<Uuid>,
    pub(crate) email: String,
    pub(crate) kind: String,
    pub(crate) tries: i16,
    pub(crate) mailed_at: OffsetDateTime,
    pub(crate) verified_at: Option<OffsetDateTime>,
    pub(crate) completed_at: Option<OffsetDateTime>,
    /// How this browser verified the address: by link (`true`) or by code (`false`); `None` before that.
    pub(crate) proven_by_link: Option<bool>,
}

/// Finds the sign-up of a handle.
pub(crate) async fn find_by_handle(
    database: &mut PgConnection,
    handle: &SignUpHandle,
    now: OffsetDateTime,
) -> sqlx::Result<Option<SignUp>> {
    sqlx::query_as!(
        SignUp,
        "SELECT id, decoy_of, email, kind, tries, mailed_at, verified_at, completed_at, proven_by_link \
         FROM sign_up_handle JOIN sign_up ON sign_up.id = sign_up_handle.sign_up \
         WHERE hash = $1 AND expires_at > $2",
        handle.hash(),
        now
    )
    .fetch_optional(database)
    .instrument(span("SELECT sign_up"))
    .await
}

/// Replaces the code if it was mailed at `mailed_before` or earlier and the sign-up is not verified; returns whether it
/// did.
pub(crate) async fn replace_code(
    database: &mut PgConnection,
    id: Uuid,
    code_hash: &[u8],
    mailed_before: OffsetDateTime,
    now: OffsetDateTime,
    expires_at: OffsetDateTime,
) -> sqlx::Result<bool> {
    let replaced = sqlx::query!(
        "UPDATE sign_up SET code_hash = $2, tries = 0, mailed_at = $4, expires_at = $5 \
         WHERE id = $1 AND mailed_at <= $3 AND verified_at IS NULL AND completed_at IS NULL",
        id,
        code_hash,
        mailed_before,
        now,
        expires_at
    )
    .execute(database)
    .instrument(span("UPDATE sign_up"))
    .await?;
    Ok(replaced.rows_affected() > 0)
}

/// Counts an attempt at a code; returns the stored hash, or `None` if there is no code or `limit` attempts were made.
/// One statement: concurrent attempts cannot exceed the limit.
pub(crate) async fn try_code(
    database: &mut PgConnection,
    id: Uuid,
    limit: i16,
) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar!(
        r#"UPDATE sign_up SET tries = tries + 1
        WHERE id = $1 AND tries < $2 AND code_hash IS NOT NULL AND completed_at IS NULL
        RETURNING code_hash AS "code_hash!""#,
        id,
        limit
    )
    .fetch_optional(database)
    .instrument(span("UPDATE sign_up"))
    .await
}

/// Deletes the code after its use.
pub(crate) async fn delete_code(database: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sign_up SET code_hash = NULL WHERE id = $1", id)
        .execute(database)
        .instrument(span("UPDATE sign_up"))
        .await?;
    Ok(())
}

/// The address and the kind of a verified sign-up.
pub(crate) struct SignUpAddress {
    pub(crate) email: String,
    pub(crate) kind: String,
}

/// Marks the address as verified. The sign-up can be completed until `expires_at`.
pub(crate) async fn verify(
    database: &mut PgConnection,
    id: Uuid,
    now: OffsetDateTime,
    expires_at: OffsetDateTime,
) -> sqlx::Result<Option<SignUpAddress>> {
    sqlx::query_as!(
        SignUpAddress,
        "UPDATE sign_up SET verified_at = COALESCE(verified_at, $2), expires_at = $3 \
         WHERE id = $1 AND decoy_of IS NULL AND completed_at IS NULL AND expires_at > $2 RETURNING email, kind",
        id,
        now,
        expires_at
    )
    .fetch_optional(database)
    .instrument(span("UPDATE sign_up"))
    .await
}

/// What a completed sign-up passes to the new account.
pub(crate) struct NewAccount {
    pub(crate) email: String,
    pub(crate) kind: String,
    pub(crate) password_hash: String,
    pub(crate) terms_at: OffsetDateTime,
    pub(crate) news: bool,
    pub(crate) campaign: String,
}

/// Completes a verified sign-up. Of concurrent calls only one succeeds.
pub(crate) async fn complete(
    database: &mut PgConnection,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<NewAccount>> {
    sqlx::query_as!(
        NewAccount,
        r#"WITH verified AS (
            SELECT id, password_hash FROM sign_up
            WHERE id = $1 AND verified_at IS NOT NULL AND completed_at IS NULL AND expires_at > $2 FOR UPDATE
        )
        UPDATE sign_up SET completed_at = $2, password_hash = NULL, code_hash = NULL
        FROM verified WHERE sign_up.id = verified.id
        RETURNING email, kind, verified.password_hash AS "password_hash!", terms_at, news, campaign"#,
        id,
        now
    )
    .fetch_optional(database)
    .instrument(span("UPDATE sign_up"))
    .await
}

/// Deletes at most `limit` expired sign-ups; returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM sign_up WHERE id IN (SELECT id FROM sign_up WHERE expires_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit
    )
    .execute(database)
    .instrument(span("DELETE sign_up"))
    .await?;
    Ok(swept.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_two_kinds() {
        for case in forms::test::form_cases("kind") {
            assert_eq!(parse_kind(case.typed()).map_err(Wrong::code), case.wanted(), "{case:?}");
        }
    }

    #[test]
    fn a_code_has_six_digits_and_none_is_left_out() {
        assert_eq!(Code(0).digits(), "000000");
        assert_eq!(Code(999_999).digits(), "999999");
        let drawn: std::collections::HashSet<u32> =
            (0..200).map(|_| Code::random().unwrap().0 / 100_000).collect();
        assert_eq!(drawn.len(), 10, "every first digit comes");
    }

    #[test]
    fn a_code_has_another_hash_in_each_sign_up() {
        let keyed_hash = "00".repeat(32).parse::<crate::secret::Secret>().unwrap().keyed_hash();
        let hash = |id| hash_code(&keyed_hash, Uuid::from_u128(id), "123456");
        assert_eq!(hash(1), hash(1));
        assert_ne!(hash(1), hash(2));
    }
}
