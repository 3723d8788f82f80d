//! Inquiries to the school, stored encrypted for a limited time.

use forms::Wrong;
use kit::encryption::{Encryptor, KeyedHash};
use kit::error::FieldError;
use kit::metrics::{Counter, Kind, Metric};
use kit_db::span;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;

/// Kinds of inquiries, and their names in emails.
pub(crate) const KINDS: [(&str, &str); 5] = [
    ("course", "講座について"),
    ("account", "アカウントについて"),
    ("payment", "料金・お支払いについて"),
    ("technical", "動画・動作環境について"),
    ("other", "その他"),
];
const NAME_LIMIT: usize = 50;
const TEXT_LEAST: usize = 10;
const TEXT_LIMIT: usize = 2_000;
/// Digits and letters without those that are easily confused (0, O, 1, I).
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// A validated inquiry.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Inquiry {
    /// Name on the wire.
    pub(crate) kind: &'static str,
    /// Name in emails.
    pub(crate) kind_name: &'static str,
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) text: String,
}

impl Inquiry {
    /// Validates a form. Name and text are only trimmed.
    ///
    /// # Errors
    ///
    /// [`Error::Fields`] with every wrong field.
    pub(crate) fn from_form(kind: &str, name: &str, email: &str, text: &str) -> Result<Self, Error> {
        let mut wrong = Vec::new();
        let mut note = |name, reason: Wrong| wrong.push(FieldError::new(name, reason.code()));
        let found = KINDS.iter().find(|(known, _)| *known == kind);
        if found.is_none() {
            note("kind", if kind.is_empty() { Wrong::Required } else { Wrong::UnknownChoice });
        }
        let name = check_name(name).inspect_err(|reason| note("name", *reason));
        let email = forms::email(email).inspect_err(|reason| note("email", *reason));
        let text = check_text(text).inspect_err(|reason| note("text", *reason));
        match (found, name, email, text) {
            (Some((kind, kind_name)), Ok(name), Ok(email), Ok(text)) => {
                Ok(Self { kind, kind_name, name, email, text })
            }
            _ => Err(Error::Fields(wrong)),
        }
    }

    /// Keyed hash of all fields and the picture. Equal hashes mean the same inquiry.
    pub(crate) fn hash_content(&self, keyed_hash: &KeyedHash, picture: Option<Uuid>) -> Vec<u8> {
        let picture = picture.map(|picture| picture.to_string()).unwrap_or_default();
        // Only the last field can contain a line break.
        let all = [self.kind, &self.name, &self.email, &picture, &self.text].join("\n");
        keyed_hash.hash("contact", &all)
    }
}

fn check_name(typed: &str) -> Result<String, Wrong> {
    let text = typed.trim();
    match text.chars().take(NAME_LIMIT + 1).count() {
        0 => Err(Wrong::Required),
        length if length > NAME_LIMIT => Err(Wrong::TooLong),
        _ if forms::has_controls(text) => Err(Wrong::InvalidFormat),
        _ if forms::holds_link(text) => Err(Wrong::HoldsLink),
        _ => Ok(text.to_owned()),
    }
}

/// Checks a text of 10 to 2,000 characters. It is only trimmed.
pub(crate) fn check_text(typed: &str) -> Result<String, Wrong> {
    let text = typed.replace("\r\n", "\n");
    let text = text.trim();
    match text.chars().take(TEXT_LIMIT + 1).count() {
        0 => Err(Wrong::Required),
        length if length < TEXT_LEAST => Err(Wrong::TooShort),
        length if length > TEXT_LIMIT => Err(Wrong::TooLong),
        _ if text.chars().any(|sign| sign.is_control() && !matches!(sign, '\n' | '\t')) => {
            Err(Wrong::InvalidFormat)
        }
        _ => Ok(text.to_owned()),
    }
}

/// Makes an inquiry number, e.g. `K-261121-4F7Q`: the date in Japan and four characters from the random bits of a UUID.
pub(crate) fn make_number(id: Uuid, day: Date) -> String {
    let random = id.as_u128();
    let character = |place: u32| char::from(ALPHABET[(random >> (5 * place) & 31) as usize]);
    let suffix: String = (0..4).map(character).collect();
    format!("K-{:02}{:02}{:02}-{suffix}", day.year() % 100, u8::from(day.month()), day.day())
}

/// A stored inquiry, to recognise a repeated request that a replica of the previous release answered.
pub(crate) struct StoredInquiry {
    pub(crate) number: String,
    pub(crate) digest: Vec<u8>,
    pub(crate) has_receipt: bool,
}

/// Finds the inquiry with this hash of an idempotency key.
pub(crate) async fn find_by_key(
    database: &mut PgConnection,
    key: &[u8],
) -> sqlx::Result<Option<StoredInquiry>> {
    sqlx::query_as!(StoredInquiry, "SELECT number, digest, has_receipt FROM contact WHERE key = $1", key)
        .fetch_optional(database)
        .instrument(span("SELECT contact"))
        .await
}

/// An inquiry to store.
pub(crate) struct NewInquiry<'a> {
    pub(crate) id: Uuid,
    pub(crate) number: &'a str,
    pub(crate) key: &'a [u8],
    pub(crate) digest: &'a [u8],
    pub(crate) trace_id: String,
    pub(crate) inquiry: &'a Inquiry,
}

/// Result of an insertion.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Insertion {
    Done,
    /// An inquiry with this key exists.
    KeyExists,
    /// Another inquiry of this day has the same number.
    NumberExists,
}

