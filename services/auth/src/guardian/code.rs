//! The code by which a guardian links to a learner.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use kit::encryption::KeyedHash;

/// 32 digits and letters that don't look alike; five bits choose one without bias.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH: usize = 8;

/// A code of eight characters, 40 bits.
pub(crate) struct Code(String);

impl Code {
    /// A new code.
    pub(crate) fn random() -> Result<Self, Error> {
        let mut bytes = [0; LENGTH];
        aws_lc_rs::rand::fill(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()))
    }

    /// Parses typed text. Ignores case, spaces, hyphens and full-width forms.
    pub(crate) fn parse(typed: &str) -> Option<Self> {
        let mut code = String::with_capacity(LENGTH);
        for char in typed.chars().filter(|char| !char.is_whitespace() && !is_dash(*char)) {
            let char = to_half_width(char).to_ascii_uppercase();
            if code.len() == LENGTH || !u8::try_from(char).is_ok_and(|byte| ALPHABET.contains(&byte)) {
                return None;
            }
            code.push(char);
        }
        (code.len() == LENGTH).then_some(Self(code))
    }

    /// Two groups of four characters, for the screen.
    pub(crate) fn to_display(&self) -> String {
        let (one, other) = self.0.split_at(LENGTH / 2);
        format!("{one}-{other}")
    }

    /// The keyed hash that is stored. A plain hash of 40 bits could be found by trying all codes.
    pub(crate) fn hash(&self, keyed_hash: &KeyedHash) -> Vec<u8> {
        keyed_hash.hash("guardian code", &self.0)
    }
}

fn is_dash(char: char) -> bool {
    matches!(char, '-' | '‐' | '‑' | '–' | '—' | '−' | 'ー' | '－')
}

/// The ASCII form of a full-width letter or digit.
fn to_half_width(char: char) -> char {
    match char {
        '！'..='～' => char::from_u32(u32::from(char) - 0xfee0).unwrap_or(char),
        char => char,
    }
}

/// Stores the code of a learner, and replaces the previous one.
pub(crate) async fn put(
    database: &mut PgConnection,
    learner: Uuid,
    hash: &[u8],
    expires_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO guardian_code (learner, hash, expires_at) VALUES ($1, $2, $3) \
         ON CONFLICT ON CONSTRAINT guardian_code_pkey DO UPDATE SET hash = excluded.hash, \
         expires_at = excluded.expires_at, used_by = NULL, used_at = NULL",
        learner,
        hash,
        expires_at
    )
    .execute(database)
    .instrument(span("INSERT guardian_code"))
    .await?;
    Ok(())
}

/// Uses a code; returns the learner. The same guardian may use it again without effect.
pub(crate) async fn take(
    database: &mut PgConnection,
    hash: &[u8],
    guardian: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Uuid>> {
    // One statement: of several guardians at the same time only one succeeds, and the others see a used code.
    sqlx::query_scalar!(
        "UPDATE guardian_code SET used_by = $2, used_at = COALESCE(used_at, $3) \
         WHERE hash = $1 AND expires_at > $3 AND (used_at IS NULL OR used_by = $2) AND learner <> $2 \
         RETURNING learner",
        hash,
        guardian,
        now
    )
    .fetch_optional(database)
    .instrument(span("UPDATE guardian_code"))
    .await
}

/// Deletes the unused code of a learner. Skips a row that a guardian is using at this moment: that transaction locks
/// the account last, so waiting for it would be a deadlock.
pub(crate) async fn delete_unused(database: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM guardian_code WHERE learner IN (SELECT learner FROM guardian_code \
         WHERE learner = $1 AND used_at IS NULL FOR UPDATE SKIP LOCKED)",
        learner
    )
    .execute(database)
    .instrument(span("DELETE guardian_code"))
    .await?;
    Ok(())
}

/// Deletes at most `limit` expired codes; returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM guardian_code WHERE learner IN (SELECT learner FROM guardian_code WHERE expires_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit
    )
    .execute(database)
    .instrument(span("DELETE guardian_code"))
    .await?;
    Ok(swept.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_parsed_in_any_typed_form() {
        let code = Code::random().unwrap();
        let shown = code.to_display();
        assert_eq!((shown.len(), shown.as_bytes()[4]), (9, b'-'));
        let wide: String =
            code.0.chars().map(|char| char::from_u32(u32::from(char) + 0xfee0).unwrap()).collect();
        for typed in [shown.clone(), shown.to_lowercase(), code.0.clone(), format!(" {shown}\u{3000}"), wide]
        {
            assert_eq!(Code::parse(&typed).unwrap().0, code.0, "{typed}");
        }
    }

    #[test]
    fn an_invalid_code_is_none() {
        for junk in [
            "",
            "ABCD-EFG",
            "ABCD-EFGHJ",
            "ABCD-EFG0",
            "ABCD-EFGI",
            "ABCD-EFGO",
            "ABCD_EFGH",
            "あいうえおかきく",
            "\0",
        ] {
            assert!(Code::parse(junk).is_none(), "{junk:?}");
        }
    }
}