/// Stores an inquiry, encrypted.
pub(crate) async fn add_inquiry(
    database: &mut PgConnection,
    new: &NewInquiry<'_>,
    encryptor: &Encryptor,
    now: OffsetDateTime,
) -> Result<Insertion, Error> {
    let inquiry = new.inquiry;
    let content = [inquiry.name.as_str(), &inquiry.email, &inquiry.text].join("\n");
    let sealed = encryptor.seal(&new.id.to_string(), content.as_bytes()).map_err(|_| Error::Sealing)?;
    let inserted = sqlx::query!(
        "INSERT INTO contact (id, number, kind, created, trace_id, key, digest, sealed) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        new.id,
        new.number,
        inquiry.kind,
        now,
        new.trace_id,
        new.key,
        new.digest,
        sealed
    )
    .execute(database)
    .instrument(span("INSERT contact"))
    .await;
    match inserted {
        Ok(_) => Ok(Insertion::Done),
        Err(error) => match kit_db::constraint(&error) {
            Some("contact_key") => Ok(Insertion::KeyExists),
            Some("contact_number") => Ok(Insertion::NumberExists),
            _ => Err(error.into()),
        },
    }
}

/// Mails withheld by an hourly limit.
const MAILS_WITHHELD: Metric = Metric {
    name: "konomana_mails_withheld_total",
    kind: Kind::Counter,
    labels: &["mail"],
    help: "Mails beyond an hourly limit of the whole service: receipt, the inquiry was accepted without a receipt",
};
pub(crate) const METRICS: &[Metric] = &[MAILS_WITHHELD];

static WITHHELD_MAILS: Counter<1> = Counter::new(MAILS_WITHHELD);
const RECEIPT: [&str; 1] = ["receipt"];

/// Registers the metric of withheld receipts.
pub(crate) fn register_metrics() {
    WITHHELD_MAILS.expose(RECEIPT);
}

/// Counts a receipt that was not sent because of its limit.
pub(crate) fn count_withheld_receipt() {
    WITHHELD_MAILS.increment(RECEIPT);
}

/// Records that the receipt of an inquiry is not sent.
pub(crate) async fn withhold_receipt(database: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("UPDATE contact SET has_receipt = false WHERE id = $1", id)
        .execute(database)
        .instrument(span("UPDATE contact"))
        .await?;
    Ok(())
}

/// Deletes at most `limit` inquiries older than `retention`. Returns their number.
pub(crate) async fn sweep(
    database: &mut PgConnection,
    now: OffsetDateTime,
    retention: Duration,
    limit: i64,
) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM contact WHERE id IN (SELECT id FROM contact WHERE created < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now - retention,
        limit
    )
    .execute(database)
    .instrument(span("DELETE contact"))
    .await?;
    Ok(deleted.rows_affected())
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    const TEXT: &str = "解約の方法を教えてください。";

    fn codes(kind: &str, name: &str, email: &str, text: &str) -> Vec<String> {
        match Inquiry::from_form(kind, name, email, text) {
            Err(Error::Fields(wrong)) => wrong.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn every_invalid_field_is_reported() {
        assert_eq!(
            codes("", " ", "hanako", "短い文です"),
            ["kind is REQUIRED", "name is REQUIRED", "email is INVALID_FORMAT", "text is TOO_SHORT"]
        );
        assert_eq!(codes("sales", "山田", "a@b.example", TEXT), ["kind is UNKNOWN_CHOICE"]);
        let (name, text) = ("あ".repeat(51), "あ".repeat(2_001));
        assert_eq!(codes("other", &name, "a@b.example", &text), ["name is TOO_LONG", "text is TOO_LONG"]);
        assert_eq!(
            codes("other", "山\u{7}田", "a@b.example", "ベル\u{7}が鳴る文章です。"),
            ["name is INVALID_FORMAT", "text is INVALID_FORMAT"]
        );
        assert!(codes("other", &"あ".repeat(50), "a@b.example", &"あ".repeat(2_000)).is_empty());
    }

    #[test]
    fn a_name_contains_no_format_character_link_or_address() {
        for name in ["山\u{202e}田", "山\u{200b}田", "山\u{2066}田"] {
            assert_eq!(codes("other", name, "a@b.example", TEXT), ["name is INVALID_FORMAT"], "{name:?}");
        }
        for name in ["https://evil.example", "evil.example へ", "ｗｗｗ．evil", "a@b.example"] {
            assert_eq!(codes("other", name, "a@b.example", TEXT), ["name is HOLDS_LINK"], "{name}");
        }
    }

    #[test]
    fn a_text_stays_as_it_was_typed() {
        let typed = " שלום עולם 😀👩‍👩‍👧\r\n<script>alert(1)</script>\u{202e}です ";
        let inquiry = Inquiry::from_form("other", "علي", "a@b.example", typed).unwrap();
        assert_eq!(inquiry.text, "שלום עולם 😀👩‍👩‍👧\n<script>alert(1)</script>\u{202e}です");
        assert_eq!(inquiry.name, "علي");
    }

    #[test]
    fn a_number_has_its_date_and_no_ambiguous_characters() {
        let day = date!(2026 - 11 - 21);
        assert_eq!(make_number(Uuid::from_u128(0), day), "K-261121-2222");
        assert_eq!(make_number(Uuid::from_u128(u128::MAX), day), "K-261121-ZZZZ");
        assert!(!ALPHABET.iter().any(|sign| b"01IO".contains(sign)));
    }
}
